import { sectorLimits } from '#shared/sectors/managed-sectors.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { ColorChoice } from '#web/settings/sectors/choices/color-choice.tsx'
import { typedMenuLine } from '#web/settings/sectors/words.ts'
import type { Draft } from './use-new-sector.ts'

export function NameFields({
  draft: { name, color, description },
  place,
  error,
  onChange,
}: {
  draft: Draft
  /** In the client's menu; 1 is the first. */
  place: number
  error: string | undefined
  onChange: (change: Partial<Draft>) => void
}) {
  return (
    <>
      <Field label="Nome" isRequired error={error}>
        {(control) => (
          <Input
            {...control}
            value={name}
            maxLength={sectorLimits.name}
            placeholder="Comercial"
            autoComplete="off"
            dir="auto"
            onChange={({ target }) => onChange({ name: target.value })}
          />
        )}
      </Field>
      <ColorChoice value={color} onChoose={(chosen) => onChange({ color: chosen })} />
      <Field
        label="Descrição"
        hint={
          <span className="wrap-anywhere" dir="auto">
            No menu: “{typedMenuLine(place, name || 'Comercial', description)}”
          </span>
        }
      >
        {(control) => (
          <Input
            {...control}
            value={description}
            maxLength={sectorLimits.description}
            placeholder="Preços, pedidos e prazos"
            autoComplete="off"
            dir="auto"
            onChange={({ target }) => onChange({ description: target.value })}
          />
        )}
      </Field>
    </>
  )
}
