import { setTimeout } from 'node:timers/promises'
import { type SQL, sql } from 'drizzle-orm'
import {
  type Database,
  type Db,
  type Emit,
  inSavepoint,
  inTransaction,
  isDatabaseDown,
  isWorthRepeating,
  rows,
} from '#server/platform/db.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import type { Log } from '#server/platform/log.ts'
import { createSleepers } from '#server/platform/sleepers.ts'
import { parseWebhook } from './evolution-webhook.ts'
import type { GatewayEvent } from './gateway-events.ts'

/** What is made of events: handed in by main, since the conversations' room comes later. Runs in the open transaction. */
export interface EventHandlers {
  one(db: Db, emit: Emit, instanceId: number, event: GatewayEvent): Promise<void>
  /**
   * Of many events, each of another lane, does those that it can do together.
   * @returns for each whether it is done; nothing is left behind of the others
   */
  many(db: Db, emit: Emit, instanceId: number, events: GatewayEvent[]): Promise<boolean[]>
}

interface ClaimedRow extends Record<string, unknown> {
  id: number
  instanceId: number
  payload: unknown
  attempts: number
}

const isWaiting = sql`i.processed_at is null and i.dead_reason is null and i.instance_id is not null`

/**
 * Rows that are the oldest of their lane and that nobody works at. Their locks are held until the effect is committed,
 * so a lane is worked off in order by any number of instances, and a lane never waits for another. Each row asks the
 * index of lanes; by 'not exists' the planner may read the whole queue for every batch.
 */
function claim(db: Db, which: SQL, limit: number): Promise<ClaimedRow[]> {
  return rows<ClaimedRow>(
    db,
    sql`select i.id, i.instance_id as "instanceId", i.payload, i.attempts from webhook_inbox i
         where ${isWaiting} and i.not_before <= now() and ${which}
           and (select e.id from webhook_inbox e where e.lane = i.lane and e.id < i.id
                   and e.processed_at is null and e.dead_reason is null limit 1) is null
         order by i.id limit ${limit} for update of i skip locked`,
  )
}

const largestBatch = 64
/** With a long queue and few lanes most rows wait for others of their lane: so many are looked at for a batch. */
const window = 512

const inWindow = sql`i.attempts = 0 and i.id <= coalesce((select i.id from webhook_inbox i where ${isWaiting}
  order by i.id offset ${window} limit 1), 2147483647)`

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

export interface InboxWorker {
  stop(): Promise<void>
}

const workers = 4
const pollMs = 1000
/** After a batch was begun: what comes meanwhile is done together, at the price of one. */
const restMs = 15

/**
 * Works the inbox off: effect and mark in one transaction. What is usual goes many rows at a time, everything else one
 * by one. An event that fails five times is put aside with its reason, and its lane goes on.
 */
export function startInboxWorker(database: Database, log: Log, handlers: EventHandlers): InboxWorker {
  let isStopped = false
  const sleepers = createSleepers()

  /** One row in a transaction of its own. @returns whether there was one */
  const workOne = (which: SQL) =>
    inTransaction(database, async (outer, emitOuter) => {
      const [claimed] = await claim(outer, which, 1)
      if (!claimed) return false
      try {
        await inSavepoint(outer, emitOuter, async (db, emit) => {
          for (const event of parseWebhook(claimed.payload).events)
            await handlers.one(db, emit, claimed.instanceId, event)
        })
        await markProcessed(outer, [claimed.id])
      } catch (error) {
        if (isDatabaseDown(error) || isWorthRepeating(error)) throw error
        log.error({ err: error, inboxId: claimed.id }, 'inbox event failed')
        await noteFailure(outer, claimed, error)
      }
      return true
    })

  /** @returns what was claimed, and what of it wants a transaction of its own */
  const workMany = async () => {
    let claimed: ClaimedRow[] = []
    try {
      return await inTransaction(database, async (db, emit) => {
        claimed = await claim(db, inWindow, largestBatch)
        const done = await handleMany(db, emit, claimed, handlers)
        await markProcessed(db, [...done])
        return { count: claimed.length, left: claimed.filter((row) => !done.has(row.id)) }
      })
    } catch (error) {
      if (isDatabaseDown(error) || claimed.length === 0) throw error
      // One that fails must not hold up the others: alone it is found out.
      log.warn({ err: error, rows: claimed.length }, 'inbox batch failed')
      return { count: claimed.length, left: claimed }
    }
  }

  /** @returns how much there was to do */
  const work = async (isThorough: boolean) => {
    const { count, left } = await workMany()
    if (count === largestBatch) {
      begunAtMs = -Infinity
      sleepers.wakeOne()
    }
    for (const { id } of left) await workOne(sql`i.id = ${id}`)
    return count > 0 || !isThorough ? count : Number(await workOne(sql`true`))
  }

  let begunAtMs = -Infinity
  /** Until it is somebody's turn: the first one of those who wait. A batch that was full is followed at once. */
  const turn = async () => {
    for (;;) {
      const waitMs = begunAtMs + restMs - performance.now()
      if (waitMs <= 0 || isStopped) break
      await setTimeout(waitMs)
    }
    begunAtMs = performance.now()
  }

  const run = async () => {
    // What failed before, or stands behind a whole window of rows that wait for others, is looked for once a second.
    let isThorough = true
    while (!isStopped) {
      await turn()
      const count = await work(isThorough).catch((error: unknown) => {
        log.warn({ err: error }, 'inbox waits')
        return 0
      })
      if (count > 0 && (isThorough || (await isAnyWaiting(database)))) continue
      if (!isStopped) isThorough = (await sleepers.sleep(pollMs)) === 'time'
    }
  }

  const off = database.wake.on('inbox', sleepers.wakeOne)
  const running = Array.from({ length: workers }, run)
  return {
    async stop() {
      isStopped = true
      off()
      sleepers.wakeAll()
      await Promise.all(running)
    },
  }
}

/** Before a worker that had work lies down: less than another claim. */
async function isAnyWaiting(database: Database): Promise<boolean> {
  const [row] = await rows<{ any: boolean }>(
    database,
    sql`select exists (select 1 from webhook_inbox i where ${isWaiting} and i.attempts = 0) as any`,
  ).catch(() => [])
  return row?.any ?? false
}

/** @returns the ids of the rows that are done */
async function handleMany(
  db: Db,
  emit: Emit,
  claimed: ClaimedRow[],
  handlers: EventHandlers,
): Promise<Set<number>> {
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
    emit,
    first.instanceId,
    single.map(({ event }) => event),
  )
  for (const [n, { id }] of single.entries()) if (results[n]) done.add(id)
  return done
}
