import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core'
import { messageTypes } from '#shared/messages/message-kinds.ts'
import { senderTypes } from '#shared/messages/messages.ts'
import { appNow, at, oneOf, rowId } from '#server/schema/columns.ts'
import { contacts } from '#server/schema/contacts/contacts.ts'
import { evolutionApiConfig } from '#server/schema/gateway.ts'
import { conversations, messages } from './conversations.ts'

/** Earlier contents of edited messages. */
export const messageVersions = pgTable(
  'message_versions',
  {
    id: rowId(),
    messageId: integer('message_id')
      .notNull()
      .references(() => messages.id, { onDelete: 'cascade' }),
    content: text('content').notNull(),
    /** When this content was written by an edit; null for the original. */
    saidAt: at('said_at'),
    /** False: it was written at `said_at` or before. */
    isTimeExact: boolean('is_time_exact').notNull().default(true),
    replacedAt: at('replaced_at').notNull().default(appNow),
  },
  (t) => [index('message_versions_message').on(t.messageId)],
)

export const messageReactions = pgTable(
  'message_reactions',
  {
    id: rowId(),
    messageId: integer('message_id')
      .notNull()
      .references(() => messages.id, { onDelete: 'cascade' }),
    sender: text('sender', { enum: senderTypes }).notNull(),
    emoji: text('emoji').notNull(),
    reactedAt: at('reacted_at').notNull().default(appNow),
  },
  (t) => [
    unique('message_reactions_one').on(t.messageId, t.sender),
    check('message_reactions_sender', oneOf(t.sender, senderTypes)),
  ],
)

/**
 * The current choice of each side in a poll. An empty choice is stored too, so that an older vote that
 * arrives late has no effect.
 */
export const messageVotes = pgTable(
  'message_votes',
  {
    id: rowId(),
    messageId: integer('message_id')
      .notNull()
      .references(() => messages.id, { onDelete: 'cascade' }),
    sender: text('sender', { enum: senderTypes }).notNull(),
    options: text('options').array().notNull(),
    votedAt: at('voted_at').notNull().default(appNow),
  },
  (t) => [
    unique('message_votes_one').on(t.messageId, t.sender),
    check('message_votes_sender', oneOf(t.sender, senderTypes)),
  ],
)

export const pendingUpdateKinds = ['delivery', 'edit', 'delete', 'reaction', 'vote', 'pin'] as const

/** Updates that arrived before their message, stored until it arrives. */
export const pendingUpdates = pgTable(
  'pending_updates',
  {
    id: rowId(),
    instanceId: integer('instance_id')
      .notNull()
      .references(() => evolutionApiConfig.id),
    whatsappMessageId: text('whatsapp_message_id').notNull(),
    kind: text('kind', { enum: pendingUpdateKinds }).notNull(),
    data: jsonb('data').$type<Record<string, unknown>>().notNull(),
    createdAt: at('created_at').notNull().default(appNow),
  },
  (t) => [
    index('pending_updates_message').on(t.instanceId, t.whatsappMessageId),
    check('pending_updates_kind', oneOf(t.kind, pendingUpdateKinds)),
  ],
)

/**
 * The sends that were undone. The browser may repeat one of which it has got no answer, and it must not be
 * sent after all.
 */
export const undoneSends = pgTable(
  'undone_sends',
  {
    conversationId: integer('conversation_id')
      .notNull()
      .references(() => conversations.id, { onDelete: 'cascade' }),
    clientMessageId: text('client_message_id').notNull(),
    undoneAt: at('undone_at').notNull().default(appNow),
  },
  (t) => [primaryKey({ columns: [t.conversationId, t.clientMessageId] })],
)

/**
 * Messages that were deleted here with their conversation. The gateway may report them again, by an echo, a
 * sweep of its record or a new sync, and they must not reappear.
 */
export const forgottenMessages = pgTable(
  'forgotten_messages',
  {
    id: rowId(),
    instanceId: integer('instance_id')
      .notNull()
      .references(() => evolutionApiConfig.id),
    /** null: the message was being sent and has no id yet. Until then it is recognized by its content. */
    whatsappMessageId: text('whatsapp_message_id'),
    /** The former `messages.id`. */
    messageId: integer('message_id').notNull(),
    contactId: integer('contact_id')
      .notNull()
      .references(() => contacts.id),
    messageType: text('message_type', { enum: messageTypes }).notNull(),
    content: text('content').notNull(),
    fileName: text('file_name'),
    forgottenAt: at('forgotten_at').notNull().default(appNow),
  },
  (t) => [
    unique('forgotten_messages_whatsapp_id').on(t.instanceId, t.whatsappMessageId),
    index('forgotten_messages_in_flight')
      .on(t.contactId)
      .where(sql`${t.whatsappMessageId} is null`),
  ],
)
