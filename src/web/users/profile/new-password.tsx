import type { ReactNode } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { Field } from '#web/ui/fields/field.tsx'
import { PasswordInput } from '#web/ui/fields/password-input.tsx'
import { PasswordStrength } from './password-strength.tsx'

/** A field for a password that is being chosen, with its strength below. */
export function NewPassword({
  registered,
  typed,
  known,
  ...field
}: {
  label: string
  hint?: ReactNode
  error: string | undefined
  isRequired?: boolean
  registered: UseFormRegisterReturn
  /** What the field contains. */
  typed: string
  /** Of the person whose password it is; absent: of the user. */
  known?: readonly string[]
}) {
  return (
    <div className="grid gap-1.5">
      <Field {...field}>
        {(control) => <PasswordInput {...control} {...registered} autoComplete="new-password" />}
      </Field>
      <PasswordStrength password={typed} {...(known && { known })} />
    </div>
  )
}
