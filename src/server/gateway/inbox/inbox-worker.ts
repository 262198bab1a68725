import { setTimeout } from 'node:timers/promises'
import { type SQL, sql } from 'drizzle-orm'
import {
  type Database,
  type Db,
  inSavepoint,
  inTransaction,
  isDatabaseDown,
  isWorthRepeating,
  type Tx,
} from '#server/platform/database/db.ts'
import type { Log } from '#server/platform/log.ts'
import { createWorker, type Pass, type Worker } from '#server/platform/work/worker.ts'
import type { GatewayEvent } from '#server/gateway/evolution/parse/gateway-events.ts'
import {
  claimHeads,
  claimOne,
  forgetBody,
  type ClaimedHead,
  type ClaimedRow,
  isAnyWaiting,
  largestBatch,
  lockHeads,
  markProcessed,
  noteFailure,
} from './claims.ts'

/** The result of an event of which nothing may be kept, not even its body. */
export const forget = Symbol('forget')

/**
 * The effects of events. A parameter, because the conversations' room comes after this one. Both functions
 * run in the open transaction.
 */
export interface EventHandlers {
  one(db: Tx, instanceId: number, event: GatewayEvent): Promise<typeof forget | void>
  /**
   * Handles those of many events, each of another lane, that it can handle together.
   * @returns for each event whether it is handled; an unhandled one has no effect
   */
  many(db: Tx, instanceId: number, events: GatewayEvent[]): Promise<boolean[]>
}

interface Batch {
  claimed: ClaimedHead[]
  /** The number of its claim; a later claim passes over lanes whose heads are in this batch. */
  claim: number
  /** Its claim began in the middle of the order of lanes, and saw none of those before. */
  isFromMiddle: boolean
}

/** Fewer lanes than this are processed row by row instead of one batch per row. */
const fewLanes = 8
const maxFollowed = 32

/** Of all lanes. The index of the oldest rows requires this condition. */
const oldest = sql`i.id > 0`

const concurrency = 4
const pollMs = 1000
/** Minimum time between the starts of two batches: rows that arrive in between share one transaction. */
const restMs = 15

/**
 * Processes the inbox. The effect of an event and the mark of its row are one transaction. Common events are
 * handled many rows at a time, all others one by one. A row that fails five times is put aside with its
 * reason, and its lane continues.
 */
export function startInboxWorker(database: Database, log: Log, handlers: EventHandlers): Worker {
  /** Processes one row in a transaction of its own. @returns whether there was one */
  const workOne = (which: SQL, knownEvents?: GatewayEvent[]) =>
    inTransaction(database, async (outer) => {
      const claimed = await claimOne(outer, which, knownEvents)
      if (!claimed) return false
      try {
        const isForgotten = await inSavepoint(outer, async (db) => {
          const results: unknown[] = []
          for (const event of claimed.events) results.push(await handlers.one(db, claimed.instanceId, event))
          return results.includes(forget)
        })
        if (isForgotten) await forgetBody(outer, claimed.id)
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
   * Each from its claim until all of its rows are processed. Rows that wait for a transaction of their own
   * are not locked meanwhile, and another batch would claim them again.
   */
  const batches = new Set<Batch>()
  let claims = 0

  /** Claims the heads of the next lanes, lane after lane in turn, so that none waits forever. */
  const claimNext = async (db: Db, batch: Batch) => {
    batch.claimed = []
    batch.claim = ++claims
    batch.isFromMiddle = lastLane !== ''
    const inHand = [...batches].flatMap(({ claimed }) => claimed.map(({ id }) => id))
    const heads = await claimHeads(db, lastLane, inHand)
    lastLane = heads.length === largestBatch ? (heads.at(-1)?.lane ?? '') : ''
    batch.claimed = heads.toSorted((a, b) => a.id - b.id)
  }
  let lastClaim: Promise<unknown> = Promise.resolve()
  /** One claim after the other, since each excludes the rows of the others. */
  const claimBatch = (db: Db, batch: Batch) => {
    const claim = lastClaim.then(() => claimNext(db, batch))
    lastClaim = claim.catch(() => undefined)
    return claim
  }

  /**
   * Processes rows of one number together. Those of several would take the locks of contacts, who write to
   * several, in another order than other batches do.
   * @returns those that need a transaction of their own
   */
  const workTogether = async (db: Tx, some: ClaimedHead[]): Promise<ClaimedHead[]> => {
    const done = await handleMany(db, some, handlers)
    await markProcessed(db, [...done])
    return some.filter((row) => !done.has(row.id))
  }

  /** @returns the rows of the batch that need a transaction of their own */
  const workMany = async (batch: Batch): Promise<ClaimedHead[]> => {
    let others: ClaimedHead[][] = []
    let left: ClaimedHead[]
    try {
      left = await inTransaction(database, async (db) => {
        await claimBatch(db, batch)
        const [first = [], ...rest] = Map.groupBy(batch.claimed, (row) => row.instanceId).values()
        others = rest
        return workTogether(db, first)
      })
    } catch (error) {
      const { claimed } = batch
      if (isDatabaseDown(error) || claimed.length === 0) throw error
      // Processed one by one, the row that fails shows itself and does not hold up the others.
      log.warn({ err: error, rows: claimed.length }, 'inbox batch failed')
      return claimed
    }
    for (const some of others) left.push(...(await workOther(some)))
    return left.toSorted((a, b) => a.id - b.id)
  }

  /** The rows of a further number of the batch, of which the lock was let go. */
  const workOther = async (some: ClaimedHead[]): Promise<ClaimedHead[]> => {
    if (some.length < 2) return some
    try {
      return await inTransaction(database, async (db) => {
        const locked = await lockHeads(
          db,
          some.map(({ id }) => id),
        )
        const mine = some.filter(({ id }) => locked.has(id))
        return mine.length === 0 ? [] : workTogether(db, mine)
      })
    } catch (error) {
      if (isDatabaseDown(error)) throw error
      log.warn({ err: error, rows: some.length }, 'inbox batch failed')
      return some
    }
  }

  /**
   * Continues in lanes with waiting rows: with one row per batch, a long lane would wait for its turn each
   * time.
   * @returns whether lanes may have more
   */
  const follow = async (lanes: string[], { stopping }: Pass): Promise<boolean> => {
    for (let rest = maxFollowed; rest > 0 && lanes.length > 0 && !stopping.aborted; rest -= lanes.length) {
      const going: string[] = []
      for (const lane of lanes) if (await workOne(sql`i.lane = ${lane} and i.attempts = 0`)) going.push(lane)
      lanes = going
    }
    return lanes.length > 0
  }

  /** @returns whether rows may be waiting that no signal will announce */
  const workBatch = async (batch: Batch, pass: Pass): Promise<boolean> => {
    const left = await workMany(batch)
    const longer = batch.claimed.filter(({ hasMore }) => hasMore).map(({ lane }) => lane)
    const isFull = batch.claimed.length === largestBatch
    if (isFull) begunAtMs = -Infinity
    if (isFull || longer.length >= fewLanes) pass.wakeAnother()
    for (const { id, events } of left) if (!pass.stopping.aborted) await workOne(sql`i.id = ${id}`, events)
    const isLong = longer.length >= fewLanes || (await follow(longer, pass))
    return isFull || isLong || batch.isFromMiddle || claims !== batch.claim
  }

  let begunAtMs = -Infinity
  /** Waits until `restMs` have passed since the last batch began; a full batch is followed at once. */
  const waitForTurn = async ({ stopping }: Pass) => {
    for (;;) {
      const waitMs = begunAtMs + restMs - performance.now()
      if (waitMs <= 0 || stopping.aborted) break
      await setTimeout(waitMs)
    }
    begunAtMs = performance.now()
  }

  const work = async (pass: Pass) => {
    await waitForTurn(pass)
    const batch: Batch = { claimed: [], claim: 0, isFromMiddle: false }
    batches.add(batch)
    const mayBeMore = await workBatch(batch, pass).finally(() => batches.delete(batch))
    const count = batch.claimed.length
    // Batches pass over rows that failed before and rows behind a whole window of waiting heads: the poll
    // finds them.
    if (pass.reason === 'poll') return count > 0 || (await workOne(oldest)) ? 'more' : 'idle'
    if (count === 0 && !batch.isFromMiddle) return 'idle'
    return mayBeMore && (await isAnyWaiting(database)) ? 'more' : 'idle'
  }

  return createWorker({ name: 'inbox', database, log, channel: 'inbox', concurrency, pollMs, work })
}

/** @param claimed of one number. @returns the ids of the rows that are done */
async function handleMany(db: Tx, claimed: ClaimedRow[], handlers: EventHandlers): Promise<Set<number>> {
  const done = new Set<number>()
  const [first] = claimed
  const single: { id: number; event: GatewayEvent }[] = []
  for (const { id, events } of claimed) {
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
