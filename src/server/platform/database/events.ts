import { setTimeout } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { EventType } from '#server/schema/live.ts'
import { type Database, type Db, isDatabaseDown, rows } from './db.ts'
import type { Log } from '#server/platform/log.ts'
import { defineJob, type JobDefinition } from '#server/platform/jobs/job-definition.ts'
import { throttle } from '#server/platform/work/throttle.ts'

/** One row of the log, as a reader sees it. */
export interface EventRow extends Record<string, unknown> {
  seq: string
  tx: string
  type: EventType
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

/** A row, or nothing but the snapshot when there is none. */
interface FoundRow extends EventRow {
  snapshot: string
  oldestOpen: string
  isRow: boolean
}

/** More than this at one look: who is so far behind fetches. */
const mostAtOnce = 5000

/**
 * Follows the log. Neither seq alone nor seq below the oldest open transaction is safe: a transaction with a later id
 * may hold an earlier seq. So each row is told at the first look whose snapshot shows it, and the position moves only
 * over settled rows, those that no open transaction can still precede.
 *
 * Whatever is written to a conversation under its lock is seen in the order of its writing: what a look finds is
 * complete, and told in the order of seq. A part of it would not do, since the log is read by (tx, seq).
 */
export class EventFollower {
  position: Position
  /** What the last look could see. */
  #seen: string | undefined
  #oldestOpen = ''
  /** Told already, and above the position. */
  #told: Position[] = []

  constructor(position: Position) {
    this.position = position
  }

  /**
   * The rows nobody has seen yet, in the order of seq.
   * @returns undefined when they are too many: then all of them are skipped
   */
  async next(db: Db): Promise<EventRow[] | undefined> {
    const { tx, seq } = this.position
    const found = await rows<FoundRow>(
      db,
      sql`select s.snapshot::text, pg_snapshot_xmin(s.snapshot)::text as "oldestOpen", e.seq is not null as "isRow",
                 e.seq::text, e.tx::text, e.type, e.user_id as "userId", e.conversation_id as "conversationId",
                 e.message_id as "messageId", e.data
            from (select pg_current_snapshot() as snapshot) s left join lateral (
              select seq, tx, type, user_id, conversation_id, message_id, data from events where (tx, seq) > (${tx}::xid8, ${seq}::bigint)
                 and (${this.#seen ?? null}::pg_snapshot is null
                      or not pg_visible_in_snapshot(tx, ${this.#seen ?? null}::pg_snapshot))
               order by tx, seq limit ${mostAtOnce + 1}) e on true`,
    )
    const [first] = found
    if (!first) throw new Error('the log told no snapshot')
    if (found.length > mostAtOnce) {
      await this.#skip(db)
      return undefined
    }
    const fresh = first.isRow ? found : []
    this.#seen = first.snapshot
    for (const row of fresh) this.#told.push({ tx: row.tx, seq: row.seq })
    this.#settle(first.oldestOpen)
    return fresh.sort(bySeq)
  }

  /** What was not visible before cannot be older than what was open then: without a change nothing new is settled. */
  #settle(oldestOpen: string): void {
    if (oldestOpen === this.#oldestOpen) return
    this.#oldestOpen = oldestOpen
    const limit = BigInt(oldestOpen)
    const above: Position[] = []
    for (const one of this.#told) {
      if (BigInt(one.tx) >= limit) above.push(one)
      else if (isBefore(this.position, one)) this.position = one
    }
    this.#told = above
  }

  /** To the end of what is settled; what is above it is told, perhaps for a second time. */
  async #skip(db: Db): Promise<void> {
    this.position = await endOfLog(db)
    this.#seen = undefined
    this.#oldestOpen = ''
    this.#told = []
  }
}

const bySeq = (a: Position, b: Position) => (BigInt(a.seq) < BigInt(b.seq) ? -1 : 1)

function isBefore(a: Position, b: Position): boolean {
  return a.tx === b.tx ? BigInt(a.seq) < BigInt(b.seq) : BigInt(a.tx) < BigInt(b.tx)
}

/** Where the log ends now: everything that a fetch made after this call shows is before it or pushed later. */
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
  /** Milliseconds since the last successful look at the log, or since when something that was found is not told. */
  lagMs(): number
  stop(): Promise<void>
}

const pollMs = 1000
/** After something was told: what happens meanwhile is read and told together. */
const restMs = 20
/** A tick waits this long for something that is worth telling to everybody at once. */
const tickWithinMs = 150

/**
 * Reads new rows once for the whole process. Woken after commits here and elsewhere; the poll is the truth. What comes
 * alone is told at once.
 * @param onRows told in order, one batch at a time; when it throws, it is told the same rows again
 * @param onSkipped so many rows waited that none of them is told; when it throws, it is told again
 */
export async function startEventReader(
  database: Database,
  log: Log,
  onRows: (rows: EventRow[]) => Promise<void>,
  onSkipped: () => Promise<void>,
): Promise<EventReader> {
  const follower = new EventFollower(await endOfLog(database))
  let told = follower.position
  let untold: EventRow[] = []
  let isSkipping = false
  let running: Promise<void> | undefined
  let isAgain = false
  let isStopped = false
  let lastLookMs = performance.now()
  let untoldSinceMs: number | undefined

  /** @returns whether there was something to tell */
  const lookOnce = async (): Promise<boolean> => {
    const fresh = await follower.next(database)
    lastLookMs = performance.now()
    if (fresh) untold = [...untold, ...fresh]
    else {
      untold = []
      isSkipping = true
      isAgain = true
    }
    if (isSkipping || untold.length > 0) untoldSinceMs ??= performance.now()
    if (isSkipping) await onSkipped()
    isSkipping = false
    const hasNews = untold.length > 0
    if (hasNews) await onRows(untold)
    untold = []
    untoldSinceMs = undefined
    told = follower.position
    return hasNews
  }
  const look = async () => {
    do {
      isAgain = false
      try {
        if (await lookOnce()) await setTimeout(restMs)
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
  const ticks = throttle(wake, { soonMs: tickWithinMs, everyMs: tickWithinMs })
  const offs = [database.signals.on('events', wake), database.signals.on('ticks', ticks.want)]
  const timer = setInterval(wake, pollMs)
  return {
    get position() {
      return told
    },
    lagMs: () => performance.now() - Math.min(lastLookMs, untoldSinceMs ?? lastLookMs),
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
 * Rows after a position, for a browser that comes back, in the order of seq.
 * @returns 'too_old' when the log no longer reaches so far, 'too_many' when there are more than the limit
 */
export async function eventsSince(
  database: Database,
  position: Position,
  limit: number,
): Promise<EventRow[] | 'too_old' | 'too_many'> {
  const [log] = await rows<{ reaches: boolean; isWhole: boolean }>(
    database,
    // A log whose first row ever is still there, or is yet to come, has forgotten nothing.
    sql`select exists (select 1 from events where (tx, seq) <= (${position.tx}::xid8, ${position.seq}::bigint)) as reaches,
               exists (select 1 from events where seq = 1) or not (select is_called from events_seq_seq) as "isWhole"`,
  )
  const isBeginning = position.seq === '0' && log?.isWhole
  if (!log?.reaches && !isBeginning) return 'too_old'
  const found = await rows<EventRow>(
    database,
    sql`select e.seq::text, e.tx::text, e.type, e.user_id as "userId", e.conversation_id as "conversationId",
               e.message_id as "messageId", e.data
          from events e where (e.tx, e.seq) > (${position.tx}::xid8, ${position.seq}::bigint)
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
 * Forgets what is older than a day; whoever comes back later fetches. A beginning of the log goes and never a part from
 * its middle, and one row of the old ones stays: so whoever finds a row at or before his place has missed no other.
 */
export async function trimEvents(database: Database): Promise<void> {
  await database.execute(
    sql`delete from events where (tx, seq) < (select tx, seq from events
          where created_at < app_now() - interval '1 day' order by tx desc, seq desc limit 1)`,
  )
}
