import * as z from 'zod/mini'
import { ownState } from '#shared/audit/unaudited.ts'
import type { Conversation } from './conversations.ts'
import { endpoint } from '#shared/endpoint.ts'
import { id, idParam, instant } from '#shared/users/users.ts'

/**
 * How far a person has read a conversation, on all devices. The version with the later `updatedAt` wins: it
 * grows by at least a millisecond with every change, even if 'Marcar como não lida' moves the position back.
 */
export const conversationRead = z.object({
  conversationId: id,
  /** The newest message by arrival that was read; 0 for none. */
  lastMessageId: z.int().check(z.minimum(0)),
  /** The number of the contact's messages up to it. */
  contactMessageCount: z.int(),
  updatedAt: instant,
})
export type ConversationRead = z.infer<typeof conversationRead>

/**
 * How many of the contact's messages a person has not read.
 * @param read undefined if the conversation was never opened
 */
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
  act: 'viewConversations',
  audit: ownState,
  reply: z.array(conversationRead),
})

export const markRead = endpoint({
  method: 'PUT',
  path: '/api/conversations/:id/read',
  summary: 'Marcar como lida até uma mensagem; nunca volta atrás',
  act: 'viewConversations',
  audit: ownState,
  ids: { id: 'conversation' },
  params,
  body: z.object({ lastMessageId: id }),
  reply: conversationRead,
})

export const markUnread = endpoint({
  method: 'DELETE',
  path: '/api/conversations/:id/read',
  summary: 'Marcar como não lida: até antes da mensagem mais nova do cliente',
  act: 'viewConversations',
  audit: ownState,
  ids: { id: 'conversation' },
  params,
  reply: conversationRead,
})
