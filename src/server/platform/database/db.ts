import { sql, type SQL } from 'drizzle-orm'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { PgTransactionConfig } from 'drizzle-orm/pg-core'
import pg from 'pg'
import type { NewEvent } from '#server/schema/platform/live.ts'
import { schema } from '#server/schema/schema.ts'
import { applicationNameOf } from '#server/platform/embedded-postgres/lock/lock.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import type { Log } from '#server/platform/log.ts'
import type { Db } from './db-type.ts'
import { placeholderTable, toColumns } from './placeholder-table.ts'
import { isStalePreparation, PreparingClient } from './prepared-statements.ts'
import { statement } from './statement.ts'
import { createSignals, type SignalChannel, type Signals } from '#server/platform/work/signals.ts'

export type { Db } from './db-type.ts'
export { migrateDatabase } from './migrate.ts'

/** The database, in which transactions begin. */
export interface Database extends NodePgDatabase<typeof schema> {
  readonly pool: pg.Pool
  readonly signals: Signals
  /** How it was opened, for whoever opens it once more. */
  readonly opened: Pick<DatabaseOptions, 'connection' | 'clockOffset'>
  close(): Promise<void>
}

/** 'now': broadcast right after the commit. 'tick': within 150 ms, batched with other events until then. */
export type Urgency = 'now' | 'tick'

/** An open transaction. Its events and signals reach sockets and workers only after the commit. */
export interface Tx extends Db {
  /** Writes an event to the log as part of this transaction. */
  emit(event: NewEvent, urgency?: Urgency): void
  /** Wakes the workers of the channel after the commit. */
  signal(channel: SignalChannel): void
}

export interface DatabaseOptions {
  connection: pg.PoolConfig
  log: Log
  /** Maximum number of connections; 10 by default. */
  poolSize?: number
  /** For tests: an interval such as '3 days' by which the product's clock is ahead. */
  clockOffset?: string
}

/** Settings of every session. The migrations create everything in `public`. */
export const sessionSettings = [
  '-c timezone=UTC',
  '-c search_path=public',
  '-c statement_timeout=30000',
  '-c idle_in_transaction_session_timeout=60000',
].join(' ')

// A new connection plans every statement again, which takes longer than many of them. An idle one takes some
// 10 MB of the server.
const idleMs = 5 * 60_000

/** Opens the pool, without connecting to the server yet. */
export function openDatabase(options: DatabaseOptions): Database {
  const settings = options.clockOffset
    ? `${sessionSettings} -c balcao.clock_offset=${options.clockOffset.replace(/ /g, '\\ ')}`
    : sessionSettings
  const given = options.connection
  const connection: pg.PoolConfig = {
    application_name: applicationNameOf('balcao'),
    // Detects a dead server machine, which closes no connections.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: 10_000,
    ...given,
    options: given.options ? `${given.options} ${settings}` : settings,
  }
  const pool = new pg.Pool({
    ...connection,
    max: options.poolSize ?? 10,
    idleTimeoutMillis: idleMs,
    Client: PreparingClient,
  })
  // A lost idle connection is replaced at the next query. Without a listener the error would end the process.
  let isClosing = false
  pool.on('error', ({ message }) => {
    // A server that stops at the same time as this program ends the connections, too.
    if (!isClosing) options.log.warn({ reason: message }, 'database connection lost')
  })
  // The pool does not listen to connections in use, which may be lost between two statements.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const signals = createSignals(() => new pg.Client(connection), pool, options.log)
  return Object.assign(drizzle(pool, { schema }), {
    pool,
    signals,
    opened: options,
    async close() {
      isClosing = true
      await signals.close()
      await pool.end()
    },
  })
}

const maxTries = 4

/** Where an act is done: in a transaction of its own, or as a part of an open one. */
export type Place = Database | Tx

/**
 * Runs the work in one transaction, with the events that it emits, or as a part of an open one. After a
 * deadlock or a serialization failure it is run again, so it must change nothing but the database.
 */
export async function inTransaction<T>(database: Place, work: (db: Tx) => Promise<T>): Promise<T> {
  if ('emit' in database) return work(database)
  for (let attempt = 1; ; attempt++) {
    const pending = newPending()
    let logged: Promise<unknown> | undefined
    try {
      const result = await transaction(database.pool, async (db) => {
        const value = await work(asTx(db, pending))
        // Sent in one round trip with the COMMIT, which rolls back if this fails.
        logged = logEvents(db, pending)
        return value
      })
      await logged
      await failpoint('transaction.committed')
      for (const { urgency } of pending.events) pending.channels.add(urgency === 'tick' ? 'ticks' : 'events')
      for (const channel of pending.channels) database.signals.send(channel)
      return result
    } catch (error) {
      if (attempt === maxTries || !isWorthRepeating(error)) throw error
    }
  }
}

/** Runs reads that all see the database as of the first one. May run `read` twice. */
export async function inSnapshot<T>(database: Database, read: (db: Db) => Promise<T>): Promise<T> {
  const once = () =>
    transaction(database.pool, read, { isolationLevel: 'repeatable read', accessMode: 'read only' })
  return once().catch((error: unknown) => {
    if (!isStalePreparation(error)) throw error
    return once()
  })
}

/** One query builder per connection. */
const builders = new WeakMap<pg.PoolClient, NodePgDatabase<typeof schema>>()

/**
 * Acquires and releases the connection itself: Drizzle's transaction on a pool does not release a connection
 * whose BEGIN failed, so that each outage of the database would permanently shrink the pool.
 */
async function transaction<T>(
  pool: pg.Pool,
  work: (db: Db) => Promise<T>,
  config?: PgTransactionConfig,
): Promise<T> {
  const client = await pool.connect()
  try {
    const builder = builders.get(client) ?? drizzle(client, { schema })
    builders.set(client, builder)
    return await builder.transaction(work, config)
  } finally {
    client.release()
  }
}

/** A deadlock, a serialization failure or a stale prepared statement: a repetition will probably succeed. */
export function isWorthRepeating(error: unknown): boolean {
  return ['40001', '40P01'].includes(pgCode(error) ?? '') || isStalePreparation(error)
}

/**
 * Runs a part of a transaction under a savepoint. If it fails, only its own writes and events are rolled
 * back, and the transaction may continue, unless the database itself has failed.
 */
export async function inSavepoint<T>(db: Tx, work: (db: Tx) => Promise<T>): Promise<T> {
  const inside = newPending()
  const result = await db.transaction((savepoint) => work(asTx(savepoint, inside)))
  for (const { event, urgency } of inside.events) db.emit(event, urgency)
  for (const channel of inside.channels) db.signal(channel)
  return result
}

/** Events and signals of a transaction that has not committed yet. */
interface Pending {
  events: { event: NewEvent; urgency: Urgency }[]
  channels: Set<SignalChannel>
}

const newPending = (): Pending => ({ events: [], channels: new Set() })

const eventColumns = {
  n: 'int',
  type: 'text',
  userId: 'int',
  conversationId: 'int',
  messageId: 'int',
} as const
type EventColumn = keyof typeof eventColumns

const insertEvents = statement<Record<string, unknown>>()((db) => {
  const logged = db.$with('logged', { seq: sql`seq`.as('seq') }).as(
    sql`insert into events (type, user_id, conversation_id, message_id)
        select e.type, e."userId", e."conversationId", e."messageId"
          from ${placeholderTable('e', eventColumns)} order by e.n
        returning seq`,
  )
  return db
    .with(logged)
    .select()
    .from(logged)
    .where(sql`false`)
})

function logEvents(db: Db, { events: emitted }: Pending): Promise<unknown> | undefined {
  if (emitted.length === 0) return undefined
  const given = emitted.map(({ event }, n): Partial<Record<EventColumn, unknown>> => ({ ...event, n }))
  const logged = insertEvents(db, toColumns(given, Object.keys(eventColumns) as EventColumn[]))
  // It is awaited only after the COMMIT, and must not count as unhandled until then.
  logged.catch(() => undefined)
  return logged
}

/** Drizzle creates a new object for each transaction and savepoint, so methods can be added to it. */
function asTx(db: Db, pending: Pending): Tx {
  return Object.assign(db, {
    emit: (event: NewEvent, urgency: Urgency = 'now') => void pending.events.push({ event, urgency }),
    signal: (channel: SignalChannel) => void pending.channels.add(channel),
  })
}

/** PostgreSQL's five-character code of an error, found anywhere in its chain of causes. */
export function pgCode(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code = (at as { code?: unknown }).code
    if (typeof code === 'string') return code
  }
  return undefined
}

/** Whether a text was given that the database cannot store: a NUL, or in JSON a lone surrogate. */
export function isUnstorableText(error: unknown): boolean {
  const code = pgCode(error)
  if (code !== '22P02') return code === '22021' || code === '22P05'
  // The code is that of any value invalid for its type. In JSON serialized by us, only a text can be invalid.
  for (let at = error; at instanceof Error; at = at.cause)
    if (at.message.includes('invalid input syntax for type json')) return true
  return false
}

/** Classes 08, 53 and 57P0; 25006: a standby after a failover; the others are network errors. */
const downCodes =
  /^(08|57P0|53)|^25006$|^ECONN|^EPIPE$|^ENOENT$|^ETIMEDOUT$|^EHOSTUNREACH$|^ENETUNREACH$|^ENOTFOUND$|^EAI_AGAIN$/

const lostConnection =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/

/** A file that is not there has the code of a socket that is not there. */
function isMissingFile(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause)
    if ('code' in at && at.code === 'ENOENT') return !('syscall' in at && at.syscall === 'connect')
  return false
}

/** Whether an error means that the database is unavailable, not that the statement was wrong. */
export function isDatabaseDown(error: unknown): boolean {
  if (downCodes.test(pgCode(error) ?? '') && !isMissingFile(error)) return true
  for (let at = error; at instanceof Error; at = at.cause) {
    // For any reason, the server has ended the session or refused it.
    if ('severity' in at && (at.severity === 'FATAL' || at.severity === 'PANIC')) return true
    if (lostConnection.test(at.message)) return true
  }
  return false
}

/** Runs an SQL statement whose rows have the given shape. Timestamps are returned as text. */
export async function rows<Row extends Record<string, unknown>>(db: Db, statement: SQL): Promise<Row[]> {
  return (await db.execute<Row>(statement)).rows as unknown as Row[]
}

/**
 * Values as a table in FROM: `${tableOf('u', changes, { id: 'int', at: 'timestamptz' })}`. Each column is an
 * array parameter, from which the planner can tell that there are few rows. With JSON it would assume a
 * hundred, and scan whole tables to join them.
 */
export function tableOf<Column extends string>(
  alias: string,
  values: Record<NoInfer<Column>, unknown>[],
  types: Record<Column, string>,
): SQL {
  const names = Object.keys(types) as Column[]
  const arrays = names.map((name) => {
    const column = values.map((row) => row[name])
    return sql`(select ${sql.param(column)}::${sql.raw(types[name])}[])`
  })
  const columns = names.map((name) => sql.identifier(name))
  return sql`unnest(${sql.join(arrays, sql`, `)}) ${sql.identifier(alias)}(${sql.join(columns, sql`, `)})`
}

/** Escapes `%`, `_` and `\` for a LIKE pattern. */
export const literal = (text: string) => text.replace(/[\\%_]/g, '\\$&')
