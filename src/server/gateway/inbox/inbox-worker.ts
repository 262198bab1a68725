import { setTimeout } from 'node:timers/promises'
import { type SQL, sql } from 'drizzle-orm'
import {
  type Database,
  type Db,
  inSavepoint,
  inTransaction,
  isDatabaseDown,
  isWorthRepeating,
  rows,
  type Tx,
} from '#server/platform/database/db.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import type { Log } from '#server/platform/log.ts'
import { createWorker, type Pass, type Worker } from '#server/platform/work/worker.ts'
import { parseWebhook } from '#server/gateway/evolution/parse/webhook.ts'
import type { GatewayEvent } from '#server/gateway/evolution/parse/gateway-events.ts'

/**
 * What is made of events: handed in by main, since the conversations' room comes later. Runs in the open
 * transaction.
 */
export interface EventHandlers {
  one(db: Tx, instanceId: number, event: GatewayEvent): Promise<void>
  /**
   * Of many events, each of another lane, does those that it can do together.
   * @returns for each whether it is done; nothing is left behind of the others
   */
  many(db: Tx, instanceId: number, events: GatewayEvent[]): Promise<boolean[]>
}

const isWaiting = sql`i.processed_at is null and i.dead_reason is null and i.instance_id is not null`
const claimedColumns = sql`i.id, i.lane, i.instance_id as "instanceId", i.payload, i.attempts`

interface ClaimedRow extends Record<string, unknown> {
  id: number
  lane: string
  instanceId: number
  payload: unknown
  attempts: number
}

/**
 * Oldest of its lane. Each row asks the index of lanes; by 'not exists' the planner may read the whole queue.
 */
const isHead = sql`(select e.id from webhook_inbox e where e.lane = i.lane and e.id < i.id
  and e.processed_at is null and e.dead_reason is null and e.instance_id is not null limit 1) is null`

/**
 * A row that is the oldest of its lane and that nobody works at. Its lock is held until the effect is
 * committed, so a lane is worked off in order by any number of instances, and a lane never waits for another.
 */
async function claimOne(db: Db, which: SQL): Promise<ClaimedRow | undefined> {
  const [row] = await rows<ClaimedRow>(
    db,
    sql`select ${claimedColumns} from webhook_inbox i
         where ${isWaiting} and i.not_before <= now() and ${which} and ${isHead}
         order by i.id limit 1 for update of i skip locked`,
  )
  return row
}

const largestBatch = 64
/** Lanes that are looked at for a batch: other instances may be working at as many again. */
const lanesAsked = 2 * largestBatch

interface ClaimedHead extends ClaimedRow {
  /** Whether more of its lane is waiting behind it. */
  hasMore: boolean
}

interface Batch {
  claimed: ClaimedHead[]
}

/**
 * Such rows, one a lane, each found by one step through the index: however long the queue, however many rows
 * of it wait for others of their lane, a batch costs the same.
 * @param after only lanes behind this one, in the order of the index
 * @param inHand rows that this process works at one by one, after the batch that claimed them
 */
function claimHeads(db: Db, after: string, inHand: number[]): Promise<ClaimedHead[]> {
  const headBehind = (lane: SQL) =>
    sql`select i.lane, i.id, i.attempts = 0 and i.not_before <= now() as ready from webhook_inbox i
         where ${isWaiting} and i.lane > ${lane} order by i.lane, i.id limit 1`
  return rows<ClaimedHead>(
    db,
    sql`with recursive heads as (
          (${headBehind(sql`${after}`)})
          union all
          select n.* from heads h cross join lateral (${headBehind(sql`h.lane`)}) n)
        select ${claimedColumns},
               (select n.id from webhook_inbox n where n.lane = i.lane and n.id > i.id
                   and n.processed_at is null and n.dead_reason is null and n.instance_id is not null limit 1)
               is not null as "hasMore"
          from webhook_inbox i
         where i.id in (select h.id from heads h where h.ready and h.id <> all(${sql.param(inHand)}::int[])
                         limit ${lanesAsked})
           and ${isWaiting} and i.attempts = 0
         order by i.lane limit ${largestBatch} for update of i skip locked`,
  )
}

async function markProcessed(db: Db, ids: number[]): Promise<void> {
  if (ids.length === 0) return
  await failpoint('inbox.processing')
  await db.execute(
    sql`update webhook_inbox set processed_at = app_now()
         where id = any(${sql.param(ids)}::int[])`,
  )
}

const maxAttempts = 5

/** Under the lock of the claim: no other worker tries before the pause is over. */
async function noteFailure(db: Db, row: ClaimedRow, error: unknown): Promise<void> {
  const attempts = row.attempts + 1
  const reason = error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 500) : 'unknown'
  await db.execute(
    sql`update webhook_inbox set attempts = ${attempts},
               not_before = now() + ${2 ** (attempts - 1)} * interval '1 second',
               dead_reason = ${attempts >= maxAttempts ? reason : null}
         where id = ${row.id} and processed_at is null`,
  )
}

/** Fewer lanes than this are worked off row after row instead of a batch a row. */
const fewLanes = 8
const mostFollowed = 32

const concurrency = 4
const pollMs = 1000
/** Between the beginnings of two batches: what arrives meanwhile is done together, at the price of one. */
const restMs = 15

/**
 * Processes the inbox, with the effect of an event and its mark in one transaction. Usual events go many rows
 * at a time, all others one by one. An event that fails five times is put aside with its reason, and its lane
 * goes on.
 */
export function startInboxWorker(database: Database, log: Log, handlers: EventHandlers): Worker {
  /** One row in a transaction of its own. @returns whether there was one */
  const workOne = (which: SQL) =>
    inTransaction(database, async (outer) => {
      const claimed = await claimOne(outer, which)
      if (!claimed) return false
      try {
        await inSavepoint(outer, async (db) => {
          for (const event of parseWebhook(claimed.payload).events)
            await handlers.one(db, claimed.instanceId, event)
        })
        await markProcessed(outer, [claimed.id])
      } catch (error) {
        if (isDatabaseDown(error) || isWorthRepeating(error)) throw error
        log.error({ err: error, inboxId: claimed.id }, 'inbox event failed')
        await noteFailure(outer, claimed, error)
      }
      return true
    })

  let lastLane = ''
  /**
   * Each from its claim until all of it is worked off: what holds no lock meanwhile, others would claim once
   * more.
   */
  const batches = new Set<Batch>()

  /** The heads of as many lanes as make a batch, lane after lane in turn, so that none waits for ever. */
  const claimNext = async (db: Db, batch: Batch) => {
    batch.claimed = []
    const inHand = [...batches].flatMap(({ claimed }) => claimed.map(({ id }) => id))
    const heads = await claimHeads(db, lastLane, inHand)
    lastLane = heads.length === largestBatch ? (heads.at(-1)?.lane ?? '') : ''
    batch.claimed = heads.toSorted((a, b) => a.id - b.id)
  }
  let lastClaim: Promise<unknown> = Promise.resolve()
  /** One after the other, since each has to know what the others have. */
  const claimBatch = (db: Db, batch: Batch) => {
    const claim = lastClaim.then(() => claimNext(db, batch))
    lastClaim = claim.catch(() => undefined)
    return claim
  }

  /** @returns what of the batch wants a transaction of its own */
  const workMany = async (batch: Batch): Promise<ClaimedHead[]> => {
    try {
      return await inTransaction(database, async (db) => {
        await claimBatch(db, batch)
        const done = await handleMany(db, batch.claimed, handlers)
        await markProcessed(db, [...done])
        return batch.claimed.filter((row) => !done.has(row.id))
      })
    } catch (error) {
      const { claimed } = batch
      if (isDatabaseDown(error) || claimed.length === 0) throw error
      // One that fails must not hold up the others: alone it is found out.
      log.warn({ err: error, rows: claimed.length }, 'inbox batch failed')
      return claimed
    }
  }

  /**
   * Goes on in lanes where more is waiting: a batch each row would make a long lane wait for its turn every
   * time.
   */
  const follow = async (lanes: string[], { stopping }: Pass) => {
    for (let rest = mostFollowed; rest > 0 && lanes.length > 0 && !stopping.aborted; rest -= lanes.length) {
      const going: string[] = []
      for (const lane of lanes) if (await workOne(sql`i.lane = ${lane} and i.attempts = 0`)) going.push(lane)
      lanes = going
    }
  }

  /** @returns how much there was to do */
  const workBatch = async (batch: Batch, pass: Pass) => {
    const left = await workMany(batch)
    const longer = batch.claimed.filter(({ hasMore }) => hasMore).map(({ lane }) => lane)
    const isFull = batch.claimed.length === largestBatch
    if (isFull) begunAtMs = -Infinity
    if (isFull || longer.length >= fewLanes) pass.wakeAnother()
    for (const { id } of left) if (!pass.stopping.aborted) await workOne(sql`i.id = ${id}`)
    if (longer.length < fewLanes) await follow(longer, pass)
    return batch.claimed.length
  }

  let begunAtMs = -Infinity
  /**
   * Until it is somebody's turn: the first one of those who wait. A batch that was full is followed at once.
   */
  const turn = async ({ stopping }: Pass) => {
    for (;;) {
      const waitMs = begunAtMs + restMs - performance.now()
      if (waitMs <= 0 || stopping.aborted) break
      await setTimeout(waitMs)
    }
    begunAtMs = performance.now()
  }

  const work = async (pass: Pass) => {
    await turn(pass)
    const batch: Batch = { claimed: [] }
    batches.add(batch)
    const count = await workBatch(batch, pass).finally(() => batches.delete(batch))
    // What failed before, or stands behind a whole window of rows that wait for others, is looked for once a
    // second.
    if (pass.reason === 'poll') return count > 0 || (await workOne(sql`true`)) ? 'more' : 'idle'
    return count > 0 && (await isAnyWaiting(database)) ? 'more' : 'idle'
  }

  return createWorker({ name: 'inbox', database, log, channel: 'inbox', concurrency, pollMs, work })
}

/** Whether another claim is worth its cost. */
async function isAnyWaiting(database: Database): Promise<boolean> {
  const [row] = await rows<{ any: boolean }>(
    database,
    sql`select exists (select 1 from webhook_inbox i where ${isWaiting} and i.attempts = 0) as any`,
  ).catch(() => [])
  return row?.any ?? false
}

/** @returns the ids of the rows that are done */
async function handleMany(db: Tx, claimed: ClaimedRow[], handlers: EventHandlers): Promise<Set<number>> {
  const done = new Set<number>()
  const [first] = claimed
  const single: { id: number; event: GatewayEvent }[] = []
  // One number at a time, so that locks are taken in one order.
  for (const { id, payload } of claimed.filter((row) => row.instanceId === first?.instanceId)) {
    const { events } = parseWebhook(payload)
    if (events.every((event) => event.kind === 'ignored')) done.add(id)
    else if (events.length === 1 && events[0]) single.push({ id, event: events[0] })
  }
  if (!first || single.length === 0) return done
  const results = await handlers.many(
    db,
    first.instanceId,
    single.map(({ event }) => event),
  )
  for (const [n, { id }] of single.entries()) if (results[n]) done.add(id)
  return done
}
