import { sql } from 'drizzle-orm'
import type { events as declared } from '#shared/rooms/events.ts'
import { bigserial, index, integer, jsonb, text } from 'drizzle-orm/pg-core'
import { appNow, at, xid8 } from '#server/schema/columns.ts'
import { momentary } from '#server/schema/declare/backup.ts'
import { since } from '#server/schema/declare/ends.ts'
import { table } from '#server/schema/declare/table.ts'

type FieldsOf<Log> = (Log extends { has: readonly (infer Field extends string)[] }
  ? Record<Field, number>
  : object) &
  (Log extends { mayHave: readonly (infer Field extends string)[] } ? Partial<Record<Field, number>> : object)

type Declared = typeof declared

/**
 * The fields of each event type in the log, as its room declares them. An event without `userId` is for
 * everyone whose permissions allow it. Readers query the current rows, so an event names what changed and
 * contains no copy of it.
 */
type EventFields = {
  [Type in keyof Declared as Declared[Type]['log'] extends null ? never : Type]: FieldsOf<
    Declared[Type]['log']
  >
} & {
  /** For the server alone: the sockets of a session that has ended are closed. */
  session_ended: { userId: number }
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

/**
 * One row per open socket, refreshed by its process; stale rows are ignored. Those that have closed stay for
 * some minutes. Times are those of now().
 */
export const presence = table(
  'presence',
  {
    connectionId: text('connection_id').primaryKey(),
    processId: text('process_id').notNull(),
    userId: integer('user_id').notNull(),
    sessionId: integer('session_id'),
    connectedAt: at('connected_at')
      .notNull()
      .default(sql`now()`),
    heartbeatAt: at('heartbeat_at')
      .notNull()
      .default(sql`now()`),
    lastInputAt: at('last_input_at')
      .notNull()
      .default(sql`now()`),
    /** The socket is closed: the row stays until its end is in the record of working days. */
    leftAt: at('left_at'),
  },
  {
    backup: momentary,
    wholeCopy: { leftOutOf: ['copy', 'move', 'upgrade'], why: 'of the sockets of this moment' },
    ends: { bounded: 'by the sockets that are open, or were minutes ago' },
    waits: { past: ['connectedAt', 'heartbeatAt', 'lastInputAt', 'leftAt'] },
    other: 'connectionId processId userId sessionId connectedAt heartbeatAt lastInputAt leftAt',
  },
  (t) => [index('presence_process').on(t.processId)],
)
