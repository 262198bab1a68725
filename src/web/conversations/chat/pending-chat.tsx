import { useQuery } from '@tanstack/react-query'
import { MessageCirclePlus } from 'lucide-react'
import { useCallback, useLayoutEffect, useMemo, useRef } from 'react'
import { useLocation } from 'wouter'
import type { ContactCard } from '#shared/contacts/contacts.ts'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { noMessages, unknownContact } from '#shared/text/text.ts'
import type { Me } from '#shared/users/users.ts'
import { ContactPanel, contactQueries } from '#web/contacts/contacts.tsx'
import { ApiError } from '#web/platform/api/api.ts'
import { dayKey } from '#web/platform/live/server-clock.ts'
import { useNumbers } from '#web/numbers/numbers.tsx'
import { Banner } from '#web/ui/states/banner.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { DropZone } from '#web/conversations/attachments/drop-zone.tsx'
import { useAttachments } from '#web/conversations/attachments/use-attachments.ts'
import { moveWritten } from '#web/conversations/drafts/move-written.ts'
import { useDiscardSend, usePendingSends, useSendMessage } from '#web/conversations/sends/send-mutations.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { type Chat, chatKey } from '#web/conversations/sends/sends.ts'
import { pendingContact } from '#web/contacts/contacts.tsx'
import { PendingHeader } from '#web/conversations/chat/header/pending-header.tsx'
import { Composer } from '#web/conversations/chat/composer/composer.tsx'
import { EarlierConversations } from '#web/conversations/chat/panel/earlier-conversations.tsx'
import type { MessageActions } from '#web/conversations/chat/message/message-item.ts'
import { usePanelOpen } from '#web/conversations/chat/panel/panel-open.ts'
import { timeline } from '#web/conversations/chat/timeline/timeline.ts'
import { TimelineScroller } from '#web/conversations/chat/timeline/timeline-scroller.tsx'
import { TimelineSkeleton } from '#web/conversations/chat/timeline/timeline-skeleton.tsx'
import { useNumberParts } from '#web/conversations/numbers/use-number-parts.ts'
import { ChatNotFound } from './chat-not-found.tsx'
import { NumberChoice, useChosenNumber } from './number-choice.tsx'
import { useEscapeToComposer } from './use-escape-to-composer.ts'

/**
 * `/chat?contact=&pendingCreation=true`: a chat without a conversation, until the first message of either
 * side creates it.
 */
export function PendingChat({
  contactId,
  askedNumber,
  me,
}: {
  contactId: number
  /** The number to write by, as in the URL. */
  askedNumber: number | undefined
  me: Me
}) {
  const contact = useQuery(contactQueries.one(contactId))
  const open = useQuery(conversationQueries.open())
  const chosen = useChosenNumber(askedNumber)
  const { isKnown } = useNumbers()
  // Whoever asks for a number does not mean a conversation by another one.
  const meant = askedNumber === undefined || isKnown ? chosen : askedNumber
  const isMeant = ({ instanceId }: Conversation) =>
    askedNumber === undefined || meant === undefined || instanceId === meant
  const begun = open.data?.find((row) => row.contactId === contactId && isMeant(row))
  const card = contact.data ?? pendingContact(contactId)
  if (begun) return <Begun contactId={contactId} conversationId={begun.id} userId={me.id} />
  if (contact.error instanceof ApiError && contact.error.status === 404) return <ChatNotFound />
  if (card) return <Pending contact={card} chosen={chosen} me={me} />
  return (
    <section aria-label="Nova conversa" className="flex min-w-0 flex-1 flex-col bg-thread">
      {contact.isError ? (
        <ErrorState
          description="Não foi possível carregar o contato."
          onRetry={() => void contact.refetch()}
        />
      ) : (
        <TimelineSkeleton />
      )}
    </section>
  )
}

/** Moves the draft to the conversation that now exists, and navigates there. */
function Begun(ids: { contactId: number; conversationId: number; userId: number }) {
  const { contactId, conversationId, userId } = ids
  const [, navigate] = useLocation()
  useLayoutEffect(() => {
    moveWritten(userId, chatKey({ contactId }), conversationId)
    navigate(`/chat?conversation=${conversationId}`, { replace: true })
  }, [contactId, conversationId, userId, navigate])
  return null
}

function Pending({
  contact,
  chosen,
  me,
}: {
  contact: ContactCard
  /** The number that it will go by, where there are several. */
  chosen: number | undefined
  me: Me
}) {
  const name = contact.name || unknownContact
  const parts = useNumberParts()
  const chat = useMemo(
    () => ({ contactId: contact.id, ...(chosen !== undefined && { instanceId: chosen }) }),
    [contact.id, chosen],
  )
  const [isPanelOpen, setPanelOpen] = usePanelOpen()
  const field = useRef<HTMLTextAreaElement>(null)
  const { attachments, add, setAttachments } = useAttachments()
  const onFiles = useCallback((...given: Parameters<typeof add>) => void add(...given), [add])
  useEscapeToComposer(field)
  return (
    <>
      <DropZone
        label={`Nova conversa com ${name}`}
        className="flex min-w-0 flex-1 flex-col bg-thread"
        onFiles={onFiles}
      >
        <PendingHeader
          contact={contact}
          isPanelOpen={isPanelOpen}
          onTogglePanel={() => setPanelOpen(!isPanelOpen)}
        />
        <Banner tone="blue" icon={<MessageCirclePlus aria-hidden size={14} />}>
          A conversa será criada automaticamente quando você enviar a primeira mensagem.
        </Banner>
        {chosen !== undefined && <NumberChoice contactId={contact.id} chosen={chosen} />}
        <Unconfirmed chat={chat} contactName={name} />
        {chosen !== undefined && parts && <parts.NumberNotice instanceId={chosen} />}
        <Composer
          chat={chat}
          contactName={name}
          values={{ contact: contact.name, company: contact.company?.name ?? '', operator: me.name }}
          sectorId={null}
          me={me}
          field={field}
          attachments={attachments}
          onFiles={onFiles}
          onAttachments={setAttachments}
        />
      </DropZone>
      {isPanelOpen && (
        <ContactPanel contact={contact} onClose={() => setPanelOpen(false)}>
          <EarlierConversations contactId={contact.id} />
        </ContactPanel>
      )}
    </>
  )
}

/** Sends that are not confirmed yet; there are no other messages. */
function Unconfirmed({ chat, contactName }: { chat: Chat; contactName: string }) {
  const pending = usePendingSends(chat)
  const items = useMemo(() => timeline([], pending, dayKey), [pending])
  const send = useSendMessage(chat)
  const discard = useDiscardSend()
  const actions = useMemo(
    (): MessageActions => ({
      onJump: () => undefined,
      onRetry: () => undefined,
      onResend: ({ error: _refusal, ...each }) => send(each),
      onDiscard: ({ error: _refusal, ...each }) => discard(each),
    }),
    [send, discard],
  )
  if (items.length === 0) return <EmptyState className="flex-1" title={noMessages} />
  return (
    <TimelineScroller
      items={items}
      contactName={contactName}
      marked={undefined}
      actions={actions}
      newestSend={pending.at(-1)?.clientMessageId}
      older="quiet"
      onReachStart={() => undefined}
    />
  )
}
