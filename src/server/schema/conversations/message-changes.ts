import { type SQL, sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, primaryKey, text, unique } from 'drizzle-orm/pg-core'
import { messageTypes } from '#shared/messages/message-kinds.ts'
import { senderTypes } from '#shared/messages/messages.ts'
import { appNow, at, oneOf, rowId } from '#server/schema/columns.ts'
import { momentary } from '#server/schema/declare/backup.ts'
import { month, ofMessages, since, withConversation } from '#server/schema/declare/ends.ts'
import {
  blank,
  gone,
  messagesOf,
  naming,
  ofContact,
  ofMessage,
  type Person,
} from '#server/schema/declare/person.ts'
import { isMapped, mapped, withItsMessage } from '#server/schema/declare/restored.ts'
import { table } from '#server/schema/declare/table.ts'
import { contacts } from '#server/schema/contacts/contacts.ts'
import { evolutionApiConfig } from '#server/schema/gateway.ts'
import { conversations, messages } from './conversations.ts'
import { ofCompletedMessage } from './over.ts'

/** Each side has one reaction to a message, and one vote. */
const sameSender = sql`t.message_id = ${mapped('messages', sql`s.message_id`)} and t.sender = s.sender`

/** Earlier contents of edited messages. */
export const messageVersions = table(
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
  {
    backup: {
      part: 'complete',
      where: ofCompletedMessage,
      label: 'Textos anteriores',
      restored: {
        ...withItsMessage,
        match: sql`t.message_id = ${mapped('messages', sql`s.message_id`)}
          and t.replaced_at = s.replaced_at and t.content = s.content`,
      },
    },
    ends: ofMessages,
    personal: { of: ofMessage('message_id'), isDeleted: true, columns: { content: gone } },
    other: 'id messageId saidAt isTimeExact replacedAt',
  },
  (t) => [index('message_versions_message').on(t.messageId)],
)

export const messageReactions = table(
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
  {
    backup: {
      part: 'complete',
      where: ofCompletedMessage,
      label: 'Reações',
      restored: { ...withItsMessage, match: sameSender },
    },
    ends: withConversation,
    personal: { of: ofMessage('message_id'), isDeleted: true, columns: { emoji: gone } },
    other: 'id messageId sender reactedAt',
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
export const messageVotes = table(
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
  {
    backup: {
      part: 'complete',
      where: ofCompletedMessage,
      label: 'Votos em enquetes',
      restored: { ...withItsMessage, match: sameSender },
    },
    ends: withConversation,
    personal: { of: ofMessage('message_id'), isDeleted: true, columns: { options: gone } },
    other: 'id messageId sender votedAt',
  },
  (t) => [
    unique('message_votes_one').on(t.messageId, t.sender),
    check('message_votes_sender', oneOf(t.sender, senderTypes)),
  ],
)

export const pendingUpdateKinds = ['delivery', 'edit', 'delete', 'reaction', 'vote', 'pin'] as const

/** Changes that wait for a message of the person, or name them. */
const ofPending = (person: Person): SQL =>
  sql`(whatsapp_message_id in (${messagesOf(person, 'whatsapp_message_id')})
       or ${naming(sql`data::text`, person)})`

/** Updates that arrived before their message, stored until it arrives. */
export const pendingUpdates = table(
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
  {
    backup: momentary,
    ends: { trimmed: { by: 'trim-forgotten', after: month, since: since('created_at') } },
    personal: { of: ofPending, isDeleted: true, columns: { data: gone } },
    other: 'id instanceId whatsappMessageId kind createdAt',
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
export const undoneSends = table(
  'undone_sends',
  {
    conversationId: integer('conversation_id')
      .notNull()
      .references(() => conversations.id, { onDelete: 'cascade' }),
    clientMessageId: text('client_message_id').notNull(),
    undoneAt: at('undone_at').notNull().default(appNow),
  },
  {
    backup: momentary,
    ends: { trimmed: { by: 'trim-forgotten', after: month, since: since('undone_at') } },
    other: 'conversationId clientMessageId undoneAt',
  },
  (t) => [primaryKey({ columns: [t.conversationId, t.clientMessageId] })],
)

/**
 * Messages that were deleted here with their conversation. The gateway may report them again, by an echo, a
 * sweep of its record or a new sync, and they must not reappear.
 */
export const forgottenMessages = table(
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
  {
    backup: {
      part: 'complete',
      where: sql`t.whatsapp_message_id is not null`,
      label: 'Mensagens excluídas com a conversa',
      restored: {
        match: sql`t.instance_id = ${mapped('evolution_api_config', sql`s.instance_id`)}
          and t.whatsapp_message_id = s.whatsapp_message_id`,
        isAdded: sql`${isMapped('contacts', sql`s.contact_id`)}
          and not exists (select from public.messages m
                           where m.instance_id = ${mapped('evolution_api_config', sql`s.instance_id`)}
                             and m.whatsapp_message_id = s.whatsapp_message_id)`,
      },
    },
    ends: {
      // A phone that is connected anew brings messages of years.
      kept: 'nothing: the gateway may report a deleted message at any time',
      trimmed: {
        by: 'trim-forgotten',
        after: '1 hour',
        since: since('forgotten_at'),
        where: sql`t.whatsapp_message_id is null`,
      },
    },
    personal: { of: ofContact('contact_id'), columns: { content: blank, fileName: gone } },
    other: 'id instanceId whatsappMessageId messageId contactId messageType forgottenAt',
  },
  (t) => [
    unique('forgotten_messages_whatsapp_id').on(t.instanceId, t.whatsappMessageId),
    index('forgotten_messages_in_flight')
      .on(t.contactId)
      .where(sql`${t.whatsappMessageId} is null`),
  ],
)
