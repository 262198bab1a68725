import { useState } from 'react'
import { isCountedMessage } from '#shared/messages/message-kinds.ts'
import type { Message } from '#shared/messages/messages.ts'
import { MessagePreview } from '#web/conversations/kinds/message-preview.tsx'

const mostKept = 5

/**
 * Reads out what the contact writes while the chat is open, each message once. Not visible: the rows of the
 * timeline also come and go by scrolling, so that they cannot be announced themselves.
 * @param messages the loaded ones, oldest first
 */
export function NewMessages({
  messages,
  contactName,
}: {
  messages: readonly Message[]
  contactName: string
}) {
  const [known] = useState(() => messages.reduce((newest, { id }) => Math.max(newest, id), 0))
  const news = messages.filter(
    ({ id, senderType, messageType }) =>
      id > known && senderType === 'contact' && isCountedMessage(messageType),
  )
  return (
    <div aria-live="polite" aria-relevant="additions" className="sr-only">
      {news.slice(-mostKept).map((message) => (
        <p key={message.id}>
          {contactName}: <MessagePreview message={message} />
        </p>
      ))}
    </div>
  )
}
