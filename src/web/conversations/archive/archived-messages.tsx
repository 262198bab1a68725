import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ChevronDown, ChevronUp } from 'lucide-react'
import { useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import { useSearchParams } from 'wouter'
import { type ArchivedDetail, archivedMessagesPerPage } from '#shared/conversations/archive.ts'
import type { Message } from '#shared/messages/messages.ts'
import { unknownContact } from '#shared/text/text.ts'
import { EventLine } from '#web/conversations/chat/message/event-line.tsx'
import { MessageBubble } from '#web/conversations/chat/message/message-bubble.tsx'
import type { MessageActions, MessageItem } from '#web/conversations/chat/message/message-item.ts'
import { MessageTime } from '#web/conversations/chat/message/message-meta.tsx'
import { NoteRow } from '#web/conversations/chat/message/note-row.tsx'
import { useCompletedNotes } from '#web/conversations/chat/notes/use-completed-notes.tsx'
import { markIn, rangesOfWords } from '#web/conversations/chat/search/marks.ts'
import { DayPill } from '#web/conversations/chat/timeline/day-pill.tsx'
import { timeline } from '#web/conversations/chat/timeline/timeline.ts'
import { isLine } from '#web/conversations/kinds/kinds.ts'
import { useMediaQuery } from '#web/platform/browser/media-query.ts'
import { useTypedSearch, writeParam } from '#web/platform/browser/use-page-filter.ts'
import { dateTime, dayKey } from '#web/platform/live/server-clock.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { Pager } from '#web/ui/layout/pager.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { placeIn } from './addresses.ts'
import { archiveKeys } from './live.ts'
import { archiveQueries } from './queries.ts'

const number = new Intl.NumberFormat('pt-BR')
const none: number[] = []

/** The messages of a completed conversation in pages, and a search in them. */
export function ArchivedMessages({ conversation }: { conversation: ArchivedDetail }) {
  const { id, contact, messageCount } = conversation
  const place = usePlace()
  const { data, error, isFetching, refetch } = useQuery(
    archiveQueries.messages(
      id,
      place.messageId === undefined ? { page: place.page } : { messageId: place.messageId },
    ),
  )
  const found = useQuery({ ...archiveQueries.hits(id, place.search), enabled: place.search !== '' })
  const ids = (place.search !== '' && found.data?.ids) || none
  const words = found.data?.words
  const log = useRef<HTMLDivElement>(null)
  const shown = place.messageId
  useEffect(() => {
    if (shown !== undefined)
      log.current?.querySelector(`[data-message="${shown}"]`)?.scrollIntoView({ block: 'center' })
  }, [shown, data])
  useLayoutEffect(() => {
    if (!log.current || !words || ids.length === 0) return undefined
    return markIn(log.current, (row) => rangesOfWords(row, words), new Set(ids), shown)
    // What is found may come before the messages.
  }, [words, ids, shown, data])
  const total = data?.total ?? 0
  const onChanged = useRefetchedMessages(id)
  const notes = useCompletedNotes(conversation, {
    onChanged,
    onSaved: () => {
      onChanged()
      // Where it is; one that begins a page is told of by the pager.
      place.goTo(Math.max(1, Math.ceil(total / archivedMessagesPerPage)))
    },
  })
  const isWide = useMediaQuery('(min-width: 48rem)')
  const searchBar = <Search place={place} ids={ids} isSearching={found.isFetching} />
  const totalPages = Math.max(1, Math.ceil(total / archivedMessagesPerPage))
  return (
    <Card
      title="Histórico de Mensagens"
      // What was written, as on the card: the pages also have automatic texts, and lines of what happened.
      note={messageCount === 1 ? '1 mensagem' : `${number.format(messageCount)} mensagens`}
      className="flex min-w-0 flex-col overflow-hidden"
      actions={isWide && searchBar}
    >
      {!isWide && <div className="border-b border-line px-3 py-1.5">{searchBar}</div>}
      {!data && error ? (
        <ErrorState description={error.message} isRetrying={isFetching} onRetry={() => void refetch()} />
      ) : !data ? (
        <div role="status" aria-busy aria-label="Carregando mensagens" className="grid gap-3 p-4">
          {Array.from({ length: 6 }, (_, at) => (
            <Skeleton key={at} className={`h-10 w-72 max-w-full ${at % 2 ? 'ml-auto' : ''}`} />
          ))}
        </div>
      ) : data.messages.length === 0 ? (
        <EmptyState title="Nenhuma mensagem encontrada" />
      ) : (
        <div
          ref={log}
          role="log"
          aria-label="Mensagens"
          aria-busy={isFetching}
          className="bg-thread px-4 py-3"
        >
          <MessageTime value={dateTime}>
            {timeline(data.messages, [], dayKey).map((item) => {
              if (item.kind === 'day')
                return (
                  <div key={item.key} className="grid place-items-center pt-2 pb-1">
                    <DayPill at={item.at} />
                  </div>
                )
              if (item.kind !== 'message') return null
              if (item.message.messageType === 'note')
                return (
                  <div key={item.key} data-message={item.message.id}>
                    <NoteRow item={item} isMarked={item.message.id === shown} actions={notes.actions} />
                  </div>
                )
              return (
                <ReadOnlyMessage
                  key={item.key}
                  item={item}
                  contactName={contact.name || unknownContact}
                  isMarked={item.message.id === shown}
                  onJump={place.show}
                />
              )
            })}
          </MessageTime>
        </div>
      )}
      {data && notes.below}
      {data && totalPages > 1 && (
        <div className="border-t border-line px-4 py-2">
          <Pager isWorded page={data.page} totalPages={totalPages} onPage={place.goTo} />
        </div>
      )}
    </Card>
  )
}

/** Has the shown page fetched again, and the others when they are shown. */
function useRefetchedMessages(id: number): () => void {
  const client = useQueryClient()
  return useCallback(
    () => void client.invalidateQueries({ queryKey: [...archiveKeys.messages, id] }),
    [client, id],
  )
}

/** A row of the timeline, with nothing that could be done to it. */
function ReadOnlyMessage({
  item,
  contactName,
  isMarked,
  onJump,
}: {
  item: MessageItem
  contactName: string
  isMarked: boolean
  onJump: (messageId: number) => void
}) {
  const { message } = item
  if (isLine(message.messageType))
    return (
      <div data-message={message.id}>
        <EventLine message={message} type={message.messageType} />
      </div>
    )
  const isOwn = message.senderType === 'user'
  return (
    <div
      data-message={message.id}
      className={`flex ${item.startsGroup ? 'pt-2.5' : 'pt-0.5'} ${isOwn ? 'justify-end' : ''} ${
        message.reactions.length > 0 ? 'pb-3.5' : ''
      }`}
    >
      <div
        className={`grid max-w-[86%] min-w-0 rounded-bubble md:max-w-[min(74%,540px)] ${
          isOwn ? 'justify-items-end' : 'justify-items-start'
        } ${isMarked ? 'ring-2 ring-focus' : ''}`}
      >
        <MessageBubble item={item} contactName={contactName} actions={{ ...noActions, onJump }} />
        <Failure message={message} />
      </div>
    </div>
  )
}

const noActions: MessageActions = {
  onJump: () => undefined,
  onRetry: () => undefined,
  onResend: () => undefined,
  onDiscard: () => undefined,
}

function Failure({ message: { deliveryStatus, failureReason, deletedAt } }: { message: Message }) {
  if (deliveryStatus !== 'failed' || deletedAt !== null) return null
  return <p className="mx-1 mt-1 text-xs text-red-text">{failureReason ?? 'Não enviada'}</p>
}

/** What of the conversation is shown, kept in the URL: a page, or the one with a message; and the search. */
function usePlace() {
  const [params, setParams] = useSearchParams()
  const write = (values: Record<string, string>) =>
    setParams(
      (old) => {
        for (const [name, value] of Object.entries(values)) writeParam(old, name, value)
        return old
      },
      { replace: true },
    )
  return {
    ...placeIn(params),
    goTo: (next: number) => write({ pagina: String(next), mensagem: '' }),
    show: (id: number) => write({ pagina: '', mensagem: String(id) }),
    find: (next: string) => write({ busca: next }),
  }
}

/** The search in the messages: which of the found ones is shown, and the way to the others. */
function Search({
  place,
  ids,
  isSearching,
}: {
  place: ReturnType<typeof usePlace>
  /** Of the found messages, oldest first. */
  ids: readonly number[]
  isSearching: boolean
}) {
  const [typed, setTyped] = useTypedSearch(place.search, place.find)
  const at = place.messageId === undefined ? -1 : ids.indexOf(place.messageId)
  const go = (to: number) => {
    const id = ids[to]
    if (id !== undefined) place.show(id)
  }
  const status =
    place.search === '' ? '' : ids.length > 0 ? `${at + 1} de ${ids.length}` : isSearching ? '' : 'nada'
  return (
    <div role="search" className="flex min-w-0 items-center gap-1">
      <SearchField
        value={typed}
        onChange={setTyped}
        placeholder="Buscar nas mensagens..."
        className="max-md:w-full md:w-56"
        onKeyDown={(event) => {
          if (event.key === 'Enter') go(event.shiftKey ? at - 1 : Math.min(at + 1, ids.length - 1))
        }}
      />
      <span role="status" className="min-w-12 text-center text-xs text-ink-3 tabular-nums">
        {status}
      </span>
      <IconButton label="Achado anterior" icon={ChevronUp} disabled={at <= 0} onClick={() => go(at - 1)} />
      <IconButton
        label="Próximo achado"
        icon={ChevronDown}
        disabled={at >= ids.length - 1}
        onClick={() => go(at + 1)}
      />
    </div>
  )
}
