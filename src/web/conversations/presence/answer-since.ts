import { isCountedMessage } from '#shared/messages/message-kinds.ts'
import type { Message } from '#shared/messages/messages.ts'

/** The name of a colleague who has sent a message newer than `knownId`. */
export function answerSince(
  messages: readonly Pick<Message, 'id' | 'senderType' | 'senderId' | 'senderName' | 'messageType'>[],
  knownId: number | undefined,
  userId: number,
): string | undefined {
  if (knownId === undefined) return undefined
  const answers = messages.filter(
    ({ id, senderType, senderId, messageType }) =>
      id > knownId &&
      senderType === 'user' &&
      senderId !== null &&
      senderId !== userId &&
      isCountedMessage(messageType),
  )
  return answers.at(-1)?.senderName ?? undefined
}
