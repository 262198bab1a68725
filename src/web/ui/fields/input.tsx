import type { ComponentProps, ReactNode } from 'react'
import { cn } from '#web/ui/cn.ts'
import { fieldLook, type FieldSize } from './field-look.ts'

/** Invalid if it has `aria-invalid`, as passed down by `Field`. */
export function Input({
  fieldSize = 'field',
  leading,
  trailing,
  className,
  ...rest
}: ComponentProps<'input'> & {
  /** 36 px in forms, 32 in toolbars, 40 at the login */
  fieldSize?: FieldSize
  /** An icon inside, before the text. */
  leading?: ReactNode
  /** A button or a unit inside, after the text. */
  trailing?: ReactNode
}) {
  const isBare = !leading && !trailing
  if (isBare) return <input {...rest} className={cn(fieldLook(fieldSize), 'px-2.5', className)} />
  return (
    <span
      className={cn(
        fieldLook(fieldSize),
        'flex items-center gap-2 px-2.5 has-focus-visible:outline-2',
        'has-[input:disabled]:bg-sunken has-[input[aria-invalid=true]]:border-red',
        className,
      )}
    >
      {leading}
      <input {...rest} className="h-full min-w-0 flex-1 bg-transparent outline-none disabled:text-ink-3" />
      {trailing}
    </span>
  )
}
