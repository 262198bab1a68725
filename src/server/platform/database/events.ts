import { setTimeout } from 'node:timers/promises'
import { type SQL, sql } from 'drizzle-orm'
import type { EventType } from '#server/schema/platform/live.ts'
import { type Database, type Db, isDatabaseDown, rows } from './db.ts'
import type { Log } from '#server/platform/log.ts'
import { defineJob, type JobDefinition } from '#server/platform/jobs/job-definition.ts'
import { throttle } from '#server/platform/work/throttle.ts'

/** A row of the event log. */
export interface EventRow extends Record<string, unknown> {
  seq: string
  tx: string
  type: EventType
  userId: number | null
  conversationId: number | null
  messageId: number | null
  data: Record<string, unknown> | null
}

/** A position in the log: the pair (tx, seq). @see reliability §3.1 */
export interface Position {
  tx: string
  seq: string
}

/** A row of the log with the snapshot; without `isRow` only the snapshot. */
interface FoundRow extends EventRow {
  snapshot: string
  oldestOpen: string
  /** The database server since it was last started, or recovered from a crash. */
  run: string
  isRow: boolean
}

/** A reader with more rows than this to catch up on skips them, and clients fetch anew instead. */
const maxRows = 5000

/**
 * Follows the log. Neither reading by seq alone, nor by seq below the oldest open transaction, is safe: a
 * transaction with a later id may have an earlier seq. So each row is delivered by the first read whose
 * snapshot contains it, and the position advances only over settled rows, which no open transaction can
 * precede any more. After a crash the database gives ids again that transactions without a result had before:
 * a snapshot from before the crash says nothing about them.
 *
 * Events written under a conversation's lock are delivered in the order of writing: each read returns all
 * visible rows, in the order of seq. Part of them would break that order, since the log is read by (tx, seq).
 */
export class EventFollower {
  position: Position
  /** The snapshot of the last read. */
  #snapshot: string | undefined
  /** Of the last read. */
  #run = ''
  readonly #runOf: () => SQL
  #oldestOpen = ''
  /** Rows above the position that have been delivered already. */
  #delivered: Position[] = []

  /** @param runOf names the run of the database server; another one in tests */
  constructor(position: Position, runOf: () => SQL = () => databaseRun) {
    this.position = position
    this.#runOf = runOf
  }

  /**
   * Reads the rows that have not been delivered yet, in the order of seq.
   * @returns undefined when there are too many, which skips all of them
   */
  async next(db: Db): Promise<EventRow[] | undefined> {
    const { tx, seq } = this.position
    const found = await rows<FoundRow>(
      db,
      sql`select s.snapshot::text, pg_snapshot_xmin(s.snapshot)::text as "oldestOpen", s.run,
                 e.seq is not null as "isRow", ${eventColumns}
            from (select pg_current_snapshot() as snapshot, ${this.#runOf()} as run) s left join lateral (
              select seq, tx, type, user_id, conversation_id, message_id, data from events
               where (tx, seq) > (${tx}::xid8, ${seq}::bigint)
                 and (${this.#snapshot ?? null}::pg_snapshot is null or s.run <> ${this.#run}
                      or not pg_visible_in_snapshot(tx, ${this.#snapshot ?? null}::pg_snapshot))
               order by tx, seq limit ${maxRows + 1}) e on true`,
    )
    const [first] = found
    if (!first) throw new Error('the event log query returned no row')
    if (found.length > maxRows) {
      await this.#skip(db, first)
      return undefined
    }
    const delivered = new Set(first.run === this.#run ? [] : this.#delivered.map((row) => row.seq))
    const fresh = first.isRow ? found.filter((row) => !delivered.has(row.seq)) : []
    this.#snapshot = first.snapshot
    this.#run = first.run
    for (const row of fresh) this.#delivered.push({ tx: row.tx, seq: row.seq })
    this.#settle(first.oldestOpen)
    return fresh.sort(bySeq)
  }

  /** Advances the position over the delivered rows that are settled, once `oldestOpen` has changed. */
  #settle(oldestOpen: string): void {
    if (oldestOpen === this.#oldestOpen) return
    this.#oldestOpen = oldestOpen
    const limit = BigInt(oldestOpen)
    const above: Position[] = []
    for (const one of this.#delivered) {
      if (BigInt(one.tx) >= limit) above.push(one)
      else if (isBefore(this.position, one)) this.position = one
    }
    this.#delivered = above
  }

  /** Skips also what waits for an older transaction, such as a restore: else each read would skip again. */
  async #skip(db: Db, { snapshot, run }: Pick<FoundRow, 'snapshot' | 'run'>): Promise<void> {
    this.position = await endOfLog(db)
    this.#snapshot = snapshot
    this.#run = run
    this.#oldestOpen = ''
    this.#delivered = []
  }
}

/** A recovery resets the statistics of the server, also when its first process has gone on. */
const databaseRun = sql`concat(pg_postmaster_start_time(), pg_stat_get_bgwriter_stat_reset_time())`

/** Of an `EventRow`, from events e. */
const eventColumns = sql`e.seq::text, e.tx::text, e.type, e.user_id as "userId",
  e.conversation_id as "conversationId", e.message_id as "messageId", e.data`

const bySeq = (a: Position, b: Position) => (BigInt(a.seq) < BigInt(b.seq) ? -1 : 1)

function isBefore(a: Position, b: Position): boolean {
  return a.tx === b.tx ? BigInt(a.seq) < BigInt(b.seq) : BigInt(a.tx) < BigInt(b.tx)
}

/** The current end of the settled log. Whatever a later fetch does not contain comes after this position. */
export async function endOfLog(db: Db): Promise<Position> {
  const [end] = await rows<Position & Record<string, unknown>>(
    db,
    sql`select tx::text, seq::text from events where tx < pg_snapshot_xmin(pg_current_snapshot())
         order by events.tx desc, events.seq desc limit 1`,
  )
  return end ?? { tx: '0', seq: '0' }
}

export function formatCursor(position: Position): string {
  return `${position.tx}.${position.seq}`
}

/** @returns undefined for anything that `formatCursor` cannot have produced */
export function parseCursor(cursor: string): Position | undefined {
  const parts = /^(\d{1,20})\.(\d{1,19})$/.exec(cursor)
  if (!parts?.[1] || !parts[2] || BigInt(parts[1]) > largestTx || BigInt(parts[2]) > largestSeq)
    return undefined
  return { tx: parts[1], seq: parts[2] }
}

/** The largest values of PostgreSQL's xid8 and bigint. */
const largestTx = 2n ** 64n - 1n
const largestSeq = 2n ** 63n - 1n

export interface EventReader {
  /**
   * All rows up to here have been delivered. During `onRows` it is before that batch, so that a client that
   * disconnects meanwhile gets the batch again.
   */
  readonly position: Position
  /** Milliseconds since the last successful read of the log, or since rows were read but not delivered. */
  lagMs(): number
  stop(): Promise<void>
}

const pollMs = 1000
/** Pause after a delivery, so that events of a burst are batched. */
const restMs = 10
/** How long a tick may wait for other events. */
const tickWithinMs = 150

/**
 * Reads new rows once for the whole process: after each commit here or in another process, and every second
 * in case a NOTIFY is lost.
 * @param onRows receives the rows in order, one batch at a time; when it throws, it receives them again
 * @param onSkipped called when too many rows were waiting and none is delivered; called again when it throws
 */
export async function startEventReader(
  database: Database,
  log: Log,
  onRows: (rows: EventRow[]) => Promise<void>,
  onSkipped: () => Promise<void>,
): Promise<EventReader> {
  const follower = new EventFollower(await endOfLog(database))
  let deliveredPosition = follower.position
  let undelivered: EventRow[] = []
  let isSkipping = false
  let running: Promise<void> | undefined
  let isReadDue = false
  let isStopped = false
  let lastReadMs = performance.now()
  let undeliveredSinceMs: number | undefined

  /** @returns whether rows were delivered */
  const deliverOnce = async (): Promise<boolean> => {
    const fresh = await follower.next(database)
    lastReadMs = performance.now()
    if (fresh) undelivered = [...undelivered, ...fresh]
    else {
      undelivered = []
      isSkipping = true
      isReadDue = true
    }
    if (isSkipping || undelivered.length > 0) undeliveredSinceMs ??= performance.now()
    if (isSkipping) await onSkipped()
    isSkipping = false
    const hasRows = undelivered.length > 0
    if (hasRows) await onRows(undelivered)
    undelivered = []
    undeliveredSinceMs = undefined
    deliveredPosition = follower.position
    return hasRows
  }
  const deliver = async () => {
    do {
      isReadDue = false
      try {
        if (await deliverOnce()) await setTimeout(restMs)
      } catch (error) {
        const level = isDatabaseDown(error) ? 'warn' : 'error'
        log[level]({ err: error }, 'event log not read')
      }
    } while (isReadDue && !isStopped)
    running = undefined
  }
  const wake = () => {
    isReadDue = true
    if (!isStopped) running ??= deliver()
  }
  const ticks = throttle(wake, { soonMs: tickWithinMs, everyMs: tickWithinMs })
  const offs = [database.signals.on('events', wake), database.signals.on('ticks', ticks.want)]
  const timer = setInterval(wake, pollMs)
  return {
    get position() {
      return deliveredPosition
    },
    lagMs: () => performance.now() - Math.min(lastReadMs, undeliveredSinceMs ?? lastReadMs),
    async stop() {
      isStopped = true
      offs.forEach((off) => off())
      clearInterval(timer)
      ticks.stop()
      await running
    },
  }
}

/**
 * The rows after a position, in the order of seq, for a client that reconnects.
 * @returns 'too_old' when rows after the position may have been deleted, 'too_many' above the limit
 */
export async function eventsSince(
  database: Database,
  position: Position,
  limit: number,
): Promise<EventRow[] | 'too_old' | 'too_many'> {
  const [log] = await rows<{ reaches: boolean; isWhole: boolean }>(
    database,
    // Nothing was deleted from a log that still contains its first row ever, or that never had one.
    sql`select exists (select 1 from events
                        where (tx, seq) <= (${position.tx}::xid8, ${position.seq}::bigint)) as reaches,
               exists (select 1 from events where seq = 1)
                 or not (select is_called from events_seq_seq) as "isWhole"`,
  )
  const isBeginning = position.seq === '0' && log?.isWhole
  if (!log?.reaches && !isBeginning) return 'too_old'
  const found = await rows<EventRow>(
    database,
    sql`select ${eventColumns} from events e
         where (e.tx, e.seq) > (${position.tx}::xid8, ${position.seq}::bigint)
         order by e.tx, e.seq limit ${limit + 1}`,
  )
  return found.length > limit ? 'too_many' : found.sort(bySeq)
}

export function trimEventsJob(database: Database): JobDefinition {
  return defineJob({
    name: 'trim-events',
    schedule: '7 * * * *',
    afterCrash: 'again',
    work: () => trimEvents(database),
  })
}

/**
 * Deletes rows older than a day; a client that reconnects later fetches everything anew. Only a beginning of
 * the log is deleted, all old rows except the last: so a row at or before a position proves that no later one
 * is missing.
 */
export async function trimEvents(database: Database): Promise<void> {
  await database.execute(
    sql`delete from events where (tx, seq) < (select tx, seq from events
          where created_at < app_now() - interval '1 day' order by tx desc, seq desc limit 1)`,
  )
}
