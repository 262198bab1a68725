import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { scheduledReasons, scheduledStates } from '#shared/scheduled/states.ts'
import { appNow, at, oneOf, rowId } from '#server/schema/columns.ts'
import { momentary } from '#server/schema/declare/backup.ts'
import { month, since } from '#server/schema/declare/ends.ts'
import { blank, gone, ofConversation } from '#server/schema/declare/person.ts'
import { table } from '#server/schema/declare/table.ts'
import { seconds } from '#server/schema/declare/waits.ts'
import { evolutionApiConfig } from '#server/schema/gateway.ts'
import { users } from '#server/schema/users.ts'
import { conversations, messages } from './conversations.ts'
import { sinceOver } from './over.ts'

export const outboxStates = ['pending', 'sending', 'unknown', 'sent', 'failed', 'cancelled'] as const
export const outboxPriorities = { person: 0, automatic: 10 } as const

/**
 * Messages to send, each exactly once. Within a conversation the ids follow the order of the commits, since
 * an insert takes the conversation's lock.
 */
export const outbox = table(
  'outbox',
  {
    id: rowId(),
    instanceId: integer('instance_id')
      .notNull()
      .references(() => evolutionApiConfig.id),
    conversationId: integer('conversation_id')
      .notNull()
      .references(() => conversations.id, { onDelete: 'cascade' }),
    messageId: integer('message_id')
      .notNull()
      .unique()
      .references(() => messages.id, { onDelete: 'cascade' }),
    priority: integer('priority').notNull().default(outboxPriorities.person),
    state: text('state', { enum: outboxStates }).notNull().default('pending'),
    /** Set by now(), as is the lease: they pace work and are not times of the product's clock. */
    notBefore: at('not_before')
      .notNull()
      .default(sql`now()`),
    leaseUntil: at('lease_until'),
    /**
     * A word of its own for each claim: whoever made it may end it, even when the commit was not answered, or
     * the lease was over meanwhile.
     */
    claim: text('claim'),
    tries: integer('tries').notNull().default(0),
    firstAttemptAt: at('first_attempt_at'),
    /** Since when the result of the send is unknown. */
    unknownSince: at('unknown_since'),
    /** Whether the gateway's record would contain the message of an unknown result. */
    isRecorded: boolean('is_recorded').notNull().default(true),
    /**
     * The id that the gateway is asked to send it under, before that of the message is known; null where the
     * gateway gives it one.
     */
    givenId: text('given_id'),
    lastError: text('last_error'),
    /** The row of `quick_reply_uses` in which it was counted, so that undoing the send takes it back. */
    quickReplyUseId: integer('quick_reply_use_id'),
    createdAt: at('created_at').notNull().default(appNow),
  },
  {
    backup: momentary,
    ends: {
      kept: 'with its message, of one that the gateway sent twice',
      trimmed: {
        by: 'trim-over',
        after: month,
        since: sinceOver,
        where: sql`t.state in ('sent', 'failed', 'cancelled') and not exists (
        select from messages m where m.id = t.message_id and m.metadata ? 'duplicateIds')`,
      },
    },
    personal: {
      of: ofConversation('conversation_id'),
      columns: {
        state: sql`case when state in ('pending', 'sending', 'unknown') then 'cancelled' else state end`,
        leaseUntil: gone,
        lastError: gone,
      },
    },
    waits: {
      due: { notBefore: seconds(30) },
      leases: { leaseUntil: seconds(30) },
      past: ['firstAttemptAt', 'unknownSince'],
      where: sql`t.state in ('pending', 'sending', 'unknown')`,
    },
    other: `
      id instanceId conversationId messageId priority notBefore claim tries firstAttemptAt unknownSince
      isRecorded givenId quickReplyUseId createdAt
    `,
  },
  (t) => [
    index('outbox_todo')
      .on(t.instanceId, t.priority, t.id)
      .where(sql`${t.state} = 'pending'`),
    index('outbox_open')
      .on(t.conversationId, t.id)
      .where(sql`${t.state} in ('pending', 'sending', 'unknown')`),
    index('outbox_doubtful')
      .on(t.id)
      .where(sql`${t.state} in ('sending', 'unknown')`),
    check('outbox_state', oneOf(t.state, outboxStates)),
  ],
)

/** Texts to be sent at a time, to the client of a conversation by its number; it may have ended by then. */
export const scheduledMessages = table(
  'scheduled_messages',
  {
    id: rowId(),
    /** In which it was written. */
    conversationId: integer('conversation_id')
      .notNull()
      .references(() => conversations.id, { onDelete: 'cascade' }),
    authorId: integer('author_id')
      .notNull()
      .references(() => users.id),
    /** May have placeholders, which get their values when it is sent. */
    content: text('content').notNull(),
    /** Given by the browser: a repeated call has no further effect. */
    clientMessageId: text('client_message_id'),
    sendAt: at('send_at').notNull(),
    /** The time that was asked for; `sendAt` is a later one where it was out of hours. */
    askedAt: at('asked_at').notNull(),
    cancelOnAnswer: boolean('cancel_on_answer').notNull(),
    onlyOpen: boolean('only_open').notNull(),
    state: text('state', { enum: scheduledStates }).notNull().default('pending'),
    /** Why it was cancelled, or has failed. */
    reason: text('reason', { enum: scheduledReasons }),
    /** What was sent, which may be in a later conversation. */
    messageId: integer('message_id').references(() => messages.id, { onDelete: 'set null' }),
    endedAt: at('ended_at'),
    /** Who sent or cancelled it; null: the product itself. */
    endedById: integer('ended_by_id').references(() => users.id),
    version: integer('version').notNull().default(1),
    createdAt: at('created_at').notNull().default(appNow),
  },
  {
    backup: { left: 'what was sent is a message; what was not is of this place, and would be sent twice' },
    ends: {
      kept: 'until it is sent or cancelled, or with its conversation',
      trimmed: {
        by: 'trim-scheduled',
        after: '90 days',
        since: since('ended_at'),
        where: sql`t.state <> 'pending'`,
      },
    },
    personal: {
      of: ofConversation('conversation_id'),
      columns: {
        content: blank,
        reason: sql`case when state = 'pending' then 'contact_erased' else reason end`,
        endedAt: sql`case when state = 'pending' then app_now() else ended_at end`,
        state: sql`case when state = 'pending' then 'cancelled' else state end`,
      },
    },
    other: `
      id conversationId authorId clientMessageId sendAt askedAt cancelOnAnswer onlyOpen messageId endedById
      version createdAt
    `,
  },
  (t) => [
    index('scheduled_messages_due')
      .on(t.sendAt, t.id)
      .where(sql`${t.state} = 'pending'`),
    index('scheduled_messages_conversation').on(t.conversationId, t.state),
    index('scheduled_messages_author').on(t.authorId, t.state, t.sendAt),
    index('scheduled_messages_ended').on(t.state, t.endedAt),
    index('scheduled_messages_ended_by').on(t.endedById),
    uniqueIndex('scheduled_messages_message').on(t.messageId),
    uniqueIndex('scheduled_messages_repeated')
      .on(t.conversationId, t.clientMessageId)
      .where(sql`${t.clientMessageId} is not null`),
    check('scheduled_messages_state', oneOf(t.state, scheduledStates)),
    check('scheduled_messages_reason', oneOf(t.reason, scheduledReasons)),
    check('scheduled_messages_end', sql`(${t.state} = 'pending') = (${t.endedAt} is null)`),
    check('scheduled_messages_why', sql`(${t.state} in ('cancelled', 'failed')) = (${t.reason} is not null)`),
  ],
)
