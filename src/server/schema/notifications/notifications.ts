import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { notificationKinds } from '#shared/notifications/kinds.ts'
import { appNow, at, oneOf, rowId } from '#server/schema/columns.ts'
import { withConversation } from '#server/schema/declare/ends.ts'
import { table } from '#server/schema/declare/table.ts'
import { sectors } from '#server/schema/sectors/sectors.ts'
import { users } from '#server/schema/users.ts'
import { conversations, messages } from '#server/schema/conversations/conversations.ts'

/** What people are told of: a row for each of them. What it says is read from the message it is about. */
export const notifications = table(
  'notifications',
  {
    id: rowId(),
    /** Who is told. */
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    kind: text('kind', { enum: notificationKinds }).notNull(),
    conversationId: integer('conversation_id')
      .notNull()
      .references(() => conversations.id, { onDelete: 'cascade' }),
    /** The newest message, note or line of the timeline that it is about. */
    messageId: integer('message_id').references(() => messages.id, { onDelete: 'cascade' }),
    /** Who did it; null: the client, or the product itself. */
    actorId: integer('actor_id').references(() => users.id),
    /** The sector as one of whose people they were mentioned; null: by name. */
    sectorId: integer('sector_id').references(() => sectors.id),
    /** How many things have happened since it was read last. */
    count: integer('count').notNull().default(1),
    /** When the newest of them happened. */
    happenedAt: at('happened_at').notNull().default(appNow),
    readAt: at('read_at'),
  },
  {
    backup: { left: 'what people were told of is of no use in another place' },
    ends: {
      trimmed: {
        by: 'trim-notifications',
        after: '90 days',
        // What is never read goes after twice as long.
        since: sql`least(t.read_at, t.happened_at + interval '90 days')`,
      },
    },
    other: 'id userId kind conversationId messageId actorId sectorId count happenedAt readAt',
  },
  (t) => [
    // A person is told once of a note that mentions them,
    uniqueIndex('notifications_mention')
      .on(t.userId, t.messageId)
      .where(sql`${t.kind} = 'mention'`),
    // and has one unread row of each conversation that they follow.
    uniqueIndex('notifications_follow')
      .on(t.userId, t.conversationId)
      .where(sql`${t.kind} = 'follow' and ${t.readAt} is null`),
    // Of a message that did not go out a person is told once, however often it is tried again.
    uniqueIndex('notifications_failed_reply')
      .on(t.userId, t.messageId)
      .where(sql`${t.kind} = 'failed_reply'`),
    index('notifications_of_person').on(t.userId, t.happenedAt, t.id),
    index('notifications_unread')
      .on(t.userId, t.conversationId)
      .where(sql`${t.readAt} is null`),
    index('notifications_conversation').on(t.conversationId),
    index('notifications_message').on(t.messageId),
    check('notifications_kind', oneOf(t.kind, notificationKinds)),
    check('notifications_mention_of_note', sql`${t.kind} <> 'mention' or ${t.messageId} is not null`),
  ],
)

/** Who is told of what happens in a conversation. */
export const conversationFollowers = table(
  'conversation_followers',
  {
    conversationId: integer('conversation_id')
      .notNull()
      .references(() => conversations.id, { onDelete: 'cascade' }),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    since: at('since').notNull().default(appNow),
  },
  {
    backup: { left: 'of the work of this place' },
    ends: withConversation,
    other: 'conversationId userId since',
  },
  (t) => [
    primaryKey({ columns: [t.conversationId, t.userId] }),
    index('conversation_followers_user').on(t.userId),
  ],
)
