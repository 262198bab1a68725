import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { Star } from 'lucide-react'
import { Link } from 'wouter'
import {
  type ContactRating,
  historyPageSize,
  listContactRatings,
} from '#shared/conversations/contact-history.ts'
import { PanelSection } from '#web/contacts/contacts.tsx'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { PanelMore, PanelTrouble } from '#web/conversations/chat/panel/panel-parts.tsx'
import { call } from '#web/platform/api/api.ts'
import { shortDate } from '#web/platform/live/server-clock.ts'
import { Skeleton } from '#web/ui/states/skeleton.tsx'

/** The ratings that a contact gave, newest first. */
const ratingsQuery = (contactId: number) =>
  infiniteQueryOptions({
    queryKey: [...conversationQueries.all, 'ratings', contactId],
    queryFn: ({ pageParam, signal }) =>
      call(listContactRatings, {
        params: { id: contactId },
        query: pageParam === null ? {} : { before: pageParam },
        signal,
      }),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => (page.length < historyPageSize ? undefined : page.at(-1)?.id),
  })

/** What the contact answered when it was asked how it was served, newest first. */
export function ContactRatings({ contactId }: { contactId: number }) {
  const ratings = useInfiniteQuery(ratingsQuery(contactId))
  const rows = ratings.data?.pages.flat()
  return (
    <PanelSection title="Avaliações">
      {!rows && ratings.isError ? (
        <PanelTrouble
          error={ratings.error}
          words="Não foi possível carregar as avaliações."
          onRetry={() => void ratings.refetch()}
        />
      ) : !rows ? (
        <div aria-busy>
          <span className="sr-only">Carregando avaliações</span>
          <Skeleton className="h-9 w-full" />
        </div>
      ) : rows.length === 0 ? (
        <p className="text-sm text-ink-3">Nenhuma avaliação ainda</p>
      ) : (
        <ul className="-mx-2 grid">
          {rows.map((rating) => (
            <li key={rating.id}>
              <Rating rating={rating} />
            </li>
          ))}
        </ul>
      )}
      {ratings.hasNextPage && (
        <PanelMore isBusy={ratings.isFetchingNextPage} onMore={() => void ratings.fetchNextPage()} />
      )}
    </PanelSection>
  )
}

/** Leads to the conversation that was rated. */
function Rating({ rating }: { rating: ContactRating }) {
  const { conversationId, protocol, operatorName, serviceRating, operatorRating, feedback, createdAt } =
    rating
  return (
    <Link
      href={`/chat?conversation=${conversationId}`}
      title={`Protocolo ${protocol}`}
      className={[
        'grid min-h-11 content-center gap-px rounded-control px-2 py-1 text-sm',
        'hover:bg-hover focus-visible:-outline-offset-2',
      ].join(' ')}
    >
      <span className="flex min-w-0 flex-wrap items-center gap-x-3">
        <span className="flex-none font-medium tabular-nums">{shortDate(createdAt)}</span>
        <Stars label="Atendimento" value={serviceRating} />
        <Stars label={operatorName ?? 'Operador'} value={operatorRating} />
      </span>
      {feedback && (
        <span className="text-ink-2 [overflow-wrap:anywhere]" dir="auto">
          {feedback}
        </span>
      )}
    </Link>
  )
}

function Stars({ label, value }: { label: string; value: number }) {
  return (
    <span className="inline-flex min-w-0 items-center gap-1 text-ink-2">
      <span className="truncate" dir="auto">
        {label}
      </span>
      <span className="inline-flex flex-none items-center gap-0.5 font-medium text-amber-text tabular-nums">
        <span className="sr-only">nota</span>
        {value}
        <Star aria-hidden size={12} fill="currentColor" />
      </span>
    </span>
  )
}
