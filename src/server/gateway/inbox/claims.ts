import { type SQL, sql } from 'drizzle-orm'
import { type Database, type Db, rows } from '#server/platform/database/db.ts'
import { letsGoSoon } from '#server/platform/database/locks.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import type { GatewayEvent } from '#server/gateway/evolution/parse/gateway-events.ts'
import { parseWebhook } from '#server/gateway/evolution/parse/webhook.ts'

export interface ClaimedRow {
  id: number
  lane: string
  instanceId: number
  attempts: number
  events: GatewayEvent[]
}

/** The oldest row of its lane. */
export interface ClaimedHead extends ClaimedRow {
  /** Whether later rows of the lane are waiting. */
  hasMore: boolean
}

interface StoredRow extends Record<string, unknown> {
  id: number
  lane: string
  instanceId: number
  attempts: number
  payload: unknown
  receivedAtMs: number
}

const isWaiting = sql`i.processed_at is null and i.dead_reason is null and i.instance_id is not null`
/**
 * The same for rows given by their ids. It is worded so that no partial index matches: the planner expects a
 * handful of rows in those, and would read one from end to end instead of looking up the ids.
 */
const isStillWaiting = sql`num_nulls(i.processed_at, i.dead_reason) = 2`
const claimedColumns = sql`i.id, i.lane, i.instance_id as "instanceId", i.attempts,
  (extract(epoch from i.received_at) * 1000)::float8 as "receivedAtMs"`

/** Uses the index of lanes for each row; with 'not exists' the planner may read the whole queue. */
const isHead = sql`(select e.id from webhook_inbox e where e.lane = i.lane and e.id < i.id
  and e.processed_at is null and e.dead_reason is null and e.instance_id is not null limit 1) is null`

/**
 * For the rest of the transaction. The planner finds the table empty most of the time: from then on a
 * connection keeps the plan that reads all of it, also when thousands of rows come within a minute, until the
 * table is analyzed again.
 */
const beginClaim = (db: Db) =>
  db.execute(sql`select set_config('enable_seqscan', 'off', true), ${letsGoSoon}`)

/**
 * Claims the oldest row of a lane that no other worker has claimed. The row stays locked until its effect is
 * committed, so any number of instances process a lane in order, and no lane waits for another.
 * @param knownEvents the row's events when an earlier claim has parsed it: the payload is not read again
 */
export async function claimOne(
  db: Db,
  which: SQL,
  knownEvents?: GatewayEvent[],
): Promise<ClaimedRow | undefined> {
  await beginClaim(db)
  const [row] = await rows<StoredRow>(
    db,
    sql`select ${claimedColumns}, ${knownEvents ? sql`null` : sql`i.payload`} as payload from webhook_inbox i
         where ${isWaiting} and i.not_before <= now() and ${which} and ${isHead}
         order by i.id limit 1 for update of i skip locked`,
  )
  if (!row) return undefined
  return toClaimed(row, knownEvents)
}

export const largestBatch = 64
/** Heads considered for one batch: other instances may have claimed as many again. */
const headsConsidered = 2 * largestBatch

/**
 * Claims the heads of up to `largestBatch` lanes. Each head costs one step through the index, so the cost of
 * a batch depends neither on the length of the queue nor on the number of rows behind the heads.
 * @param after only lanes that follow this one in the order of the index
 * @param excludedIds rows of earlier batches that this process is still processing one by one
 */
export async function claimHeads(db: Db, after: string, excludedIds: number[]): Promise<ClaimedHead[]> {
  const headBehind = (lane: SQL) =>
    sql`select i.lane, i.id, i.attempts = 0 and i.not_before <= now() as ready from webhook_inbox i
         where ${isWaiting} and i.lane > ${lane} order by i.lane, i.id limit 1`
  await beginClaim(db)
  const heads = await rows<StoredRow & { hasMore: boolean }>(
    db,
    sql`with recursive heads as (
          (${headBehind(sql`${after}`)})
          union all
          select n.* from heads h cross join lateral (${headBehind(sql`h.lane`)}) n)
        select ${claimedColumns}, i.payload,
               (select n.id from webhook_inbox n where n.lane = i.lane and n.id > i.id
                   and n.processed_at is null and n.dead_reason is null and n.instance_id is not null limit 1)
               is not null as "hasMore"
          from webhook_inbox i
         where i.id = any(array(select h.id from heads h
                                 where h.ready and h.id <> all(${sql.param(excludedIds)}::int[])
                                 limit ${headsConsidered}))
           and ${isStillWaiting} and i.attempts = 0
         order by i.lane limit ${largestBatch} for update of i skip locked`,
  )
  return heads.map((row) => ({ ...toClaimed(row), hasMore: row.hasMore }))
}

/** Parses the body of a row, unless its events are known. */
function toClaimed(
  { id, lane, instanceId, attempts, payload, receivedAtMs }: StoredRow,
  events: GatewayEvent[] = parseWebhook(payload, receivedAtMs).events,
): ClaimedRow {
  return { id, lane, instanceId, attempts, events }
}

/**
 * Locks rows that a claim found before and has let go of.
 * @returns the ids of those that no other worker has, or has done
 */
export async function lockHeads(db: Db, ids: number[]): Promise<Set<number>> {
  await beginClaim(db)
  const found = await rows<{ id: number }>(
    db,
    sql`select i.id from webhook_inbox i
         where i.id = any((select ${sql.param(ids)}::int[])::int[]) and ${isStillWaiting} and i.attempts = 0
           and ${isHead}
         order by i.lane for update of i skip locked`,
  )
  return new Set(found.map(({ id }) => id))
}

export async function markProcessed(db: Db, ids: number[]): Promise<void> {
  if (ids.length === 0) return
  await failpoint('inbox.processing')
  await db.execute(
    sql`update webhook_inbox set processed_at = app_now()
         where id = any((select ${sql.param(ids)}::int[])::int[])`,
  )
}

/** Keeps a body that no retry would help, with the reason: it counts among those that were given up. */
export async function setAside(db: Db, id: number, reason: string): Promise<void> {
  await db.execute(sql`update webhook_inbox set dead_reason = ${reason} where id = ${id}`)
}

/** Keeps only that a body has come, by its key. */
export async function forgetBody(db: Db, id: number): Promise<void> {
  await db.execute(
    sql`update webhook_inbox set payload = '{}'::jsonb, lane = 'erased:' || id where id = ${id}`,
  )
}

const maxAttempts = 5

/** Call while the row is still locked: no other worker retries before the pause is over. */
export async function noteFailure(db: Db, row: ClaimedRow, error: unknown): Promise<void> {
  const attempts = row.attempts + 1
  const reason = error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 500) : 'unknown'
  await db.execute(
    sql`update webhook_inbox set attempts = ${attempts},
               not_before = now() + ${2 ** (attempts - 1)} * interval '1 second',
               dead_reason = ${attempts >= maxAttempts ? reason : null}
         where id = ${row.id} and processed_at is null`,
  )
}

/** Whether a further claim can find rows that were never tried; false when the database cannot be asked. */
export async function isAnyWaiting(database: Database): Promise<boolean> {
  const [row] = await rows<{ any: boolean }>(
    database,
    sql`select exists (select 1 from webhook_inbox i where ${isWaiting} and i.attempts = 0) as any`,
  ).catch(() => [])
  return row?.any ?? false
}
