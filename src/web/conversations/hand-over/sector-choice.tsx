import { queryOptions, useQuery } from '@tanstack/react-query'
import { RadioGroup } from 'radix-ui'
import { useRef, useState } from 'react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { listSectorQueues } from '#shared/sectors/sector-queues.ts'
import type { Sector } from '#shared/sectors/sectors.ts'
import { call } from '#web/platform/api/api.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { serverNow } from '#web/platform/live/server-clock.ts'
import { openText, SectorDot, sectorKeys, useSectors } from '#web/sectors/sectors.tsx'
import { Badge } from '#web/ui/badges/badge.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { userQueries } from '#web/users/users.tsx'
import { ChoiceSearch, useChosenInSight, withChosen } from './choice-search.tsx'
import { placeIn } from './queue-place.ts'

const itemLook = [
  'flex min-h-12 items-center gap-2.5 rounded-control px-2 py-1 text-left -outline-offset-2',
  'hover:bg-hover data-[state=checked]:bg-selected disabled:text-ink-3 disabled:hover:bg-transparent',
].join(' ')

/** How many wait in the queue of each. */
const queuesQuery = queryOptions({
  queryKey: [...sectorKeys.all, 'queues'],
  queryFn: ({ signal }) => call(listSectorQueues, { signal }),
  staleTime: 0,
})

/** The sectors that take a conversation, with who is there and who waits. */
export function SectorChoice({
  conversation,
  isQueued,
  chosen,
  onChoose,
}: {
  conversation: Conversation
  /** Whether it stands in the queue of its sector already; from whoever holds it, it can go there. */
  isQueued: boolean
  chosen: string | undefined
  onChoose: (id: string) => void
}) {
  const { living, find } = useSectors()
  const { data: queues } = useQuery(queuesQuery)
  // Only what is known already: the place is told where it can be.
  const { data: open = [] } = useQuery({ ...conversationQueries.open(), enabled: false })
  const { data: people } = useQuery(userQueries.operators())
  const [search, setSearch] = useState('')
  const group = useRef<HTMLDivElement>(null)
  useChosenInSight(group, chosen)
  const offered = living.filter(
    ({ isActive, numberIds }) => isActive && (numberIds?.includes(conversation.instanceId) ?? true),
  )
  const { found, shown } = withChosen(offered, search, chosen)
  const waitingIn = (id: number) => queues && (queues.find(({ sectorId }) => sectorId === id)?.waiting ?? 0)
  const target = find(Number(chosen))
  const place = target && placeIn(target.id, conversation, open, waitingIn(target.id))
  const presentIn = (sector: Sector) =>
    sector.people.filter(({ userId }) => people?.find(({ id }) => id === userId)?.presence === 'online')
      .length
  return (
    <div className="flex min-h-0 flex-col gap-2">
      <ChoiceSearch list={group} value={search} onChange={setSearch} placeholder="Buscar setor..." />
      {found.length === 0 && <EmptyState title="Nenhum setor encontrado" />}
      <RadioGroup.Root
        ref={group}
        aria-label="Para qual setor"
        value={chosen ?? ''}
        onValueChange={onChoose}
        className="grid max-h-64 min-h-0 gap-0.5 overflow-y-auto"
      >
        {shown.map((sector) => {
          const waiting = waitingIn(sector.id) ?? 0
          const isHere = sector.id === conversation.sectorId
          return (
            <RadioGroup.Item
              key={sector.id}
              value={String(sector.id)}
              disabled={isHere && isQueued}
              className={itemLook}
            >
              <SectorDot color={sector.color} className="size-3" />
              <span className="min-w-0 flex-1">
                <span className="flex min-w-0 items-center gap-1.5">
                  <span className="truncate text-sm font-medium" title={sector.name}>
                    {sector.name}
                  </span>
                  {isHere && <Badge>está aqui</Badge>}
                </span>
                <span className="block text-xs text-pretty text-ink-2">
                  {peopleText(sector.people.length, people ? presentIn(sector) : undefined)}
                </span>
              </span>
              <span className="flex-none text-right text-xs text-ink-2 tabular-nums">
                <span className={sector.isOpenNow ? 'block' : 'block font-medium text-amber-text'}>
                  {openText(sector, serverNow())}
                </span>
                {queues && (waiting === 0 ? 'nenhuma na fila' : `${waiting} na fila`)}
              </span>
            </RadioGroup.Item>
          )
        })}
      </RadioGroup.Root>
      {target && (
        <p className="mt-1.5 text-xs text-pretty text-ink-2">
          A conversa entra na fila de {target.name} com o horário de chegada do cliente
          {place !== undefined && `: será o ${place}º`}.
        </p>
      )}
    </div>
  )
}

/** '2 pessoas, 1 disponível' @param present undefined: not known yet */
function peopleText(count: number, present: number | undefined): string {
  const people = count === 1 ? '1 pessoa' : `${count} pessoas`
  if (present === undefined || count === 0) return people
  if (present === 0) return `${people}, ninguém disponível`
  return `${people}, ${present} ${present === 1 ? 'disponível' : 'disponíveis'}`
}
