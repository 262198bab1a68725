import { CircleAlert } from 'lucide-react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { noMessages } from '#shared/text/text.ts'
import { lineText, MessagePreview } from '#web/conversations/kinds/message-preview.tsx'
import { kindLabel } from '#web/conversations/kinds/kinds.ts'
import { useMe } from '#web/users/users.tsx'
import { senderPrefix } from './sender-name.ts'

const look = 'min-w-0 flex-1 truncate text-left'

/** The last message of a conversation on one line. */
export function LastMessageLine({ message }: { message: Conversation['lastMessage'] }) {
  const { id: userId } = useMe()
  if (!message) return <span className={look}>{noMessages}</span>
  return (
    <span
      className={look}
      dir="auto"
      title={message.deletedAt ? undefined : lineText(message.content) || kindLabel(message.messageType)}
    >
      {message.deliveryStatus === 'failed' && !message.deletedAt && (
        <CircleAlert
          role="img"
          aria-label="Não enviada:"
          size={14}
          className="mr-1 inline-block align-[-2px] text-red-text"
        />
      )}
      {senderPrefix(message, userId)}
      <MessagePreview message={message} />
    </span>
  )
}
