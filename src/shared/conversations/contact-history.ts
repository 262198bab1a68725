import * as z from 'zod/mini'
import { listing, reading } from '#shared/audit/unaudited.ts'
import { conversation } from './conversations.ts'
import { endpoint } from '#shared/endpoint.ts'
import { message } from '#shared/messages/messages.ts'
import { id, idParam, instant } from '#shared/users/users.ts'

// The contact panel beside a chat, and the page of a contact: conversations, files and ratings.

export const historyPageSize = 10

export const listContactConversations = endpoint({
  method: 'GET',
  path: '/api/contacts/:id/conversations',
  summary: 'As conversas de um contato, da mais nova à mais antiga, até onde a pessoa as vê',
  act: 'viewConversations',
  audit: listing,
  ids: { id: 'contact' },
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

const mediaQuery = z.object({
  kind: z.optional(z.enum(mediaKinds)),
  /** Id of a message: return messages before it. */
  before: z.optional(idParam),
})

export const listConversationMedia = endpoint({
  method: 'GET',
  path: '/api/conversations/:id/media',
  summary: 'As mensagens de uma conversa que têm arquivo, da mais nova à mais antiga',
  rows: {
    'GET /api/conversations/{open}/media': { act: 'openFiles', audit: reading },
    'GET /api/conversations/{completed}/media': {
      needs: ['canDownloadMedia', 'canViewConversations', 'canViewArchivedConversations'],
      audit: 'conversation.read',
    },
  },
  ids: { id: 'conversation' },
  params: z.object({ id: idParam }),
  query: mediaQuery,
  reply: z.array(message),
})

export const listContactMedia = endpoint({
  method: 'GET',
  path: '/api/contacts/:id/media',
  summary: 'As mensagens de um contato que têm arquivo, nas conversas que a pessoa vê',
  act: 'openFiles',
  audit: 'conversation.read',
  ids: { id: 'contact' },
  params: z.object({ id: idParam }),
  query: mediaQuery,
  reply: z.array(message),
})

const rating = z.object({
  id,
  conversationId: id,
  protocol: z.string(),
  /** Who was rated; null when nobody attended. */
  operatorName: z.nullable(z.string()),
  /** 1 to 5, as `operatorRating`. */
  serviceRating: z.int(),
  operatorRating: z.int(),
  feedback: z.nullable(z.string()),
  createdAt: instant,
})
export type ContactRating = z.infer<typeof rating>

export const listContactRatings = endpoint({
  method: 'GET',
  path: '/api/contacts/:id/ratings',
  summary: 'As avaliações de um contato, da mais nova à mais antiga, nas conversas que a pessoa vê',
  act: 'viewConversations',
  audit: listing,
  ids: { id: 'contact' },
  params: z.object({ id: idParam }),
  query: z.object({
    /** Id of a rating: return those before it. */
    before: z.optional(idParam),
  }),
  reply: z.array(rating),
})
