import { useInfiniteQuery } from '@tanstack/react-query'
import { Star } from 'lucide-react'
import { Link } from 'wouter'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { PanelSection } from '#web/contacts/contacts.tsx'
import { dateTime, shortDate } from '#web/platform/live/server-clock.ts'
import { Badge } from '#web/ui/badges/badge.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { elapsed } from '#web/conversations/kinds/measures.ts'
import { LastMessageLine } from '#web/conversations/rows/last-message-line.tsx'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { NumberTag, useNumbers } from '#web/numbers/numbers.tsx'
import { PanelMore, PanelTrouble } from './panel-parts.tsx'

/** The contact's conversations that are visible to this person. */
export function EarlierConversations({
  contactId,
  currentId,
  isWhole = false,
}: {
  contactId: number
  /** The one that is open beside, which is left out. */
  currentId?: number
  /** All of them are meant, not those before another. */
  isWhole?: boolean
}) {
  const words = isWhole ? ofAll : ofEarlier
  const history = useInfiniteQuery({ ...conversationQueries.history(contactId), staleTime: 30_000 })
  const rows = history.data?.pages.flat().filter(({ id }) => id !== currentId)
  return (
    <PanelSection title={words.title}>
      {!rows && history.isError ? (
        <PanelTrouble error={history.error} words={words.failed} onRetry={() => void history.refetch()} />
      ) : !rows ? (
        <div aria-busy className="grid gap-3">
          <span className="sr-only">{words.loading}</span>
          <Skeleton className="h-9 w-full" />
          <Skeleton className="h-9 w-full" />
        </div>
      ) : rows.length === 0 && !history.hasNextPage ? (
        <p className="text-sm text-ink-3">{words.none}</p>
      ) : (
        <ul className="-mx-2 grid">
          {rows.map((row) => (
            <li key={row.id}>
              <Earlier conversation={row} />
            </li>
          ))}
        </ul>
      )}
      {history.hasNextPage && (
        <PanelMore isBusy={history.isFetchingNextPage} onMore={() => void history.fetchNextPage()} />
      )}
    </PanelSection>
  )
}

const ofEarlier = {
  title: 'Conversas anteriores',
  failed: 'Não foi possível carregar as conversas anteriores.',
  loading: 'Carregando conversas anteriores',
  none: 'Nenhuma conversa anterior',
}
const ofAll = {
  title: 'Conversas',
  failed: 'Não foi possível carregar as conversas.',
  loading: 'Carregando conversas',
  none: 'Nenhuma conversa ainda',
}

/** Opens like any conversation; a completed one only lacks the composer. */
function Earlier({ conversation }: { conversation: Conversation }) {
  const { nameOf } = useNumbers()
  const { id, instanceId, startedAt, protocol, assignedUser, preAttendanceStage, lastMessage } = conversation
  const isCancelled = preAttendanceStage === 'cancelled'
  return (
    <Link
      href={`/chat?conversation=${id}`}
      title={`Protocolo ${protocol}, início ${dateTime(startedAt)}`}
      className={[
        'grid min-h-11 gap-px rounded-control px-2 py-1',
        'hover:bg-hover focus-visible:-outline-offset-2',
      ].join(' ')}
    >
      <span className="flex min-w-0 items-center gap-1.5 text-sm">
        <span className="flex-none font-medium tabular-nums">{shortDate(startedAt)}</span>
        <span className="min-w-0 truncate text-ink-2" dir="auto">
          {assignedUser?.name ?? (isCancelled ? 'pelo cliente' : 'sem operador')}
        </span>
        <span className="ml-auto flex-none">
          {isCancelled ? (
            <Badge>Cancelada no pré-atendimento</Badge>
          ) : (
            <Outcome conversation={conversation} />
          )}
        </span>
      </span>
      <span className="flex min-w-0 gap-1.5 text-xs text-ink-3">
        <LastMessageLine message={lastMessage} />
        <NumberTag name={nameOf(instanceId)} />
      </span>
    </Link>
  )
}

/** The client's rating of a completed conversation, or else how long it took. */
function Outcome({ conversation }: { conversation: Conversation }) {
  const { status, satisfaction, startedAt, completedAt } = conversation
  if (status !== 'completed') return <Badge tone="green">Aberta</Badge>
  if (satisfaction !== null)
    return (
      <span
        role="img"
        aria-label={`Avaliação ${satisfaction} de 5`}
        title={`Avaliação ${satisfaction} de 5`}
        className="inline-flex items-center gap-0.5 text-xs font-medium text-amber-text tabular-nums"
      >
        {satisfaction}
        <Star aria-hidden size={12} fill="currentColor" />
      </span>
    )
  if (completedAt === null) return null
  const minutes = Math.floor((Date.parse(completedAt) - Date.parse(startedAt)) / 60_000)
  return (
    <span title={`Durou ${elapsed(minutes)}`} className="text-xs text-ink-3 tabular-nums">
      {elapsed(minutes)}
    </span>
  )
}
