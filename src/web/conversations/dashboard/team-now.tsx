import { useQuery } from '@tanstack/react-query'
import { Shuffle } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { compareBy, isQueued } from '#shared/conversations/list/list-view.ts'
import { getTeamStats } from '#shared/reports/team-stats.ts'
import type { Scope } from '#shared/users/scope.ts'
import type { Sector } from '#shared/sectors/sectors.ts'
import { call } from '#web/platform/api/api.ts'
import { useNow } from '#web/platform/live/server-clock.ts'
import { useMediaQuery } from '#web/platform/browser/media-query.ts'
import { useUrlFilter } from '#web/platform/browser/use-url-filter.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { onDemand } from '#web/ui/on-demand.tsx'
import { useCan, useMe, userQueries } from '#web/users/users.tsx'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { PaneSkeleton } from '#web/conversations/rows/rows-skeleton.tsx'
import { LongWaits, longWaitFields, WaitChip } from './long-waits.tsx'
import { PausedWaits } from './paused-waits.tsx'
import { type ListedOf, openText, TeamRow } from './team-row.tsx'
import { type Member, teamNow } from './team.ts'
import { TeamFigures } from './team-figures.tsx'

const shownAtFirst = 6
const DistributeDialog = onDemand(async () => (await import('./distribute-dialog.tsx')).DistributeDialog)

/** Of which people and conversations the card tells. */
export interface PartOfTeam {
  hasRow: (row: Conversation) => boolean
  hasPerson: (userId: number) => boolean
  /** Those that exist, which decide who may be given what. */
  sectors: readonly Sector[]
}
const everybody: PartOfTeam = { hasRow: () => true, hasPerson: () => true, sectors: [] }

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
export function TeamNow({
  className,
  of = everybody,
  chip,
}: {
  className: string
  /** The part of the team that is shown. */
  of?: PartOfTeam
  /** Chooses it. */
  chip?: ReactNode
}) {
  const operators = useQuery(userQueries.operators())
  const open = useQuery(conversationQueries.open())
  const rows = useMemo(() => open.data?.filter(of.hasRow), [open.data, of])
  const team = useMemo(
    // Also whoever is no more in it, and has conversations of it.
    () =>
      operators.data &&
      rows &&
      teamNow(operators.data, rows).filter(
        ({ operator, conversations }) => conversations.length > 0 || of.hasPerson(operator.id),
      ),
    [operators.data, rows, of],
  )
  const { scope } = useMe()
  const { filter, change } = useUrlFilter(longWaitFields)
  const queue = useMemo(() => rows?.filter(isQueued).toSorted(compareBy.waiting), [rows])
  const mayTransfer = useCan('transfer')
  const isLeader = useCan('leadTeam')
  const waitOver = isLeader ? filter.waitOver : undefined
  const [given, setGiven] = useState<Given>()
  return (
    <Card
      title="Equipe agora"
      note={team && <span className="max-md:sr-only">{totalsOf(team, scope)}</span>}
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
          sectors={of.sectors}
          onClose={() => setGiven(undefined)}
        />
      )}
      <TeamFigures team={team} />
      {(isLeader || chip) && (
        <div
          className={[
            'flex min-h-11 flex-wrap items-center gap-2 border-b border-line px-4 py-1.5',
            'max-md:min-h-14',
          ].join(' ')}
        >
          {chip}
          {isLeader && <WaitChip value={waitOver} onChange={(next) => change({ waitOver: next })} />}
        </div>
      )}
      {team && <PausedWaits team={team} mayReturn={isLeader && mayTransfer} />}
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
function totalsOf(team: Member[], scope: Scope): string {
  const open = team.reduce((sum, { conversations }) => sum + conversations.length, 0)
  const waiting = team.reduce((sum, member) => sum + member.waiting, 0)
  return [
    `${openText(open)}, ${waiting} esperando resposta`,
    // Others may have more than is counted here.
    ...(scope !== 'all' ? ['só do que você vê'] : []),
  ].join(', ')
}
