import { useQuery } from '@tanstack/react-query'
import { RadioGroup } from 'radix-ui'
import { useEffect, useRef, useState } from 'react'
import type { Sector } from '#shared/sectors/sectors.ts'
import type { Operator, PresenceState } from '#shared/users/users.ts'
import { roleLabels } from '#shared/text/text.ts'
import { useNow } from '#web/platform/live/server-clock.ts'
import { SectorDot, useSectors } from '#web/sectors/sectors.tsx'
import { PresenceMark, useMe, userQueries } from '#web/users/users.tsx'
import { Badge } from '#web/ui/badges/badge.tsx'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { ChoiceSearch, useChosenInSight, withChosen } from './choice-search.tsx'
import { conversationsText } from './conversations-text.ts'

/** Longer lists get a search field; where there are sectors all do, so that both tabs have it. */
const manyOperators = 8

/** Present, then away, then absent; who is in a pause comes last. */
const presenceRanks: Record<PresenceState, number> = { online: 0, idle: 1, away: 1, offline: 2, paused: 3 }

/** @param isFit whether somebody is in the sectors of the conversations: of those present they come first */
const byAvailability = (isFit: (operator: Operator) => boolean) => (a: Operator, b: Operator) => {
  return (
    presenceRanks[a.presence] - presenceRanks[b.presence] ||
    Number(isFit(b)) - Number(isFit(a)) ||
    a.activeConversations - b.activeConversations ||
    a.name.localeCompare(b.name, 'pt-BR')
  )
}

/**
 * The operators who can receive a conversation, with their presence and number of open conversations: those
 * on line first, of them those of its sector, and the one with the fewest suggested. Once fetched, they stay
 * in their places.
 */
export function Receivers({
  holderId,
  instanceIds,
  sectorIds,
  takesFocus = false,
  chosen,
  onChoose,
}: {
  /** The current holder, who is left out. */
  holderId: number | null
  /** The numbers of the conversations: whoever does not answer all of them is left out. */
  instanceIds: readonly number[]
  /** The sectors of the conversations, null of what is in none: only who is in all of them is suggested. */
  sectorIds: readonly (number | null)[]
  /** The first of them gets the focus of the dialog. */
  takesFocus?: boolean
  chosen: string | undefined
  onChoose: (id: string) => void
}) {
  const { id: userId } = useMe()
  const { data, isError, isFetchedAfterMount, refetch } = useQuery({
    ...userQueries.operators(),
    staleTime: 0,
  })
  const nowMs = useNow(30_000)
  const { living, areAny } = useSectors()
  const [search, setSearch] = useState('')
  const sectorsOf = (userId: number) =>
    living.filter(({ people }) => people.some((person) => person.userId === userId))
  const isFit = ({ id }: Operator) => {
    const own = sectorsOf(id)
    return sectorIds.every((needed) => needed === null || own.some((sector) => sector.id === needed))
  }
  const [places, setPlaces] = useState<ReadonlyMap<number, number>>()
  if (!places && data && isFetchedAfterMount)
    setPlaces(new Map(data.toSorted(byAvailability(isFit)).map(({ id }, at) => [id, at])))
  const group = useRef<HTMLDivElement>(null)
  const hasData = data !== undefined
  useEffect(() => {
    const first = group.current?.querySelector<HTMLElement>('[role=radio]')
    if (takesFocus && hasData && !isWriting()) first?.focus()
  }, [takesFocus, hasData])
  useChosenInSight(group, chosen)
  if (!data && isError)
    return (
      <ErrorState description="Não foi possível carregar os operadores." onRetry={() => void refetch()} />
    )
  if (!data) return <Skeleton className="h-44" />
  const placeOf = ({ id }: Operator) => places?.get(id) ?? data.length
  const others = data
    .filter(
      ({ id, numberIds }) => id !== holderId && instanceIds.every((one) => numberIds?.includes(one) ?? true),
    )
    .sort((a, b) => (places ? placeOf(a) - placeOf(b) : byAvailability(isFit)(a, b)))
  const suggested = others.find((one) => one.presence === 'online' && one.id !== userId && isFit(one))
  const { found, shown } = withChosen(others, search, chosen)
  return (
    <div className="flex min-h-0 flex-col gap-2">
      {(areAny || others.length > manyOperators) && (
        <ChoiceSearch list={group} value={search} onChange={setSearch} placeholder="Buscar operador..." />
      )}
      {found.length === 0 && <EmptyState title="Nenhum operador encontrado" />}
      <RadioGroup.Root
        ref={group}
        aria-label="Para quem"
        value={chosen ?? ''}
        onValueChange={onChoose}
        className="grid max-h-64 min-h-0 gap-0.5 overflow-y-auto"
      >
        {shown.map(({ id, name, role, pictureUrl, activeConversations, ...presence }) => (
          <RadioGroup.Item
            key={id}
            value={String(id)}
            className={[
              'flex min-h-12 items-center gap-2.5 rounded-control px-2 -outline-offset-2',
              'text-left hover:bg-hover data-[state=checked]:bg-selected',
            ].join(' ')}
          >
            <Avatar name={name} src={pictureUrl} />
            <span className="min-w-0 flex-1">
              <span className="flex min-w-0 items-center gap-1.5">
                <span className="truncate text-sm font-medium" title={name} dir="auto">
                  {name}
                </span>
                {id === suggested?.id && <Badge tone="accent">Sugerido</Badge>}
              </span>
              {areAny ? (
                <SectorsOf sectors={sectorsOf(id)} />
              ) : (
                <span className="block truncate text-xs text-ink-2">{roleLabels[role]}</span>
              )}
            </span>
            <span className="flex-none text-right text-xs text-ink-2">
              <PresenceMark of={presence} nowMs={nowMs} />
              <span className="block tabular-nums">{loadOf(activeConversations)}</span>
            </span>
          </RadioGroup.Item>
        ))}
      </RadioGroup.Root>
    </div>
  )
}

/** Of whoever is in many, on one line, those that fit. */
function SectorsOf({ sectors }: { sectors: readonly Sector[] }) {
  if (sectors.length === 0) return <span className="block truncate text-xs text-ink-3">Sem setor</span>
  return (
    <span className="block truncate text-xs text-ink-2" title={sectors.map(({ name }) => name).join(', ')}>
      {sectors.map(({ id, name, color }) => (
        <span key={id} className="mr-2 last:mr-0">
          <SectorDot color={color} className="mr-1 size-2 rounded-[2px]" />
          {name}
        </span>
      ))}
    </span>
  )
}

/** Whether something was written before the list arrived. */
function isWriting(): boolean {
  const active = document.activeElement
  return (active instanceof HTMLTextAreaElement || active instanceof HTMLInputElement) && active.value !== ''
}

function loadOf(count: number) {
  return count === 0 ? 'sem conversas' : conversationsText(count)
}
