import { Reply } from 'lucide-react'
import { createElement, memo, type MouseEvent, useId, useState } from 'react'
import { useGatewayNews } from '#web/gateway/gateway.tsx'
import { useNumberParts } from '#web/conversations/numbers/use-number-parts.ts'
import { partInPlace } from '#web/platform/loading/in-place.tsx'
import { clockTime } from '#web/platform/live/server-clock.ts'
import { useMe } from '#web/users/users.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { RichText } from '#web/ui/rich-text/rich-text.tsx'
import type { Message } from '#shared/messages/messages.ts'
import { hindranceIn, waitText } from '#shared/text/text.ts'
import { authorName } from './message-author.tsx'
import { MessageBubble } from './message-bubble.tsx'
import type { MessageActions, MessageItem } from './message-item.ts'
import { MessageMenu } from './message-menu.tsx'
import { EventLine } from './event-line.tsx'
import { UndeliveredLine } from '#web/conversations/chat/message/outcome/undelivered-line.tsx'
import { UndoLine } from '#web/conversations/chat/message/outcome/undo-line.tsx'
import { UploadLine } from '#web/conversations/chat/message/outcome/upload-line.tsx'
import { useAwaitsNetwork } from '#web/conversations/chat/message/outcome/use-awaits-network.ts'
import { isLine, isSpecial } from '#web/conversations/kinds/kinds.ts'
import type { PendingSend } from '#web/conversations/sends/sends.ts'

/** Visible on hover, on focus and while the menu is open, and always on a touch screen. */
const actionsLook = [
  'flex flex-none self-center opacity-0 group-focus-within:opacity-100 group-hover:opacity-100',
  'has-data-[state=open]:opacity-100 pointer-coarse:opacity-100',
].join(' ')

/** One row of the timeline: a bubble with its outcome, or an event line. */
export const MessageRow = memo(function MessageRow({
  item,
  contactName,
  isMarked,
  actions,
}: {
  item: MessageItem
  contactName: string
  /** Highlighted after a jump to it. */
  isMarked: boolean
  actions: MessageActions
}) {
  const [isMenuOpen, setMenuOpen] = useState(false)
  const { message, pending } = item
  const { messageType } = message
  const contentId = useId()
  if (isLine(messageType)) return <EventLine message={message} type={messageType} />
  if (messageType === 'note') return <Note item={item} isMarked={isMarked} actions={actions} />
  const isOwn = message.senderType === 'user'
  const hasMenu = message.id > 0 && !isSpecial(message.messageType)
  return (
    <article
      // @see roving-focus.ts
      tabIndex={-1}
      aria-describedby={contentId}
      aria-label={`${authorName(message, contactName)}, ${clockTime(message.sortAt)}`}
      className={`group flex items-end gap-1 outline-none ${item.startsGroup ? 'pt-2.5' : 'pt-0.5'} ${
        isOwn ? 'flex-row-reverse' : ''
      } ${message.reactions.length > 0 ? 'pb-3.5' : ''}`}
    >
      <div
        id={contentId}
        className={`grid max-w-[86%] min-w-0 rounded-bubble outline-focus md:max-w-[min(74%,540px)] ${
          isOwn ? 'justify-items-end' : 'justify-items-start'
        } ${isMarked ? 'ring-2 ring-focus' : ''} group-focus-visible:outline-2`}
        onContextMenu={(event) => {
          if (!hasMenu || isOfBrowser(event)) return
          event.preventDefault()
          setMenuOpen(true)
        }}
      >
        <MessageBubble item={item} contactName={contactName} actions={actions} />
        <Outcome message={message} pending={pending} actions={actions} />
      </div>
      {hasMenu && (
        <span className={`${actionsLook} ${isOwn ? 'flex-row-reverse' : ''}`}>
          {actions.onQuote && (
            <IconButton
              label="Responder"
              icon={Reply}
              size="sm"
              className="pointer-coarse:hidden"
              onClick={() => actions.onQuote?.(message)}
            />
          )}
          <MessageMenu message={message} actions={actions} isOpen={isMenuOpen} onOpenChange={setMenuOpen} />
        </span>
      )}
    </article>
  )
})

const useNoteRow = partInPlace(async () => (await import('./note-row.tsx')).NoteRow)

/** A note of the team, whose code is loaded where there is one: until then its text has the place of it. */
function Note(props: { item: MessageItem; isMarked: boolean; actions: MessageActions }) {
  const row = useNoteRow()
  if (row) return createElement(row, props)
  return (
    <article tabIndex={-1} aria-busy aria-label="Nota interna" className="pt-2.5 pb-1">
      <div className="rounded-control border border-l-[3px] border-yellow-line bg-yellow-soft py-1.75">
        <div dir="auto" className="mt-[22px] pr-4 pl-3 text-base max-md:mt-[38px] [overflow-wrap:anywhere]">
          <RichText text={props.item.message.content} />
        </div>
      </div>
    </article>
  )
}

/** Whether a right click is meant for the browser's own menu: on a link, a selection, or by a long press. */
function isOfBrowser({ target, nativeEvent }: MouseEvent): boolean {
  const isTouch = nativeEvent instanceof PointerEvent && nativeEvent.pointerType === 'touch'
  const isSelected = window.getSelection()?.isCollapsed === false
  return isTouch || isSelected || (target instanceof Element && target.closest('a, input, video') !== null)
}

/** Below a bubble that the server has and has not sent yet: it waits for WhatsApp, or can be undone. */
function WaitingLine({ message, actions: { onUndo } }: { message: Message; actions: MessageActions }) {
  const isMine = useMe().id === message.senderId
  const news = useGatewayNews()
  const parts = useNumberParts()
  return (
    <>
      {message.failureReason !== null || news?.gatewayConnected === false ? (
        <p className="mx-1 mt-1 text-xs text-ink-2">
          {message.failureReason ?? waitText(hindranceIn(news?.away[0]?.state))}
        </p>
      ) : (
        parts && <parts.AwayLine conversationId={message.conversationId} />
      )}
      {onUndo && isMine && <UndoLine message={message} onUndo={onUndo} />}
    </>
  )
}

/** Shown below a bubble that the server has not confirmed for a while. */
function AwaitingNetwork({ send }: { send: PendingSend }) {
  if (!useAwaitsNetwork(send)) return null
  return <p className="mx-1 mt-1 text-xs text-ink-2">aguardando conexão</p>
}

/** What is shown below a bubble that failed, is being uploaded, waits, or is unconfirmed. */
function Outcome({
  message,
  pending,
  actions,
}: {
  message: Message
  pending: PendingSend | null
  actions: MessageActions
}) {
  if (message.deletedAt !== null) return null
  if (message.deliveryStatus === 'unknown')
    return <p className="mx-1 mt-1 text-xs text-ink-2">verificando envio</p>
  if (!pending && message.deliveryStatus === 'sent') return <UndeliveredLine message={message} />
  if (!pending && message.deliveryStatus === 'pending')
    return <WaitingLine message={message} actions={actions} />
  if (pending?.file && message.deliveryStatus !== 'failed')
    return <UploadLine send={pending} onDiscard={() => actions.onDiscard(pending)} />
  if (pending && message.deliveryStatus === 'pending') return <AwaitingNetwork send={pending} />
  if (message.deliveryStatus !== 'failed') return null
  const link = 'font-semibold underline underline-offset-2'
  const onRetry = () => (pending ? actions.onResend(pending) : actions.onRetry(message.id))
  return (
    <p className="mx-1 mt-1 flex flex-wrap items-center justify-end gap-x-1.5 text-xs text-red-text">
      <span>{message.failureReason ?? 'Não enviada'}</span>
      <button type="button" className={link} onClick={onRetry}>
        Tentar novamente
      </button>
      {pending && (
        <button type="button" className={link} onClick={() => actions.onDiscard(pending)}>
          Descartar
        </button>
      )}
    </p>
  )
}
