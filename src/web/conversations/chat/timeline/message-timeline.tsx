import { type InfiniteData, useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Message } from '#shared/messages/messages.ts'
import { noMessages } from '#shared/text/text.ts'
import { dayKey, serverNow } from '#web/platform/live/server-clock.ts'
import { useMe } from '#web/users/users.tsx'
import { onDemand } from '#web/ui/on-demand.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { PictureViewer } from '#web/conversations/kinds/picture-viewer.tsx'
import {
  useDiscardSend,
  usePendingReactions,
  usePendingSends,
  useReact,
  useRetryMessage,
  useSendMessage,
} from '#web/conversations/sends/send-mutations.ts'
import { usePendingEdits } from '#web/conversations/mutations/message-mutations.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { useIsMarkingUnread, useReads } from '#web/conversations/mutations/reads.ts'
import type { MessageActions } from '#web/conversations/chat/message/message-item.ts'
import { NewMessages } from './new-messages.tsx'
import type { OpenSearch } from '#web/conversations/chat/search/use-chat-search.ts'
import { withQueueEntry } from './queue-entry.ts'
import { type Marked, TimelineScroller } from './timeline-scroller.tsx'
import { TimelineSkeleton } from './timeline-skeleton.tsx'
import { type ReadingStop, readingStop, withReadingStop } from './unread-divider.tsx'
import { useAskedMessage } from './use-asked-message.ts'
import { useReadingOf } from './use-reading.ts'
import { timeline, withEdits, withReactions } from './timeline.ts'

const ChatSearch = onDemand(
  async () => (await import('#web/conversations/chat/search/chat-search.tsx')).ChatSearch,
)

/** What the chat does with a message. */
type AskedActions = Pick<
  MessageActions,
  | 'onQuote'
  | 'onEdit'
  | 'onDelete'
  | 'onEditNote'
  | 'onDeleteNote'
  | 'onUndo'
  | 'onForward'
  | 'onDetails'
  | 'onKeep'
>

/**
 * The messages of a conversation and its pending sends: virtual rows anchored at the end, older pages above.
 */
export function MessageTimeline({
  conversation,
  search,
  ...asked
}: {
  conversation: Conversation
  search?: OpenSearch | undefined
} & AskedActions) {
  const messages = useInfiniteQuery(conversationQueries.messages(conversation.id))
  const inHere = usePendingSends({ conversationId: conversation.id })
  // Sent before the conversation existed, and not confirmed yet.
  const before = usePendingSends({ contactId: conversation.contactId })
  const pending = useMemo(() => [...before, ...inHere], [before, inHere])
  const isOwnVisit = useOwnVisit()
  const confirmed = useMemo(
    () =>
      messages.data?.pages
        .toReversed()
        .flat()
        .filter((message) => !isOwnVisit(message)) ?? [],
    [messages.data, isOwnVisit],
  )
  const reacting = usePendingReactions(conversation.id)
  const editing = usePendingEdits(conversation.id)
  const { initiatedBy, startedAt } = conversation
  const newestSend = pending.at(-1)?.clientMessageId
  const { stop, isKnown: isStopKnown } = useReadingStop(conversation, messages.data !== undefined, newestSend)
  const items = useMemo(
    () =>
      withReadingStop(
        withQueueEntry(timeline(withEdits(withReactions(confirmed, reacting), editing), pending, dayKey), {
          initiatedBy,
          startedAt,
        }),
        stop,
      ),
    [confirmed, reacting, editing, pending, stop, initiatedBy, startedAt],
  )
  const [isAtEnd, setIsAtEnd] = useState(false)
  useReadingOf(conversation, confirmed, isAtEnd)
  const { jump, marked } = useJump(messages)
  useAskedMessage(messages.data !== undefined && isStopKnown, jump)
  const actions = useMessageActions(conversation.id, jump, asked)
  const { fetchNextPage, hasNextPage } = messages
  const loadOlder = useCallback(() => {
    if (hasNextPage) void fetchNextPage({ cancelRefetch: false })
  }, [fetchNextPage, hasNextPage])

  if (messages.isPending || !isStopKnown) return <TimelineSkeleton />
  if (messages.isError && !messages.data)
    return (
      <ErrorState
        description="Não foi possível carregar as mensagens."
        onRetry={() => void messages.refetch()}
      />
    )
  return (
    <PictureViewer messages={confirmed}>
      {/* In an empty chat too: the first message is announced only if it comes after this. */}
      <NewMessages messages={confirmed} contactName={conversation.contact.name} />
      {search && <ChatSearch {...search} conversation={conversation} onJump={jump} />}
      {items.length === 0 ? (
        <EmptyState title={noMessages} />
      ) : (
        <TimelineScroller
          items={items}
          contactName={conversation.contact.name}
          marked={marked}
          actions={actions}
          newestSend={newestSend}
          older={messages.isFetchingNextPage ? 'loading' : messages.isFetchNextPageError ? 'failed' : 'quiet'}
          onReachStart={loadOlder}
          onEnd={setIsAtEnd}
        />
      )}
    </PictureViewer>
  )
}

/**
 * How far the person had read when the chat was opened; unchanged until it is left. No more of interest once
 * the person has written.
 */
function useReadingStop(conversation: Conversation, isLoaded: boolean, newestSend: string | undefined) {
  const { reads, isAwaited } = useReads()
  const isMarkingUnread = useIsMarkingUnread(conversation.id)
  const [stop, setStop] = useState<ReadingStop>()
  const [known, setKnown] = useState(newestSend)
  const [hasWritten, setHasWritten] = useState(false)
  if (!stop && isLoaded && reads && !isMarkingUnread)
    setStop(readingStop(conversation, reads.get(conversation.id)))
  if (known !== newestSend) {
    setKnown(newestSend)
    if (newestSend !== undefined) setHasWritten(true)
  }
  return { stop: hasWritten ? undefined : stop, isKnown: !isAwaited }
}

/** By how much the clocks may differ. */
const visitSlackMs = 5000

/**
 * Tells the line that says that this person has just opened the chat: it would move the messages while they
 * are looked at. It is shown the next time.
 */
function useOwnVisit(): (message: Message) => boolean {
  const { id: userId } = useMe()
  const [openedMs] = useState(serverNow)
  return useCallback(
    ({ messageType, senderId, sortAt }) =>
      messageType === 'view_tracking' && senderId === userId && Date.parse(sortAt) > openedMs - visitSlackMs,
    [userId, openedMs],
  )
}

const markedMs = 1600

/** Scrolls to a message and highlights it for a moment; pages are loaded until it is found. */
function useJump(messages: UseInfiniteQueryResult<InfiniteData<Message[], unknown>>) {
  const [marked, setMarked] = useState<Marked>()
  const latest = useRef(messages)
  const isGone = useRef(false)
  const asked = useRef<number>(undefined)
  useEffect(() => {
    latest.current = messages
  })
  useEffect(() => {
    isGone.current = false
    return () => void (isGone.current = true)
  }, [])
  const jump = useCallback(async (messageId: number) => {
    asked.current = messageId
    // Another jump takes its place.
    const isOver = () => isGone.current || asked.current !== messageId
    let reached = latest.current
    const isMissing = () => !reached.data?.pages.some((page) => page.some(({ id }) => id === messageId))
    while (!isOver() && isMissing() && reached.hasNextPage && !reached.isFetchNextPageError)
      reached = await reached.fetchNextPage({ cancelRefetch: false })
    if (isOver() || isMissing()) return
    setMarked({ messageId })
  }, [])
  useEffect(() => {
    if (!marked) return
    const timer = setTimeout(() => setMarked(undefined), markedMs)
    return () => clearTimeout(timer)
  }, [marked])
  return { jump: useCallback((messageId: number) => void jump(messageId), [jump]), marked }
}

/** A stable object, so that rows are not rendered again for nothing. */
function useMessageActions(
  conversationId: number,
  onJump: (messageId: number) => void,
  { onQuote, onEdit, onDelete, onEditNote, onDeleteNote, onUndo, onForward, onDetails, onKeep }: AskedActions,
): MessageActions {
  const { mutate: retry } = useRetryMessage(conversationId)
  const { mutate: react } = useReact(conversationId)
  const send = useSendMessage({ conversationId })
  const discard = useDiscardSend()
  return useMemo(
    () => ({
      onQuote,
      onEdit,
      onDelete,
      onEditNote,
      onDeleteNote,
      onUndo,
      onForward,
      onDetails,
      onKeep,
      onReact: onQuote && ((messageId, emoji) => react({ messageId, emoji })),
      onJump,
      onRetry: (messageId) => retry(messageId),
      onResend: ({ error: _refusal, ...each }) => send(each),
      onDiscard: ({ error: _refusal, ...each }) => discard(each),
    }),
    [
      onQuote,
      onEdit,
      onDelete,
      onEditNote,
      onDeleteNote,
      onUndo,
      onForward,
      onDetails,
      onKeep,
      onJump,
      react,
      retry,
      send,
      discard,
    ],
  )
}
