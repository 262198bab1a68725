import { automaticEnds, automaticReasons, noReason } from '#shared/text/conversations/reason-texts.ts'
import { useMe } from '#web/users/users.tsx'
import { ChoiceChip } from '#web/ui/fields/filter-chip.tsx'
import { reasonPath } from './reason-path.ts'
import { useReasons } from './use-reasons.ts'

const none = 'none'

/** The filter by reason; absent where there are none. One of the first level has those within it. */
export function ReasonFilter({
  value,
  onChange,
}: {
  value: string | undefined
  onChange: (reason: string | undefined) => void
}) {
  const { all, areAny } = useReasons()
  // Known from the first moment on: what stands beside it would move.
  const { hasReasons } = useMe()
  if (!areAny && !hasReasons && value === undefined) return null
  const options = [
    ...all.map(({ id, isActive }) => {
      const path = reasonPath(all, id) ?? ''
      return { value: String(id), label: isActive ? path : `${path} (inativo)` }
    }),
    ...automaticEnds.map((end) => ({ value: end, label: automaticReasons[end] })),
    { value: none, label: noReason },
  ]
  return (
    <ChoiceChip
      label="Motivo"
      shown={
        value === undefined
          ? undefined
          : (options.find((one) => one.value === value)?.label ?? `Motivo ${value}`)
      }
      value={value ?? ''}
      options={options}
      searchPlaceholder="Buscar motivo..."
      nothingFound="Nenhum motivo corresponde à busca"
      anything="Qualquer motivo"
      onChoose={onChange}
      onClear={() => onChange(undefined)}
    />
  )
}
