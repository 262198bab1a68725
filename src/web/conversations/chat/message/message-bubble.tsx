import { Ban, ListOrdered, Megaphone, TriangleAlert, type LucideIcon } from 'lucide-react'
import type { Message } from '#shared/messages/messages.ts'
import { MessageBody } from '#web/conversations/bodies/message-body.tsx'
import { lookOf } from '#web/conversations/kinds/kinds.ts'
import { Author } from './message-author.tsx'
import { MessageMeta } from './message-meta.tsx'
import { MessageQuote } from './message-quote.tsx'
import type { MessageActions, MessageItem } from './message-item.ts'
import { Line, Provenance } from './provenance.tsx'

interface Look {
  box: string
  /** Text colour of the time and the title. */
  meta: string
  tag?: { Icon: LucideIcon; text: string }
}

const bubbleBase = 'relative max-w-full min-w-0 rounded-bubble border text-base'

const looks = {
  /** A sticker stands on its own. */
  bare: { box: 'border-transparent', meta: 'text-ink-3' },
  contact: { box: 'bg-surface border-line', meta: 'text-ink-3' },
  own: { box: 'bg-own border-own-line', meta: 'text-ink-2' },
  failed: { box: 'bg-red-soft border-red-line', meta: 'text-red-text' },
  queue: {
    box: 'bg-orange-soft border-orange-line text-xs',
    meta: 'text-orange-text',
    tag: { Icon: ListOrdered, text: 'Fila' },
  },
  warning: {
    box: 'bg-yellow-soft border-yellow-line text-sm',
    meta: 'text-yellow-text',
    tag: { Icon: TriangleAlert, text: 'Aviso automático' },
  },
  initiated: {
    box: 'bg-blue-soft border-blue-line text-sm',
    meta: 'text-blue-text',
    tag: { Icon: Megaphone, text: 'Contato iniciado pelo operador' },
  },
} satisfies Record<string, Look>

function bubbleLook({ messageType, senderType, deliveryStatus, deletedAt, quoted }: Message): Look {
  if (deliveryStatus === 'failed' && deletedAt === null) return looks.failed
  const { row } = lookOf(messageType)
  if (messageType === 'sticker' && quoted === null && deletedAt === null) return looks.bare
  if (row === 'queue' || row === 'warning' || row === 'initiated') return looks[row]
  return senderType === 'contact' ? looks.contact : looks.own
}

/** The bubble with author, quote, text, time and delivery mark. @see mock rules 13 to 15 */
export function MessageBubble({
  item,
  contactName,
  actions,
}: {
  item: MessageItem
  contactName: string
  actions: MessageActions
}) {
  const { message } = item
  const look = bubbleLook(message)
  const corner = message.senderType === 'user' ? 'rounded-br-[4px]' : 'rounded-bl-[4px]'
  const isPicture = lookOf(message.messageType).row === 'picture'
  const padding = isPicture ? 'px-[3px] pt-[3px] pb-[5px]' : 'px-2.5 pt-[7px] pb-1.5'
  return (
    <>
      {item.startsGroup && <Author message={message} />}
      <div
        className={`${bubbleBase} ${padding} ${look.box} ${look === looks.bare ? '' : 'shadow-bubble'} ${
          item.endsGroup ? corner : ''
        }`}
      >
        {look.tag && (
          <div
            data-unsearched
            className={`mb-[3px] flex items-center gap-[5px] text-xs font-semibold ${look.meta}`}
          >
            <look.tag.Icon aria-hidden size={12} />
            {look.tag.text}
          </div>
        )}
        <div data-unsearched className={isPicture ? 'px-[7px] pt-1 empty:hidden' : undefined}>
          <Above message={message} contactName={contactName} actions={actions} />
        </div>
        <MessageBody message={message} meta={<MessageMeta message={message} ink={look.meta} />} />
        <Reactions reactions={message.reactions} />
      </div>
    </>
  )
}

/** The lines above the text: origin, quote, deletion. */
function Above({
  message,
  contactName,
  actions,
}: {
  message: Message
  contactName: string
  actions: MessageActions
}) {
  const { quoted, conversationId, deletedAt, senderType } = message
  return (
    <>
      <Provenance message={message} />
      {quoted && (
        <MessageQuote
          quoted={quoted}
          conversationId={conversationId}
          contactName={contactName}
          actions={actions}
        />
      )}
      {deletedAt && <Line icon={Ban}>{senderType === 'contact' ? 'apagada pelo cliente' : 'apagada'}</Line>}
    </>
  )
}

function Reactions({ reactions }: { reactions: Message['reactions'] }) {
  if (reactions.length === 0) return null
  const emojis = [...new Set(reactions.map((reaction) => reaction.emoji))]
  return (
    <span
      role="img"
      aria-label={`Reações: ${emojis.join(' ')}`}
      className={[
        'absolute -bottom-[13px] left-2.5 flex h-5 items-center gap-1',
        'rounded-full border border-line bg-surface px-1.5 text-xs text-ink-2',
      ].join(' ')}
    >
      {emojis.join(' ')}
      {reactions.length > 1 && <span className="tabular-nums">{reactions.length}</span>}
    </span>
  )
}
