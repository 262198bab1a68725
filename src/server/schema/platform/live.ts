import { sql } from 'drizzle-orm'
import { bigserial, index, integer, jsonb, text } from 'drizzle-orm/pg-core'
import { appNow, at, xid8 } from '#server/schema/columns.ts'
import { momentary } from '#server/schema/declare/backup.ts'
import { since } from '#server/schema/declare/ends.ts'
import { table } from '#server/schema/declare/table.ts'

interface AboutConversation {
  conversationId: number
}

interface AboutMessage extends AboutConversation {
  messageId: number
}

/** Only for the sockets of one person. */
interface ToUser {
  userId: number
}

/**
 * The fields of each event type in the log. An event without `userId` is for everyone whose permissions allow
 * it. Readers query the current rows, so an event names what changed and contains no copy of it.
 */
export interface EventFields {
  new_conversation: AboutConversation
  new_conversation_with_sound: AboutConversation
  new_conversation_notification: AboutConversation & ToUser
  conversation_updated: AboutConversation
  conversation_transferred: AboutConversation
  /** Messages were removed, or moved into this conversation or out of it. */
  timeline_changed: AboutConversation
  message_received: AboutMessage
  new_message: AboutMessage
  customer_message_notification: AboutMessage & ToUser
  conversation_read: AboutConversation & ToUser
  draft_changed: AboutConversation & ToUser
  queue_changed: object
  gateway_state: Partial<ToUser>
  settings_changed: object
  permissions_changed: Partial<ToUser>
  notices_changed: Partial<ToUser>
  account_changed: ToUser
  session_ended: ToUser
}

export type EventType = keyof EventFields

/** A row to insert into the event log. */
export type NewEvent = { [Type in EventType]: { type: Type } & EventFields[Type] }[EventType]

/**
 * The log of changes, written in the transaction that makes them. Readers follow the pair (tx, seq): neither
 * alone is safe, since a transaction with a later id may contain an earlier seq.
 */
export const events = table(
  'events',
  {
    seq: bigserial('seq', { mode: 'bigint' }).primaryKey(),
    tx: xid8('tx')
      .notNull()
      .default(sql`pg_current_xact_id()`),
    type: text('type').$type<EventType>().notNull(),
    /** null: everyone whose permissions allow it. */
    userId: integer('user_id'),
    conversationId: integer('conversation_id'),
    messageId: integer('message_id'),
    data: jsonb('data').$type<Record<string, unknown>>(),
    createdAt: at('created_at').notNull().default(appNow),
  },
  {
    backup: momentary,
    wholeCopy: {
      leftOutOf: ['copy', 'move', 'upgrade'],
      why: 'their order is that of the transactions of one server',
    },
    ends: { trimmed: { by: 'trim-events', after: '1 day', since: since('created_at'), besides: 1 } },
    // They name what changed and contain no copy of it.
    other: 'seq tx type userId conversationId messageId data createdAt',
  },
  (t) => [index('events_position').on(t.tx, t.seq), index('events_created').on(t.createdAt)],
)

/** One row per open socket, refreshed by its process; stale rows are ignored. Times are those of now(). */
export const presence = table(
  'presence',
  {
    connectionId: text('connection_id').primaryKey(),
    processId: text('process_id').notNull(),
    userId: integer('user_id').notNull(),
    connectedAt: at('connected_at')
      .notNull()
      .default(sql`now()`),
    heartbeatAt: at('heartbeat_at')
      .notNull()
      .default(sql`now()`),
    lastInputAt: at('last_input_at')
      .notNull()
      .default(sql`now()`),
  },
  {
    backup: momentary,
    wholeCopy: { leftOutOf: ['copy', 'move', 'upgrade'], why: 'of the sockets of this moment' },
    ends: { bounded: 'by the open sockets' },
    other: 'connectionId processId userId connectedAt heartbeatAt lastInputAt',
  },
  (t) => [index('presence_process').on(t.processId)],
)
