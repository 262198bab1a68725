import * as z from 'zod/mini'
import type { Conversation } from './conversations.ts'
import { endpoint } from './endpoint.ts'
import { id, idParam, instant } from './users.ts'

/**
 * How far somebody has read a conversation, on all of his devices. Of two tellings the one with the later `updatedAt`
 * stands: it grows by a millisecond at least with every change, also when 'Marcar como não lida' goes back.
 */
export const conversationRead = z.object({
  conversationId: id,
  /** The newest message by arrival that was read; 0: none. */
  lastMessageId: z.int().check(z.minimum(0)),
  /** How many of the contact's messages came up to it. */
  contactMessageCount: z.int(),
  updatedAt: instant,
})
export type ConversationRead = z.infer<typeof conversationRead>

/** How many of the contact's messages somebody has not read. @param read absent: he never opened it */
export function unreadOf(
  { contactMessageCount }: Pick<Conversation, 'contactMessageCount'>,
  read: Pick<ConversationRead, 'contactMessageCount'> | undefined,
): number {
  return Math.max(0, contactMessageCount - (read?.contactMessageCount ?? 0))
}

const params = z.object({ id: idParam })

export const listReads = endpoint({
  method: 'GET',
  path: '/api/conversations/reads',
  summary: 'Até onde eu li cada conversa aberta; o que falta na lista nunca foi lido',
  reply: z.array(conversationRead),
})

export const markRead = endpoint({
  method: 'PUT',
  path: '/api/conversations/:id/read',
  summary: 'Marcar como lida até uma mensagem; nunca volta atrás',
  params,
  body: z.object({ lastMessageId: id }),
  reply: conversationRead,
})

export const markUnread = endpoint({
  method: 'DELETE',
  path: '/api/conversations/:id/read',
  summary: 'Marcar como não lida: até antes da mensagem mais nova do cliente',
  params,
  reply: conversationRead,
})
