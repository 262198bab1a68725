import { sql, type SQL } from 'drizzle-orm'
import { drizzle, type NodePgDatabase, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import type { PgDatabase, PgTransactionConfig } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { events, type NewEvent } from '#server/schema/live.ts'
import { schema } from '#server/schema/schema.ts'
import { applicationNameOf } from '#server/platform/embedded-postgres/lock.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import type { Log } from '#server/platform/log.ts'
import { isStalePreparation, PreparingClient } from './prepared-statements.ts'
import { createSignals, type SignalChannel, type Signals } from '#server/platform/work/signals.ts'

export { migrateDatabase } from './migrate.ts'

/** What every query takes first: the database, or the transaction that shadows it. */
export type Db = PgDatabase<NodePgQueryResultHKT, typeof schema>

/** The database itself, where transactions begin. */
export interface Database extends NodePgDatabase<typeof schema> {
  readonly pool: pg.Pool
  readonly signals: Signals
  close(): Promise<void>
}

/** 'now': broadcast right after the commit. 'tick': within 150 ms, together with whatever else comes by then. */
export type Urgency = 'now' | 'tick'

/** An open transaction. What it emits is written with it, and reaches sockets and workers only after its commit. */
export interface Tx extends Db {
  /** Logs an event in this transaction. */
  emit(event: NewEvent, urgency?: Urgency): void
  /** After the commit, wakes the workers of the channel. */
  signal(channel: SignalChannel): void
}

export interface DatabaseOptions {
  connection: pg.PoolConfig
  log: Log
  /** Connections at most; 10 when absent. */
  poolSize?: number
  /** An interval such as '3 days': the product's clock runs ahead by it. Tests only. */
  clockOffset?: string
}

/** What every session is begun with. The migrations make everything in `public`. */
export const sessionSettings = [
  '-c timezone=UTC',
  '-c search_path=public',
  '-c statement_timeout=30000',
  '-c idle_in_transaction_session_timeout=60000',
].join(' ')

/** Opens the pool; nothing is asked of the server yet. */
export function openDatabase(options: DatabaseOptions): Database {
  const settings = options.clockOffset
    ? `${sessionSettings} -c balcao.clock_offset=${options.clockOffset.replace(/ /g, '\\ ')}`
    : sessionSettings
  const given = options.connection
  const connection: pg.PoolConfig = {
    application_name: applicationNameOf('balcao'),
    // A dead machine on the other side says nothing; asking finds out.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: 10_000,
    ...given,
    options: given.options ? `${given.options} ${settings}` : settings,
  }
  const pool = new pg.Pool({ ...connection, max: options.poolSize ?? 10, Client: PreparingClient })
  // A lost idle connection is replaced at the next query; without a listener it would end the process.
  pool.on('error', (error) => options.log.warn({ err: error }, 'database connection lost'))
  // The pool does not listen to a connection that is lent out, and it may be lost between two statements.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const signals = createSignals(() => new pg.Client(connection), pool, options.log)
  return Object.assign(drizzle(pool, { schema }), {
    pool,
    signals,
    async close() {
      await signals.close()
      await pool.end()
    },
  })
}

const tries = 4

/**
 * Runs the work in one transaction and commits what it emitted with it. Deadlocks and serialization failures are
 * tried again, so the work must touch nothing but the database.
 */
export async function inTransaction<T>(database: Database, work: (db: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const pending = newPending()
    let logged: Promise<unknown> | undefined
    try {
      const result = await transaction(database.pool, async (db) => {
        const value = await work(asTx(db, pending))
        // In one round trip with the COMMIT, which rolls back if this fails.
        logged = logEvents(db, pending)
        return value
      })
      await logged
      await failpoint('transaction.committed')
      for (const { urgency } of pending.events) pending.channels.add(urgency === 'tick' ? 'ticks' : 'events')
      for (const channel of pending.channels) database.signals.send(channel)
      return result
    } catch (error) {
      if (attempt === tries || !isWorthRepeating(error)) throw error
    }
  }
}

/** Reads that belong together: all of them see the database as it was at the first one. May run `read` twice. */
export async function inSnapshot<T>(database: Database, read: (db: Db) => Promise<T>): Promise<T> {
  const once = () =>
    transaction(database.pool, read, { isolationLevel: 'repeatable read', accessMode: 'read only' })
  return once().catch((error: unknown) => {
    if (!isStalePreparation(error)) throw error
    return once()
  })
}

/** One query builder a connection, made when the connection is first lent out. */
const builders = new WeakMap<pg.PoolClient, NodePgDatabase<typeof schema>>()

/**
 * Drizzle's own transaction on a pool never gives a connection back whose BEGIN failed, so that every outage of the
 * database would cost some of the pool for good. So the connection is lent out and taken back here.
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

/** A deadlock, a serialization failure or a stale prepared statement: the same work may well succeed a moment later. */
export function isWorthRepeating(error: unknown): boolean {
  return ['40001', '40P01'].includes(pgCode(error) ?? '') || isStalePreparation(error)
}

/**
 * Runs a part of a transaction under a savepoint. When it fails, only what it wrote and emitted is rolled back, and
 * the transaction goes on, unless the database itself is the trouble.
 */
export async function inSavepoint<T>(db: Tx, work: (db: Tx) => Promise<T>): Promise<T> {
  const inside = newPending()
  const result = await db.transaction((savepoint) => work(asTx(savepoint, inside)))
  for (const { event, urgency } of inside.events) db.emit(event, urgency)
  for (const channel of inside.channels) db.signal(channel)
  return result
}

/** What is told once the transaction has committed. */
interface Pending {
  events: { event: NewEvent; urgency: Urgency }[]
  channels: Set<SignalChannel>
}

function newPending(): Pending {
  return { events: [], channels: new Set() }
}

function logEvents(db: Db, { events: emitted }: Pending): Promise<unknown> | undefined {
  if (emitted.length === 0) return undefined
  const logged = db
    .insert(events)
    .values(emitted.map(({ event }) => event))
    .execute()
  // Whoever waits for it waits for the COMMIT first.
  logged.catch(() => undefined)
  return logged
}

/** Drizzle makes the object anew for each transaction and savepoint, so the methods can be put on it. */
function asTx(db: Db, pending: Pending): Tx {
  return Object.assign(db, {
    emit: (event: NewEvent, urgency: Urgency = 'now') => void pending.events.push({ event, urgency }),
    signal: (channel: SignalChannel) => void pending.channels.add(channel),
  })
}

/** PostgreSQL's five-character code of an error, wherever the driver or the query builder put it. */
export function pgCode(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code = (at as { code?: unknown }).code
    if (typeof code === 'string') return code
  }
  return undefined
}

/** Whether a text was given that the database cannot hold: a NUL, or in JSON half of a sign that is written as two. */
export function isUnstorableText(error: unknown): boolean {
  const code = pgCode(error)
  if (code !== '22P02') return code === '22021' || code === '22P05'
  // Any value that is none of its type has this code; of JSON that we have written ourselves, only a text can be wrong.
  for (let at = error; at instanceof Error; at = at.cause)
    if (at.message.includes('invalid input syntax for type json')) return true
  return false
}

/** Classes 08, 53 and 57P; 25006: a standby after a failover; the rest is the network's. */
const downCodes =
  /^(08|57P0|53)|^25006$|^ECONN|^EPIPE$|^ENOENT$|^ETIMEDOUT$|^EHOSTUNREACH$|^ENETUNREACH$|^ENOTFOUND$|^EAI_AGAIN$/

const lostConnection =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/

/** Whether an error says that the database cannot be reached now, rather than that the statement was wrong. */
export function isDatabaseDown(error: unknown): boolean {
  if (downCodes.test(pgCode(error) ?? '')) return true
  for (let at = error; at instanceof Error; at = at.cause) {
    // Whatever the reason, the server has ended the session, or let nobody in.
    if ('severity' in at && (at.severity === 'FATAL' || at.severity === 'PANIC')) return true
    if (lostConnection.test(at.message)) return true
  }
  return false
}

/** Runs a statement written as SQL and names the shape of its rows; instants come as text. */
export async function rows<Row extends Record<string, unknown>>(db: Db, statement: SQL): Promise<Row[]> {
  const result = await db.execute<Row>(statement)
  return result.rows as unknown as Row[]
}

/**
 * Values as a table of a FROM: `${tableOf('u', changes, { id: 'int', at: 'timestamptz' })}`. One array parameter a column, by
 * whose length the planner knows how few rows they are; of JSON it takes a hundred, and reads whole tables to join them.
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

/** For a LIKE pattern: `%`, `_` and `\` stand for themselves. */
export const literal = (text: string) => text.replace(/[\\%_]/g, '\\$&')

/** Holds the name until the transaction ends: whoever asks for the same name waits. */
export async function lockName(db: Db, name: string): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
}
