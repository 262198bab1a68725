import * as z from 'zod/mini'
import { messageContent } from '#shared/contacts/client-phone.ts'
import { listing, reading } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'
import { automaticEnds } from '#shared/text/conversations/reason-texts.ts'
import { message } from '#shared/messages/messages.ts'
import { dayParam, id, idParam, instant, pageParam } from '#shared/users/users.ts'
import { conversation } from './conversations.ts'

/** @see specification §9 */
export const archivePageSizes = [10, 20, 30, 50, 100] as const
export const archivedMessagesPerPage = 20

/** A search counts so many hits; of more it says that there are more. */
export const mostFound = 1000

export const archiveOrders = ['recent', 'oldest'] as const
export type ArchiveOrder = (typeof archiveOrders)[number]

/** The fields of a filter, by their names in a URL. */
export const archiveFilterFields = {
  /** The name of a category; 'all' for any. */
  category: z.optional(z.string().check(z.maxLength(100))),
  operatorId: z.optional(idParam),
  /** Only of one number. */
  instanceId: z.optional(idParam),
  /** Only of one sector. */
  sectorId: z.optional(idParam),
  companyId: z.optional(idParam),
  tag: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
  /** A tag of the conversation; `tag` is one of the contact. */
  tagId: z.optional(idParam),
  /** Days of completion, both inclusive. */
  from: z.optional(dayParam),
  to: z.optional(dayParam),
  /**
   * Why it ended: the id of a reason, which of the first level has those within it; what has ended it by
   * itself; 'none' for neither.
   */
  reason: z.optional(z.string().check(z.regex(/^([1-9]\d{0,8}|none|inactivity|blocked|anonymized)$/))),
  /** The client's rating, '1' to '5'; 'none' for a conversation without one. */
  satisfaction: z.optional(z.enum(['1', '2', '3', '4', '5', 'none'])),
  /** Only conversations in which files were exchanged. */
  files: z.optional(z.literal('with')),
  /** Only conversations with notes of the team. */
  notes: z.optional(z.literal('with')),
  /** Without what was only imported, or written on the connected phone. */
  history: z.optional(z.literal('without')),
}
const archiveFilter = z.object(archiveFilterFields)
export type ArchiveFilter = z.infer<typeof archiveFilter>

/** A message in which something was found. */
export const archivedHit = z.object({
  messageId: id,
  sentAt: instant,
  isContact: z.boolean(),
  /** Of a person of the team; null for the contact, and for what no person wrote. */
  senderName: z.nullable(z.string()),
  /** A note of the team. */
  isNote: z.optional(z.literal(true)),
  /** Found in the name of a file. */
  isFile: z.boolean(),
  /** The text around what was found. */
  text: messageContent,
  /** What was found in it, in UTF-16 units. */
  marks: z.array(z.tuple([z.int(), z.int()])),
})
export type ArchivedHit = z.infer<typeof archivedHit>

const foundRow = z.extend(conversation, {
  /** Some of the messages in which something was found; empty without a search. */
  hits: z.array(archivedHit),
  /** How many there are. */
  hitCount: z.int(),
})
export type FoundRow = z.infer<typeof foundRow>

export const archivedRow = z.extend(foundRow, {
  /** What has ended it, where no person did. */
  automaticEnd: z.nullable(z.enum(automaticEnds)),
})
export type ArchivedRow = z.infer<typeof archivedRow>

export const archivedPage = z.object({
  conversations: z.array(archivedRow),
  pagination: z.object({
    currentPage: z.int(),
    itemsPerPage: z.int(),
    /** Of a search at most `mostFound`. */
    totalItems: z.int(),
    totalPages: z.int(),
    hasNextPage: z.boolean(),
  }),
  /** Whether a search finds more than `mostFound`. */
  hasMore: z.boolean(),
  /** Names that were looked for instead of what was typed, since that was found nowhere. */
  corrected: z.array(z.string()),
  /** Only conversations that were assigned to the caller are shown. */
  isOwnOnly: z.boolean(),
  /** What was completed later is on no page with this as `asOf`, so that pages do not shift. */
  asOf: instant,
})
export type ArchivedPage = z.infer<typeof archivedPage>

export const listArchived = endpoint({
  method: 'GET',
  path: '/api/conversations/archived',
  summary: 'O arquivo, da conversa finalizada por último à primeira; `search` procura também nas mensagens',
  rows: {
    'GET /api/conversations/archived (own)': { act: 'viewConversations', audit: listing },
    'GET /api/conversations/archived (all)': { act: 'viewWholeArchive', audit: listing },
  },
  query: z.object({
    page: z.optional(pageParam),
    limit: z.optional(z.pipe(pageParam, z.number().check(z.maximum(100)))),
    search: z.optional(z.string().check(z.maxLength(10_000))),
    order: z.optional(z.enum(archiveOrders)),
    asOf: z.optional(instant),
    ...archiveFilterFields,
  }),
  reply: archivedPage,
})

export const conversationsFound = z.object({
  /** Open ones, the one with the newest message first, then completed ones, the last completed first. */
  conversations: z.array(foundRow),
  /** Of the completed ones, at most `mostFound`: `listArchived` has them all. */
  completedCount: z.int(),
  /** Whether there are more than `mostFound`. */
  hasMore: z.boolean(),
  /** Of the completed ones only those that were assigned to the caller are found. */
  isOwnOnly: z.boolean(),
})
export type ConversationsFound = z.infer<typeof conversationsFound>

export const searchConversations = endpoint({
  method: 'GET',
  path: '/api/conversations/search',
  summary: 'As conversas abertas e finalizadas em que foi dito o que se procura, com as mensagens mais novas',
  rows: {
    'GET /api/conversations/search (own)': { act: 'viewConversations', audit: listing },
    'GET /api/conversations/search (all)': { act: 'viewWholeArchive', audit: listing },
  },
  query: z.object({
    search: z.string().check(z.maxLength(10_000)),
    /** Of the open ones, and of the completed ones. */
    limit: z.optional(z.pipe(pageParam, z.number().check(z.maximum(20)))),
  }),
  reply: conversationsFound,
})

const archivedParams = z.object({ id: idParam })
/** What happened to a conversation, and when. */
export const archivedStep = z.object({
  at: instant,
  kind: z.enum([
    'started',
    'taken',
    'assigned',
    'distributed',
    'transferred',
    'moved',
    'returned',
    'replied',
    'ended',
    'rated',
  ]),
  /** Who did it, or to whom it was given; null for the contact and for the product itself. */
  name: z.nullable(z.string()),
  /** Who received it. */
  to: z.nullable(z.string()),
})
export type ArchivedStep = z.infer<typeof archivedStep>

export const archivedDetail = z.extend(conversation, {
  /** The tags of the contact. */
  tags: z.array(z.string()),
  steps: z.array(archivedStep),
  /** How it ended; null for one of which nothing is known. */
  endedBy: z.nullable(z.enum(['person', 'inactivity', 'blocked', 'anonymized', 'history'])),
  rating: z.nullable(
    z.object({
      serviceRating: z.int(),
      operatorRating: z.int(),
      feedback: z.nullable(z.string()),
      createdAt: instant,
    }),
  ),
})
export type ArchivedDetail = z.infer<typeof archivedDetail>

export const getArchived = endpoint({
  method: 'GET',
  path: '/api/conversations/archived/:id',
  summary: 'Uma conversa do arquivo',
  rows: {
    'GET /api/conversations/archived/{own}': { act: 'viewConversations', audit: reading },
    'GET /api/conversations/archived/{other}': { act: 'viewWholeArchive', audit: 'conversation.read' },
  },
  ids: { id: 'conversation' },
  params: archivedParams,
  reply: archivedDetail,
})

export const listArchivedMessages = endpoint({
  method: 'GET',
  path: '/api/conversations/archived/:id/messages',
  summary: 'As mensagens de uma conversa do arquivo, da mais antiga à mais nova, em páginas',
  rows: {
    'GET /api/conversations/archived/{own}/messages': { act: 'viewConversations', audit: reading },
    'GET /api/conversations/archived/{other}/messages': {
      act: 'viewWholeArchive',
      audit: 'conversation.read',
    },
  },
  ids: { id: 'conversation' },
  params: archivedParams,
  query: z.object({
    page: z.optional(pageParam),
    limit: z.optional(z.pipe(pageParam, z.number().check(z.maximum(100)))),
    /** The page that has this message, instead of `page`. */
    messageId: z.optional(idParam),
  }),
  reply: z.object({ messages: z.array(message), total: z.int(), page: z.int() }),
})

export const searchArchived = endpoint({
  method: 'GET',
  path: '/api/conversations/archived/:id/search',
  summary: 'As mensagens de uma conversa do arquivo em que há o que se procura, da mais antiga à mais nova',
  rows: {
    'GET /api/conversations/archived/{own}/search': { act: 'viewConversations', audit: reading },
    'GET /api/conversations/archived/{other}/search': { act: 'viewWholeArchive', audit: 'conversation.read' },
  },
  ids: { id: 'conversation' },
  params: archivedParams,
  query: z.object({ search: z.string().check(z.trim(), z.minLength(1), z.maxLength(1000)) }),
  reply: z.object({
    /** Of the messages. */
    ids: z.array(id),
    /** What was found in them: words that stand side by side, without case and accents. */
    words: z.array(z.array(z.string())),
  }),
})

export const conversationFormats = ['html', 'text'] as const
export type ConversationFormat = (typeof conversationFormats)[number]

export const exportArchived = endpoint({
  method: 'GET',
  path: '/api/conversations/archived/:id/export',
  summary: 'Uma conversa do arquivo como página completa em si (html) ou como texto',
  rows: {
    'GET /api/conversations/archived/{own}/export': {
      act: 'viewConversations',
      audit: 'conversation.export',
    },
    'GET /api/conversations/archived/{other}/export': {
      act: 'viewWholeArchive',
      audit: 'conversation.export',
    },
  },
  ids: { id: 'conversation' },
  params: archivedParams,
  query: z.object({
    format: z.enum(conversationFormats),
    /** Also the notes of the team. */
    notes: z.optional(z.literal('with')),
  }),
  sendsFile: true,
})
