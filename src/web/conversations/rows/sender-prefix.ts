import type { Conversation } from '#shared/conversations/conversations.ts'

type LastMessage = NonNullable<Conversation['lastMessage']>
type Sender = Pick<LastMessage, 'senderType' | 'senderId' | 'senderName' | 'origin'>

const origins = { phone: 'Celular', automatic: 'Automática', assistant: 'Assistente', api: 'API' }

/** Who wrote a message, before its preview: 'Você: ', 'Carla: ', 'Automática: '; '' for the client. */
export function senderPrefix(message: Sender, userId: number): string {
  const { senderType, senderId, senderName = '', origin = 'automatic' } = message
  if (senderType === 'contact') return ''
  if (senderId === userId) return 'Você: '
  const [firstName] = senderName.trim().split(/\s+/)
  return `${firstName || origins[origin]}: `
}
