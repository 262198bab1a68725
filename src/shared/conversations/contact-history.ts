import * as z from 'zod/mini'
import { conversation } from './conversations.ts'
import { endpoint } from '#shared/endpoint.ts'
import { message } from '#shared/messages/messages.ts'
import { idParam } from '#shared/users/users.ts'

// The contact panel beside a chat: earlier conversations, and the files of this one.

export const historyPageSize = 10

export const listContactConversations = endpoint({
  method: 'GET',
  path: '/api/contacts/:id/conversations',
  summary: 'As conversas de um contato, da mais nova à mais antiga, até onde a pessoa as vê',
  params: z.object({ id: idParam }),
  query: z.object({
    /** Id of a conversation: return conversations that began before it. */
    before: z.optional(idParam),
  }),
  reply: z.array(conversation),
})

export const mediaPageSize = 24
/** 'visual': images and videos; 'file': documents and audio. */
export const mediaKinds = ['visual', 'file'] as const
export type MediaKind = (typeof mediaKinds)[number]

export const listConversationMedia = endpoint({
  method: 'GET',
  path: '/api/conversations/:id/media',
  summary: 'As mensagens de uma conversa que têm arquivo, da mais nova à mais antiga',
  params: z.object({ id: idParam }),
  rows: ['GET /api/conversations/{open}/media', 'GET /api/conversations/{completed}/media'],
  query: z.object({
    kind: z.optional(z.enum(mediaKinds)),
    /** Id of a message: return messages before it. */
    before: z.optional(idParam),
  }),
  reply: z.array(message),
})
