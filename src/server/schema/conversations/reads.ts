import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, text } from 'drizzle-orm/pg-core'
import { appNow, at } from '#server/schema/columns.ts'
import { momentary } from '#server/schema/declare/backup.ts'
import { month } from '#server/schema/declare/ends.ts'
import { gone, ofConversation } from '#server/schema/declare/person.ts'
import { table } from '#server/schema/declare/table.ts'
import { users } from '#server/schema/users.ts'
import { conversations, messages } from './conversations.ts'
import { sinceOver } from './over.ts'

/** How far each person has read, across all of their devices. */
export const conversationReads = table(
  'conversation_reads',
  {
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    conversationId: integer('conversation_id')
      .notNull()
      .references(() => conversations.id, { onDelete: 'cascade' }),
    /**
     * The newest message read, in order of arrival; 0: none. No foreign key, since only the position matters.
     */
    lastMessageId: integer('last_message_id').notNull(),
    /** Number of the contact's messages up to that one. */
    contactMessageCount: integer('contact_message_count').notNull(),
    updatedAt: at('updated_at').notNull().default(appNow),
  },
  {
    backup: { left: 'positions in what is archived are of no use' },
    ends: {
      trimmed: {
        by: 'trim-over',
        after: month,
        // A reading of a conversation that was over long before.
        since: sql`greatest(t.updated_at, ${sinceOver})`,
        where: sql`${sinceOver} is not null`,
      },
    },
    other: 'userId conversationId lastMessageId contactMessageCount updatedAt',
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.conversationId] }),
    index('conversation_reads_conversation').on(t.conversationId),
  ],
)

/** The text that a person has begun to write, across all of their devices. */
export const conversationDrafts = table(
  'conversation_drafts',
  {
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    conversationId: integer('conversation_id')
      .notNull()
      .references(() => conversations.id, { onDelete: 'cascade' }),
    content: text('content').notNull(),
    quotedMessageId: integer('quoted_message_id').references(() => messages.id, { onDelete: 'set null' }),
    updatedAt: at('updated_at').notNull().default(appNow),
  },
  {
    backup: momentary,
    ends: {
      trimmed: {
        by: 'trim-over',
        after: month,
        since: sql`greatest(t.updated_at, ${sinceOver})`,
        where: sql`${sinceOver} is not null`,
      },
    },
    personal: { of: ofConversation('conversation_id'), isDeleted: true, columns: { content: gone } },
    other: 'userId conversationId quotedMessageId updatedAt',
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.conversationId] }),
    index('conversation_drafts_conversation').on(t.conversationId),
    index('conversation_drafts_quoted').on(t.quotedMessageId),
  ],
)
