import { useMe } from '#web/users/users.tsx'
import { ChoiceChip } from '#web/ui/fields/filter-chip.tsx'
import { useTags } from './use-tags.ts'

/** The filter by a tag of the conversation; absent where there are none. */
export function TagFilter({
  value,
  onChange,
}: {
  value: number | undefined
  onChange: (tagId: number | undefined) => void
}) {
  const { all, areAny } = useTags()
  // Known from the first moment on: what stands beside it would move.
  const { hasTags } = useMe()
  if (!areAny && !hasTags && value === undefined) return null
  const options = all.map(({ id, name, isActive }) => ({
    value: String(id),
    label: isActive ? name : `${name} (inativa)`,
  }))
  return (
    <ChoiceChip
      label="Etiqueta da conversa"
      shown={
        value === undefined
          ? undefined
          : (options.find((one) => one.value === String(value))?.label ?? 'Etiqueta excluída')
      }
      value={String(value ?? '')}
      options={options}
      searchPlaceholder="Buscar etiqueta..."
      nothingFound="Nenhuma etiqueta corresponde à busca"
      anything="Qualquer etiqueta da conversa"
      onChoose={(chosen) => onChange(Number(chosen))}
      onClear={() => onChange(undefined)}
    />
  )
}
