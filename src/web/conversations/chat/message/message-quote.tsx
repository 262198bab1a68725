import type { Message } from '#shared/messages/messages.ts'
import { MessagePreview } from '#web/conversations/kinds/message-preview.tsx'
import { quotedName } from '#web/conversations/rows/sender-name.ts'
import { useMe } from '#web/users/users.tsx'
import type { MessageActions } from './message-item.ts'

/** The quoted message; a link to the original if that is in this conversation. */
export function MessageQuote({
  quoted,
  conversationId,
  contactName,
  actions,
}: {
  quoted: NonNullable<Message['quoted']>
  /** Of the quoting message. */
  conversationId: number
  contactName: string
  actions: MessageActions
}) {
  const { id: userId } = useMe()
  const { messageId } = quoted
  const look = [
    '-mx-[3px] mb-1.5 block w-[calc(100%+6px)] rounded-[6px] border-l-[3px]',
    'border-accent bg-ink/5 px-[9px] py-[5px] text-left text-sm text-ink-2',
  ].join(' ')
  const name = quotedName(quoted, { userId, contactName })
  const said = (
    <>
      {quoted.isStatus && (
        <span className="block truncate text-xs">
          {quoted.senderType === 'user' ? 'Respondeu ao seu status' : 'Resposta a um status'}
        </span>
      )}
      {name && <span className="block truncate text-xs font-semibold text-accent-text">{name}</span>}
      <span className="line-clamp-3 [overflow-wrap:anywhere]" dir="auto">
        <MessagePreview message={quoted} />
      </span>
    </>
  )
  if (messageId === null || quoted.conversationId !== conversationId)
    return <div className={look}>{said}</div>
  return (
    <button
      type="button"
      className={look}
      title="Ir para a mensagem"
      onClick={() => actions.onJump(messageId)}
    >
      {said}
    </button>
  )
}
