import { useQuery } from '@tanstack/react-query'
import { Shuffle } from 'lucide-react'
import { useMemo, useState } from 'react'
import * as z from 'zod/mini'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { compareBy, isQueued } from '#shared/conversations/list-view.ts'
import { getTeamStats } from '#shared/reports/team-stats.ts'
import { isOfSectorAsked, sectorAsked } from '#shared/sectors/sector-asked.ts'
import { call } from '#web/platform/api/api.ts'
import { useNow } from '#web/platform/live/server-clock.ts'
import { useMediaQuery } from '#web/platform/browser/media-query.ts'
import { useUrlFilter } from '#web/platform/browser/use-url-filter.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { ChoiceChip } from '#web/ui/fields/filter-chip.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { onDemand } from '#web/ui/on-demand.tsx'
import { useSectors } from '#web/sectors/sectors.tsx'
import { useCan, userQueries } from '#web/users/users.tsx'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { PaneSkeleton } from '#web/conversations/rows/rows-skeleton.tsx'
import { LongWaits, longWaitFields, WaitChip } from './long-waits.tsx'
import { isInSector } from './distribution.ts'
import { type ListedOf, openText, TeamRow } from './team-row.tsx'
import { type Member, teamNow } from './team.ts'

const shownAtFirst = 6
const filterFields = { ...longWaitFields, sectorId: z.optional(sectorAsked) }
const DistributeDialog = onDemand(async () => (await import('./distribute-dialog.tsx')).DistributeDialog)

/** What is to be distributed. */
interface Given {
  rows: readonly Conversation[]
  /** Who has them; undefined: they are in the queue. */
  from: string | undefined
}

/**
 * The load of each person at this moment. It is derived from the open conversations, which the browser has
 * anyway, and changes with each push.
 */
export function TeamCard({ className }: { className: string }) {
  const operators = useQuery(userQueries.operators())
  const open = useQuery(conversationQueries.open())
  const { living: sectors } = useSectors()
  const { filter, change } = useUrlFilter(filterFields)
  const { sectorId } = filter
  const rows = useMemo(
    () => open.data?.filter((row) => isOfSectorAsked(row.sectorId, sectorId)),
    [open.data, sectorId],
  )
  const team = useMemo(() => {
    const all = operators.data && rows && teamNow(operators.data, rows)
    // Also whoever is no more in the sector, and has conversations of it.
    return typeof sectorId !== 'number'
      ? all
      : all?.filter(
          ({ operator, conversations }) =>
            conversations.length > 0 || isInSector(sectors, sectorId, operator.id),
        )
  }, [operators.data, rows, sectors, sectorId])
  const queue = useMemo(() => rows?.filter(isQueued).toSorted(compareBy.waiting), [rows])
  const mayTransfer = useCan('transfer')
  const isLeader = useCan('leadTeam')
  const waitOver = isLeader ? filter.waitOver : undefined
  const [given, setGiven] = useState<Given>()
  const choices = [
    ...sectors.map(({ id, name }) => ({ value: String(id), label: name })),
    { value: 'none', label: 'Sem setor' },
  ]
  return (
    <Card
      title="Equipe agora"
      note={team && <span className="max-md:sr-only">{totalsOf(team)}</span>}
      className={className}
      actions={
        mayTransfer &&
        queue &&
        queue.length > 0 && (
          <Button size="sm" icon={Shuffle} onClick={() => setGiven({ rows: queue, from: undefined })}>
            <span>
              Distribuir <span className="max-md:sr-only">a fila </span>({queue.length})
            </span>
          </Button>
        )
      }
    >
      {given && operators.data && open.data && (
        <DistributeDialog
          {...given}
          operators={operators.data}
          open={open.data}
          sectors={sectors}
          onClose={() => setGiven(undefined)}
        />
      )}
      {(isLeader || sectors.length > 0) && (
        <div className="flex min-h-11 flex-wrap items-center gap-2 border-b border-line px-4 py-1.5 max-md:min-h-14">
          {sectors.length > 0 && (
            <ChoiceChip
              label="Setor"
              shown={
                sectorId === undefined
                  ? undefined
                  : (choices.find(({ value }) => value === `${sectorId}`)?.label ?? 'Setor')
              }
              value={sectorId === undefined ? '' : String(sectorId)}
              options={choices}
              searchPlaceholder="Buscar setor..."
              nothingFound="Nenhum setor corresponde à busca"
              anything="Qualquer setor"
              onChoose={(value) => change({ sectorId: value === 'none' ? value : Number(value) })}
              onClear={() => change({ sectorId: undefined })}
            />
          )}
          {isLeader && <WaitChip value={waitOver} onChange={(next) => change({ waitOver: next })} />}
        </div>
      )}
      {team && rows && waitOver !== undefined ? (
        <LongWaits open={rows} over={waitOver} />
      ) : team ? (
        <Team
          team={team}
          onDistribute={
            mayTransfer
              ? ({ operator, conversations }) =>
                  setGiven({
                    rows: conversations.filter(({ waitingSince }) => waitingSince !== null),
                    from: operator.name,
                  })
              : undefined
          }
        />
      ) : operators.error || open.error ? (
        <ErrorState
          description="Não foi possível carregar a equipe."
          isRetrying={operators.isFetching || open.isFetching}
          onRetry={() => {
            void operators.refetch()
            void open.refetch()
          }}
        />
      ) : (
        <PaneSkeleton count={3} rowLook="h-[68px] px-4 md:h-[52px]" />
      )}
    </Card>
  )
}

const headLook = 'px-2 text-right text-xs font-medium text-ink-2 first:pl-4 first:text-left'

function Team({
  team,
  onDistribute,
}: {
  team: Member[]
  onDistribute: ((member: Member) => void) | undefined
}) {
  const hasReplies = useCan('viewStatistics')
  const replies = useQuery({
    queryKey: [...conversationQueries.all, 'team-stats'],
    queryFn: ({ signal }) => call(getTeamStats, { signal }),
    refetchInterval: 60_000,
    enabled: hasReplies,
  })
  const nowMs = useNow(30_000)
  const isWide = useMediaQuery('(min-width: 64rem)')
  const [expanded, setExpanded] = useState<{ id: number; what: ListedOf }>()
  const [isWhole, setIsWhole] = useState(false)
  if (team.length === 0) return <EmptyState title="Nenhum operador na equipe" />
  const shown = isWhole ? team : team.slice(0, shownAtFirst)
  return (
    <>
      <table className="w-full border-collapse md:table-fixed">
        <thead>
          <tr className="h-[34px] bg-sunken">
            <th scope="col" className={`${headLook} max-md:w-full`}>
              Pessoa e presença
            </th>
            {isWide && (
              <>
                <th scope="col" className={`${headLook} w-20`}>
                  Abertas
                </th>
                <th scope="col" className={`${headLook} w-24`}>
                  Esperando
                </th>
              </>
            )}
            <th scope="col" className={`${headLook} whitespace-nowrap md:w-72`}>
              Maior espera
            </th>
            {isWide && hasReplies && (
              <th scope="col" className={`${headLook} w-32`}>
                1ª resposta hoje
              </th>
            )}
            <th scope="col" className="w-11 md:w-20">
              <span className="sr-only">Conversas</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((member) => {
            const { id } = member.operator
            return (
              <TeamRow
                key={id}
                member={member}
                nowMs={nowMs}
                isWide={isWide}
                reply={hasReplies ? (replies.data?.find(({ userId }) => userId === id) ?? null) : undefined}
                listed={expanded?.id === id ? expanded.what : undefined}
                onList={(what) =>
                  setExpanded(
                    what === undefined || (expanded?.id === id && expanded.what === what)
                      ? undefined
                      : { id, what },
                  )
                }
                onDistribute={onDistribute && (() => onDistribute(member))}
              />
            )
          })}
        </tbody>
      </table>
      {shown.length < team.length && (
        <p className="border-t border-line px-2 py-1">
          <Button variant="link" size="sm" onClick={() => setIsWhole(true)}>
            {`Mostrar todos (${team.length})`}
          </Button>
        </p>
      )}
    </>
  )
}

/** '34 abertas, 18 esperando resposta' */
function totalsOf(team: Member[]): string {
  const open = team.reduce((sum, { conversations }) => sum + conversations.length, 0)
  const waiting = team.reduce((sum, member) => sum + member.waiting, 0)
  const isNobodyThere = !team.some(({ operator }) => operator.presence === 'online')
  return [
    `${openText(open)}, ${waiting} esperando resposta`,
    ...(isNobodyThere ? ['ninguém disponível'] : []),
  ].join(', ')
}
