import { sql } from 'drizzle-orm'
import { bigserial, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { appNow, at, xid8 } from './columns.ts'

/**
 * The log of what changed, written in the transaction that changed it. Readers follow the pair (tx, seq): neither
 * alone is safe, since a transaction with a later id may hold an earlier seq.
 */
export const events = pgTable(
  'events',
  {
    seq: bigserial('seq', { mode: 'bigint' }).primaryKey(),
    tx: xid8('tx')
      .notNull()
      .default(sql`pg_current_xact_id()`),
    type: text('type').notNull(),
    /** null: everyone whose permissions allow it. */
    userId: integer('user_id'),
    conversationId: integer('conversation_id'),
    messageId: integer('message_id'),
    data: jsonb('data').$type<Record<string, unknown>>(),
    createdAt: at('created_at').notNull().default(appNow),
  },
  (t) => [index('events_position').on(t.tx, t.seq), index('events_created').on(t.createdAt)],
)

/** One row an open socket, kept fresh by its process; stale rows count for nobody. Raw clock. */
export const presence = pgTable(
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
  (t) => [index('presence_process').on(t.processId)],
)
