import { Field } from '#web/ui/fields/field.tsx'
import { fieldLook } from '#web/ui/fields/field-look.ts'

/** A note of the team about a conversation that changes hands: it stays in its timeline. */
export function TeamNote({
  value,
  onChange,
  hint,
}: {
  value: string
  onChange: (note: string) => void
  hint: string
}) {
  return (
    <Field label="Observação para quem recebe" hint={hint}>
      {(control) => (
        <textarea
          {...control}
          // A summary has five lines.
          rows={value.includes('\n') ? 5 : 2}
          maxLength={2000}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className={fieldLook('lines')}
        />
      )}
    </Field>
  )
}
