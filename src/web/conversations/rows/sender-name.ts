import type { ArchivedHit } from '#shared/conversations/archive.ts'
import type { Message, Sender } from '#shared/messages/messages.ts'

type Quoted = NonNullable<Message['quoted']>

const origins = { phone: 'Celular', automatic: 'Automática', assistant: 'IA', api: 'API' }

/** Who wrote a message, in a word: 'Você', 'Carla', 'Automática'; '' for the client. */
function senderWord(message: Sender, userId: number): string {
  const { senderType, senderId, senderName = '', origin = 'automatic' } = message
  if (senderType === 'contact') return ''
  if (senderId === userId) return 'Você'
  const [firstName] = senderName.trim().split(/\s+/)
  return firstName || origins[origin]
}

/** Before the preview of a message: 'Você: ', 'Carla: ', 'Automática: '; '' for the client. */
export function senderPrefix(message: Sender, userId: number): string {
  const word = senderWord(message, userId)
  return word && `${word}: `
}

/**
 * Who wrote a quoted message: the client by name, 'Equipe' where nobody knows which of us, and '' where
 * nobody knows at all.
 */
export function quotedName(
  { senderType, ...quoted }: Pick<Quoted, 'messageId' | 'senderType' | 'senderId' | 'senderName' | 'origin'>,
  { userId, contactName }: { userId: number; contactName: string },
): string {
  if (senderType === null) return ''
  if (quoted.messageId === null && senderType === 'user' && !quoted.origin) return 'Equipe'
  return senderWord({ ...quoted, senderType }, userId) || contactName
}

/** Who wrote a message in which something was found. */
export function writerOf(
  { isContact, senderName }: Pick<ArchivedHit, 'isContact' | 'senderName'>,
  contactName: string,
): string {
  return isContact ? contactName : (senderName ?? 'Automática')
}
