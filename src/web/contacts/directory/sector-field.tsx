import { type Control, Controller, type FieldValues, type Path } from 'react-hook-form'
import { SectorSelect, useSectors } from '#web/sectors/sectors.tsx'
import { Field } from '#web/ui/fields/field.tsx'

/** To which sector new conversations of the contact go; nothing where there are no sectors. */
export function SectorField<Values extends FieldValues & { sectorId: number | null }>({
  control,
  error,
}: {
  control: Control<Values>
  error: string | undefined
}) {
  const { living, areAny, find } = useSectors()
  if (!areAny) return null
  return (
    <Field label="Setor fixo" error={error}>
      {(field) => (
        <Controller
          control={control}
          name={'sectorId' as Path<Values>}
          render={({ field: { value, onChange } }) => (
            <SectorSelect
              {...field}
              sectors={living}
              chosen={find(value)}
              noneLabel="Nenhum"
              onChoose={onChange}
            />
          )}
        />
      )}
    </Field>
  )
}
