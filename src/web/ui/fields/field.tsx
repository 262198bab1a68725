import { CircleAlert } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { cn } from '#web/ui/cn.ts'

/** What the control inside needs to belong to its label, hint and error. */
export interface FieldControl {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

/** Label above, hint or error below: `<Field label="Nome">{(control) => <Input {...control} />}</Field>` */
export function Field({
  label,
  hint,
  error,
  isRequired = false,
  className,
  children,
}: {
  label: ReactNode
  hint?: ReactNode
  error?: string | undefined
  /** Adds the required mark. */
  isRequired?: boolean
  className?: string
  children: (control: FieldControl) => ReactNode
}) {
  const id = useId()
  const noteId = `${id}-note`
  const hasNote = Boolean(error ?? hint)
  return (
    <div className={cn('grid min-w-0 gap-1.5', className)}>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
        {isRequired && ' *'}
      </label>
      {children({
        id,
        'aria-describedby': hasNote ? noteId : undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {error ? (
        <p id={noteId} role="alert" className="flex items-center gap-[5px] text-xs text-red-text">
          <CircleAlert size={14} aria-hidden />
          {error}
        </p>
      ) : (
        hint && (
          <p id={noteId} className="text-xs text-ink-3">
            {hint}
          </p>
        )
      )}
    </div>
  )
}
