import { sql } from 'drizzle-orm'
import { type Database, isDatabaseDown, rows } from './db.ts'
import type { Log } from './log.ts'

/** One row of the log, as a reader sees it. */
export interface EventRow extends Record<string, unknown> {
  seq: string
  tx: string
  type: string
  userId: number | null
  conversationId: number | null
  messageId: number | null
  data: Record<string, unknown> | null
}

/** A place in the log: the pair (tx, seq). @see reliability §3.1 */
export interface Position {
  tx: string
  seq: string
}

interface FoundRow extends EventRow {
  settled: boolean
}

const batchSize = 1000

/**
 * Follows the log. Neither seq alone nor seq below the oldest open transaction is safe: a transaction with a later id
 * may hold an earlier seq. So each visible row is pushed once, and the position moves only over settled rows, those
 * that no open transaction can still precede.
 */
export class EventFollower {
  position: Position
  /** Pushed already, and still above the position. */
  readonly #pushed = new Set<string>()

  constructor(position: Position) {
    this.position = position
  }

  /** The rows nobody has seen yet, in the order of seq. */
  async next(database: Database): Promise<EventRow[]> {
    const found = await rows<FoundRow>(
      database,
      // Ordered by the columns: a bare name would mean the text that is selected, where 10 stands before 9.
      sql`select seq::text, tx::text, type, user_id as "userId", conversation_id as "conversationId",
                 message_id as "messageId", data, tx < pg_snapshot_xmin(pg_current_snapshot()) as settled
            from events where (tx, seq) > (${this.position.tx}::xid8, ${this.position.seq}::bigint)
           order by events.tx, events.seq limit ${batchSize + this.#pushed.size}`,
    )
    const fresh = found.filter((row) => !this.#pushed.has(row.seq))
    for (const row of fresh) this.#pushed.add(row.seq)
    this.#settle(found)
    return fresh.sort((a, b) => (BigInt(a.seq) < BigInt(b.seq) ? -1 : 1))
  }

  #settle(found: FoundRow[]): void {
    for (const row of found) {
      if (!row.settled) return
      this.position = { tx: row.tx, seq: row.seq }
      this.#pushed.delete(row.seq)
    }
  }
}

/** Where the log ends now: everything that a fetch made after this call shows is before it or pushed later. */
export async function endOfLog(database: Database): Promise<Position> {
  const [end] = await rows<Position & Record<string, unknown>>(
    database,
    sql`select tx::text, seq::text from events where tx < pg_snapshot_xmin(pg_current_snapshot())
         order by events.tx desc, events.seq desc limit 1`,
  )
  return end ?? { tx: '0', seq: '0' }
}

export function formatCursor(position: Position): string {
  return `${position.tx}.${position.seq}`
}

/** @returns undefined for anything that we did not write ourselves */
export function parseCursor(cursor: string): Position | undefined {
  const parts = /^(\d{1,20})\.(\d{1,19})$/.exec(cursor)
  if (!parts?.[1] || !parts[2] || BigInt(parts[1]) > largestTx || BigInt(parts[2]) > largestSeq)
    return undefined
  return { tx: parts[1], seq: parts[2] }
}

/** What PostgreSQL's xid8 and bigint can hold. */
const largestTx = 2n ** 64n - 1n
const largestSeq = 2n ** 63n - 1n

export interface EventReader {
  /** Up to here all was told; during `onRows` it stands before that batch, so that who drops out there gets it again. */
  readonly position: Position
  /** Milliseconds since the last successful look at the log. */
  lagMs(): number
  stop(): Promise<void>
}

const pollMs = 1000

/**
 * Reads new rows once for the whole process. Woken after commits here and elsewhere; the poll is the truth.
 * @param onRows told in order, one batch at a time; when it throws, it is told the same rows again
 */
export async function startEventReader(
  database: Database,
  log: Log,
  onRows: (rows: EventRow[]) => Promise<void>,
): Promise<EventReader> {
  const follower = new EventFollower(await endOfLog(database))
  let told = follower.position
  let untold: EventRow[] = []
  let running: Promise<void> | undefined
  let isAgain = false
  let isStopped = false
  let lastLookMs = performance.now()

  const look = async () => {
    do {
      isAgain = false
      try {
        const fresh = await follower.next(database)
        lastLookMs = performance.now()
        untold = [...untold, ...fresh]
        if (untold.length > 0) await onRows(untold)
        untold = []
        told = follower.position
        if (fresh.length >= batchSize) isAgain = true
      } catch (error) {
        const level = isDatabaseDown(error) ? 'warn' : 'error'
        log[level]({ err: error }, 'event log not read')
      }
    } while (isAgain && !isStopped)
    running = undefined
  }
  const wake = () => {
    isAgain = true
    if (!isStopped) running ??= look()
  }
  const off = database.wake.on('events', wake)
  const timer = setInterval(wake, pollMs)
  return {
    get position() {
      return told
    },
    lagMs: () => performance.now() - lastLookMs,
    async stop() {
      isStopped = true
      off()
      clearInterval(timer)
      await running
    },
  }
}

/** Rows after a position, for a browser that comes back; undefined when the log no longer reaches so far. */
export async function eventsSince(
  database: Database,
  position: Position,
  limit: number,
): Promise<EventRow[] | undefined> {
  const [oldest] = await rows<{ isKept: boolean }>(
    database,
    sql`select exists (select 1 from events where (tx, seq) <= (${position.tx}::xid8, ${position.seq}::bigint))
            or not exists (select 1 from events) as "isKept"`,
  )
  if (!oldest?.isKept && position.seq !== '0') return undefined
  return rows<EventRow>(
    database,
    sql`select seq::text, tx::text, type, user_id as "userId", conversation_id as "conversationId",
               message_id as "messageId", data
          from events where (tx, seq) > (${position.tx}::xid8, ${position.seq}::bigint)
         order by events.seq limit ${limit}`,
  )
}

/** Forgets rows older than a day; whoever comes back later fetches. */
export async function trimEvents(database: Database): Promise<void> {
  await database.execute(sql`delete from events where created_at < app_now() - interval '1 day'`)
}
