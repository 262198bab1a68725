import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, text } from 'drizzle-orm/pg-core'
import { appNow, at, oneOf, rowId } from '#server/schema/columns.ts'
import { momentary } from '#server/schema/declare/backup.ts'
import { month } from '#server/schema/declare/ends.ts'
import { gone, ofConversation } from '#server/schema/declare/person.ts'
import { table } from '#server/schema/declare/table.ts'
import { seconds } from '#server/schema/declare/waits.ts'
import { evolutionApiConfig } from '#server/schema/gateway.ts'
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
      isRecorded givenId createdAt
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
