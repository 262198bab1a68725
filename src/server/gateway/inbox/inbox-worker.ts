import { setTimeout } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Database } from '#server/platform/database/db.ts'
import type { Log } from '#server/platform/log.ts'
import { createWorker, type NextPass, type Pass, type Worker } from '#server/platform/work/worker.ts'
import { createBatches } from './batches.ts'
import { isAnyWaiting, largestBatch } from './claims.ts'
import type { EventHandlers } from './event-handlers.ts'
import { processOne, type Processing, processTogether } from './process-rows.ts'

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
  const processing = { database, log, handlers }
  const batches = createBatches()
  const pace = createPace()

  const work = async (pass: Pass): Promise<NextPass> => {
    await pace.wait(pass.stopping)
    const batch = batches.begin()
    /** Whether rows may be waiting that no signal will announce. */
    let mayBeMore: boolean
    try {
      const left = await processTogether(processing, (db) => batches.claim(db, batch))
      const longLanes = batch.rows.filter(({ hasMore }) => hasMore).map(({ lane }) => lane)
      const isFull = batch.rows.length === largestBatch
      const areMany = longLanes.length >= fewLanes
      if (isFull) pace.skip()
      if (isFull || areMany) pass.wakeAnother()
      for (const { id, events } of left)
        if (!pass.stopping.aborted) await processOne(processing, sql`i.id = ${id}`, events)
      const isRest = areMany || (await followLanes(processing, longLanes, pass.stopping))
      mayBeMore = isFull || isRest || batch.isFromMiddle || batches.isPassedOver(batch)
    } finally {
      batches.end(batch)
    }
    const count = batch.rows.length
    // Batches pass over rows that failed before and rows behind a whole window of waiting heads: the poll
    // finds them.
    if (pass.reason === 'poll') return count > 0 || (await processOne(processing, oldest)) ? 'more' : 'idle'
    if (count === 0 && !batch.isFromMiddle) return 'idle'
    return mayBeMore && (await isAnyWaiting(database)) ? 'more' : 'idle'
  }

  return createWorker({ name: 'inbox', database, log, channel: 'inbox', concurrency, pollMs, work })
}

/**
 * Continues in lanes with waiting rows: with one row per batch, a long lane would wait for its turn each
 * time.
 * @returns whether lanes may have more
 */
async function followLanes(processing: Processing, lanes: string[], stopping: AbortSignal): Promise<boolean> {
  for (let rest = maxFollowed; rest > 0 && lanes.length > 0 && !stopping.aborted; rest -= lanes.length) {
    const going: string[] = []
    for (const lane of lanes)
      if (await processOne(processing, sql`i.lane = ${lane} and i.attempts = 0`)) going.push(lane)
    lanes = going
  }
  return lanes.length > 0
}

/** The pauses between the batches of this process. */
function createPace() {
  let begunAtMs = -Infinity
  return {
    /** Waits until `restMs` have passed since the last batch began. */
    async wait(stopping: AbortSignal): Promise<void> {
      for (;;) {
        const waitMs = begunAtMs + restMs - performance.now()
        if (waitMs <= 0 || stopping.aborted) break
        await setTimeout(waitMs)
      }
      begunAtMs = performance.now()
    },
    /** Has the next batch follow at once. */
    skip: () => void (begunAtMs = -Infinity),
  }
}
