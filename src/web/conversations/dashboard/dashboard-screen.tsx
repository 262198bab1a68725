import { useQuery } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import { createElement, type ReactNode } from 'react'
import { Link } from 'wouter'
import { ApiError } from '#web/platform/api/api.ts'
import { useNow } from '#web/platform/live/server-clock.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { DeniedState } from '#web/ui/states/denied-state.tsx'
import { partInPlace } from '#web/platform/loading/in-place.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { Page } from '#web/ui/layout/page.tsx'
import { useCan, useMe, userQueries } from '#web/users/users.tsx'
import { PaneSkeleton } from '#web/conversations/rows/rows-skeleton.tsx'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { RecentRow } from './recent-row.tsx'
import { StatsFigures } from './stats-figures.tsx'

const recentCount = 5
const recentQuery = (userId: number) =>
  conversationQueries.list({ page: 1, limit: recentCount, search: '', userId })
const useTeamCard = partInPlace(async () => (await import('./team-card.tsx')).TeamCard)

/**
 * `/`: the current figures, the five most recent conversations, and the load of the team, which comes first
 * for whoever leads it.
 */
export function DashboardScreen({ cards }: { cards: ReactNode }) {
  const canView = useCan('viewDashboard')
  const canList = useCan('viewConversations')
  const canViewTeam = useCan('viewTeam')
  const isTeamFirst = useCan('leadTeam')
  // Of others it is below what the first look is for.
  const teamCard = useTeamCard(canViewTeam)
  const isTeamKnown = useIsTeamKnown(isTeamFirst) && teamCard !== undefined
  const team = (className: string) =>
    teamCard ? createElement(teamCard, { className }) : <TeamSkeleton className={className} />
  return (
    <Page
      title={
        <>
          Dashboard
          <span className="text-base font-normal text-ink-2"> - Visão geral do atendimento</span>
        </>
      }
    >
      {canView ? (
        <>
          {cards}
          {isTeamFirst && team('mb-4')}
          {/* Below the team once its length is known, so that it moves nothing. */}
          {(!isTeamFirst || isTeamKnown) && (
            <>
              <Figures />
              {canList && <Recent />}
            </>
          )}
          {canViewTeam && !isTeamFirst && team('mt-4')}
        </>
      ) : (
        <DeniedState />
      )}
    </Page>
  )
}

/** Whether the team can be shown, or has failed. What is below is fetched meanwhile. */
function useIsTeamKnown(isAsked: boolean): boolean {
  const queries = [
    useQuery({ ...userQueries.operators(), enabled: isAsked }),
    useQuery({ ...conversationQueries.open(), enabled: isAsked }),
  ]
  useQuery({ ...conversationQueries.stats(), enabled: isAsked })
  useQuery({ ...recentQuery(useMe().id), enabled: isAsked })
  return queries.every(({ data, failureCount }) => data !== undefined || failureCount > 0)
}

function TeamSkeleton({ className }: { className: string }) {
  return (
    <Card title="Equipe agora" className={className}>
      <PaneSkeleton count={3} rowLook="h-[68px] px-4 md:h-[52px]" />
    </Card>
  )
}

function Figures() {
  const { data, error, isFetching, refetch } = useQuery(conversationQueries.stats())
  if (data || !error) return <StatsFigures stats={data} />
  if (error instanceof ApiError && error.status === 403) return null
  return (
    <Card className="mb-4">
      <ErrorState
        description="Não foi possível carregar os números do momento."
        isRetrying={isFetching}
        onRetry={() => void refetch()}
      />
    </Card>
  )
}

function Recent() {
  const nowMs = useNow(30_000)
  const { data, error, isFetching, refetch } = useQuery(recentQuery(useMe().id))
  return (
    <Card
      title="Conversas Recentes"
      actions={
        <Button asChild variant="link" size="sm">
          <Link href="/conversas-ativas">
            Ver todas <ArrowRight aria-hidden size={16} />
          </Link>
        </Button>
      }
    >
      {!data && error ? (
        <ErrorState
          description="Não foi possível carregar as conversas."
          isRetrying={isFetching}
          onRetry={() => void refetch()}
        />
      ) : !data ? (
        <PaneSkeleton count={recentCount} rowLook="h-[60px] px-4 not-first:mt-px" />
      ) : data.conversations.length === 0 ? (
        <EmptyState title="Nenhuma conversa encontrada" />
      ) : (
        <ul aria-label="Conversas recentes">
          {data.conversations.map((row) => (
            <li key={row.id} className="border-line not-first:border-t">
              <RecentRow conversation={row} nowMs={nowMs} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
