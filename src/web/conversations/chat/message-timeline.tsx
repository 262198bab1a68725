import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useRef, useState } from 'react'
import type { Conversation, Message } from '#shared/conversations.ts'
import { noMessages } from '#shared/text.ts'
import { dayKey } from '#web/platform/server-clock.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { PictureViewer } from '../kinds/picture-viewer.tsx'
import { useDiscardSend, usePendingSends, useRetryMessage, useSendMessage } from '../mutations.ts'
import { conversationQueries } from '../queries.ts'
import type { MessageActions } from './message-actions.ts'
import { TimelineScroller, type TimelineHandle } from './timeline-scroller.tsx'
import { TimelineSkeleton } from './timeline-skeleton.tsx'
import { timeline } from './timeline.ts'

/** The messages of a conversation and what is on its way: virtual rows, anchored at the end, older pages above. */
export function MessageTimeline({
  conversation,
  onQuote,
}: {
  conversation: Conversation
  /** Absent when nothing can be answered. */
  onQuote?: ((message: Message) => void) | undefined
}) {
  const messages = useInfiniteQuery(conversationQueries.messages(conversation.id))
  const pending = usePendingSends(conversation.id)
  const confirmed = useMemo(() => messages.data?.pages.toReversed().flat() ?? [], [messages.data])
  const items = useMemo(() => timeline(confirmed, pending, dayKey), [confirmed, pending])
  const handle = useRef<TimelineHandle>(null)
  const [markedId, setMarkedId] = useState<number>()
  const jump = useCallback((messageId: number) => {
    handle.current?.showMessage(messageId)
    setMarkedId(messageId)
    setTimeout(() => setMarkedId(undefined), 1600)
  }, [])
  const actions = useMessageActions(conversation.id, confirmed, jump, onQuote)
  const { fetchNextPage, hasNextPage } = messages
  const loadOlder = useCallback(() => {
    if (hasNextPage) void fetchNextPage({ cancelRefetch: false })
  }, [fetchNextPage, hasNextPage])

  if (messages.isPending) return <TimelineSkeleton />
  if (messages.isError && !messages.data)
    return (
      <ErrorState
        description="Não foi possível carregar as mensagens."
        onRetry={() => void messages.refetch()}
      />
    )
  if (items.length === 0) return <EmptyState title={noMessages} />
  return (
    <PictureViewer messages={confirmed}>
      <TimelineScroller
        ref={handle}
        items={items}
        contactName={conversation.contact.name}
        markedId={markedId}
        actions={actions}
        newestSend={pending.at(-1)?.clientMessageId}
        older={messages.isFetchingNextPage ? 'loading' : messages.isFetchNextPageError ? 'failed' : 'quiet'}
        onReachStart={loadOlder}
      />
    </PictureViewer>
  )
}

/** One object that stays the same while nothing changes, so that rows are not drawn again for nothing. */
function useMessageActions(
  conversationId: number,
  confirmed: readonly Message[],
  onJump: (messageId: number) => void,
  onQuote: MessageActions['onQuote'],
): MessageActions {
  const { mutate: retry } = useRetryMessage(conversationId)
  const send = useSendMessage(conversationId)
  const discard = useDiscardSend()
  const loaded = useMemo(() => new Set(confirmed.map((message) => message.id)), [confirmed])
  return useMemo(
    () => ({
      onQuote,
      onJump,
      canJump: (messageId) => loaded.has(messageId),
      onRetry: (messageId) => retry(messageId),
      onResend: ({ error: _refusal, ...each }) => send(each),
      onDiscard: ({ error: _refusal, ...each }) => discard(each),
    }),
    [onQuote, onJump, loaded, retry, send, discard],
  )
}
