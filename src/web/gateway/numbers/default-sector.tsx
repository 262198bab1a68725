import { Controller, type UseFormReturn } from 'react-hook-form'
import type * as z from 'zod/mini'
import type { evolutionConfigChange, EvolutionConfigChange } from '#shared/gateway/gateway.ts'
import { SectorSelect, useSectors } from '#web/sectors/sectors.tsx'
import { Field } from '#web/ui/fields/field.tsx'

/** Where new conversations of a number go; nothing where there are no sectors. */
export function DefaultSector({
  form: { control, formState },
  numberId,
}: {
  form: UseFormReturn<EvolutionConfigChange, unknown, z.output<typeof evolutionConfigChange>>
  numberId: number
}) {
  const { living, areAny, find } = useSectors()
  if (!areAny) return null
  const serving = living.filter(({ numberIds }) => numberIds === null || numberIds.includes(numberId))
  return (
    <Field
      label="Setor padrão"
      hint="Recebe as conversas novas que não têm antes um setor, pelo contato ou pela última conversa."
      error={formState.errors.defaultSectorId?.message}
      className="w-full max-w-[480px]"
    >
      {(field) => (
        <Controller
          control={control}
          name="defaultSectorId"
          render={({ field: { value, onChange } }) => (
            <SectorSelect
              {...field}
              sectors={serving}
              chosen={find(value)}
              noneLabel="Sem setor"
              onChoose={onChange}
            />
          )}
        />
      )}
    </Field>
  )
}
