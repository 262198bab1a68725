import { cn } from '#web/ui/cn.ts'

export type FieldSize = 'field' | 'bar' | 'login' | 'lines'

const sizes = {
  field: 'h-(--height-field) border-field text-base',
  bar: 'h-(--height-control) border-line-strong text-sm',
  login: 'h-10 border-field text-base',
  /** Several lines: the height follows from its rows. */
  lines: 'border-field px-2.5 py-1.5 text-base placeholder:text-ink-3',
}

/** The look of every field, with the focus ring on its edge. */
export function fieldLook(size: FieldSize): string {
  return cn(
    'w-full min-w-0 rounded-control border bg-surface text-ink -outline-offset-1 outline-focus',
    'aria-invalid:border-red disabled:bg-sunken disabled:text-ink-3',
    sizes[size],
  )
}
