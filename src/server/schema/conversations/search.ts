import { sql } from 'drizzle-orm'
import { bigint, index, integer, primaryKey, smallint } from 'drizzle-orm/pg-core'
import { appNow, at, tsvector } from '#server/schema/columns.ts'
import { computed } from '#server/schema/declare/backup.ts'
import { drained, ofMessages } from '#server/schema/declare/ends.ts'
import { gone, ofConversation } from '#server/schema/declare/person.ts'
import { table } from '#server/schema/declare/table.ts'
import { contacts } from '#server/schema/contacts/contacts.ts'
import { users } from '#server/schema/users.ts'
import { conversations } from './conversations.ts'

/**
 * The words of the completed conversations. A long conversation has several parts: each has the places of its
 * own words, and the words of the whole conversation without places.
 */
export const conversationSearch = table(
  'conversation_search',
  {
    conversationId: integer('conversation_id')
      .notNull()
      .references(() => conversations.id, { onDelete: 'cascade' }),
    part: smallint('part').notNull(),
    /** As in the conversation, so that hits are sorted and counted without it. */
    completedAt: at('completed_at').notNull(),
    assignedUserId: integer('assigned_user_id').references(() => users.id),
    contactId: integer('contact_id')
      .notNull()
      .references(() => contacts.id),
    /** The messages whose words have places here; null for a conversation in one part. */
    firstMessageId: integer('first_message_id'),
    lastMessageId: integer('last_message_id'),
    words: tsvector('words').notNull(),
  },
  {
    backup: computed,
    ends: ofMessages,
    // Written anew from what is left.
    personal: { of: ofConversation('conversation_id'), isDeleted: true, columns: { words: gone } },
    other: 'conversationId part completedAt assignedUserId contactId firstMessageId lastMessageId',
  },
  (t) => [
    primaryKey({ columns: [t.conversationId, t.part] }),
    // Written by a worker only. A list of what is not indexed yet would be read by every search.
    index('conversation_search_words').using('gin', t.words).with({ fastupdate: false }),
    index('conversation_search_completed').on(t.completedAt, t.conversationId),
    index('conversation_search_contact').on(t.contactId),
  ],
)

/**
 * The words of the open conversations. They change with each message, so they are not among the others, whose
 * index is large. Each part has its own words only, and a message changes the last one. Without foreign keys,
 * which would lock a conversation that somebody is answering.
 */
export const openSearch = table(
  'open_search',
  {
    conversationId: integer('conversation_id').notNull(),
    part: smallint('part').notNull(),
    /** As in the conversation. */
    contactId: integer('contact_id').notNull(),
    /** Of the newest message of the part. */
    lastMessageAt: at('last_message_at').notNull(),
    firstMessageId: integer('first_message_id'),
    lastMessageId: integer('last_message_id'),
    words: tsvector('words').notNull(),
  },
  {
    backup: computed,
    ends: { bounded: 'by the open conversations' },
    personal: { of: ofConversation('conversation_id'), isDeleted: true, columns: { words: gone } },
    other: 'conversationId part contactId lastMessageAt firstMessageId lastMessageId',
  },
  (t) => [
    primaryKey({ columns: [t.conversationId, t.part] }),
    index('open_search_words').using('gin', t.words).with({ fastupdate: false }),
    // Of several parts, in which words are looked for one by one.
    index('open_search_parts')
      .using('gin', t.words)
      .with({ fastupdate: false })
      .where(sql`${t.firstMessageId} is not null`),
    index('open_search_contact').on(t.contactId),
  ],
)

/**
 * Conversations whose words have changed, written by the triggers of the migration in the transaction of the
 * change. Without a unique index, so that no transaction waits for another here.
 */
export const searchDue = table(
  'search_due',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    conversationId: integer('conversation_id').notNull(),
    /** The message that has come or changed; null: anything else. */
    messageId: integer('message_id'),
    dueAt: at('due_at').notNull().default(appNow),
  },
  {
    backup: computed,
    ends: drained,
    waits: { past: ['dueAt'] },
    other: 'id conversationId messageId dueAt',
  },
)
