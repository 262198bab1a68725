import { useQuery } from '@tanstack/react-query'
import { useSectors } from '#web/sectors/sectors.tsx'
import { inPlace } from '#web/platform/loading/in-place.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { reasonQueries } from './queries.ts'
import type { ChosenReason } from './use-reason-of.ts'

/** Loaded on first use: who finalizes where there are no reasons needs none of it. */
const ReasonField = inPlace(
  async () => (await import('./reason-field.tsx')).ReasonField,
  <Skeleton className="h-60" />,
)

/**
 * The choice of the reason with which a conversation ends; nothing where none is asked for.
 * @param conversation absent: several, whose contacts have no last reasons together
 */
export function ReasonOf({
  reason: { ask, all, choices, id, error, choose },
  conversation = noConversation,
}: {
  reason: ChosenReason
  conversation?: { id: number; sectorId: number | null }
}) {
  const isAsked = ask !== 'no'
  const { data: last } = useQuery({
    ...reasonQueries.last(conversation.id),
    enabled: isAsked && conversation !== noConversation,
  })
  const sector = useSectors().find(conversation.sectorId)
  const known = useQuery(reasonQueries.known()).data
  if (!isAsked) return null
  const asks = known?.ofSectors.some(({ sectorId }) => sectorId === sector?.id)
  const isOfSector = sector !== undefined && choices.some(({ sectorId }) => sectorId === sector.id)
  return (
    <ReasonField
      all={all}
      choices={choices}
      last={last ?? []}
      title={isOfSector ? `De ${sector.name} e gerais` : 'Motivos'}
      ask={
        ask === 'optional'
          ? 'opcional'
          : sector && asks
            ? `obrigatório no setor ${sector.name}`
            : 'obrigatório'
      }
      value={id}
      error={error}
      takesFocus
      onChange={choose}
    />
  )
}

const noConversation = { id: 0, sectorId: null }
