import { sql } from 'drizzle-orm'
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
import { webhookInbox } from '#server/schema/gateway.ts'
import { parseWebhook } from './evolution-webhook.ts'
import type { GatewayEvent } from './gateway-events.ts'
import { partsOf } from './parts.ts'

export interface ArrivedWebhook {
  instanceId: number | null
  instanceName: string
  event: string
  dedupeKey: string
  lane: string
  payload: unknown
}

/** What is made of an event: handed in by main, since the conversations' room comes later. Runs in the open transaction. */
export type HandleEvent = (db: Db, emit: Emit, instanceId: number, event: GatewayEvent) => Promise<void>

export interface InboxWriter {
  /** Resolves when the body is committed under its key; a second one with the same key adds nothing. */
  store(webhook: ArrivedWebhook): Promise<void>
}

const largestBatch = 200

/** Bodies that arrive while one commit is under way share the next one. */
export function createInboxWriter(database: Database): InboxWriter {
  let queue: { webhook: ArrivedWebhook; resolve: () => void; reject: (error: unknown) => void }[] = []
  let isWriting = false

  const write = async (batch: ArrivedWebhook[]) => {
    await failpoint('inbox.storing')
    await database.insert(webhookInbox).values(batch).onConflictDoNothing()
    await failpoint('inbox.stored')
    database.wake.signal('inbox')
  }

  const flush = async () => {
    isWriting = true
    while (queue.length > 0) {
      const batch = queue.slice(0, largestBatch)
      queue = queue.slice(largestBatch)
      try {
        await write(batch.map((entry) => entry.webhook))
        for (const entry of batch) entry.resolve()
      } catch (error) {
        // One body that the database cannot hold must not refuse its neighbours.
        if (batch.length === 1 || isDatabaseDown(error)) batch.forEach((entry) => entry.reject(error))
        else await Promise.all(batch.map((entry) => write([entry.webhook]).then(entry.resolve, entry.reject)))
      }
    }
    isWriting = false
  }

  const storePart = (webhook: ArrivedWebhook) =>
    new Promise<void>((resolve, reject) => {
      queue.push({ webhook, resolve, reject })
      if (!isWriting) void flush()
    })

  return {
    store: async (webhook) => {
      await Promise.all(partsOf(webhook).map(storePart))
    },
  }
}

interface ClaimedRow extends Record<string, unknown> {
  id: number
  instanceId: number
  payload: unknown
  attempts: number
}

/**
 * The oldest row of a lane that nobody works at. Its lock is held until the effect is committed, so a lane is worked
 * off in order by any number of instances, and a lane never waits for another.
 */
async function claim(db: Db): Promise<ClaimedRow | undefined> {
  const [row] = await rows<ClaimedRow>(
    db,
    sql`select i.id, i.instance_id as "instanceId", i.payload, i.attempts from webhook_inbox i
         where i.processed_at is null and i.dead_reason is null and i.instance_id is not null and i.not_before <= now()
           and not exists (select 1 from webhook_inbox e where e.lane = i.lane and e.id < i.id
                              and e.processed_at is null and e.dead_reason is null)
         order by i.id limit 1 for update of i skip locked`,
  )
  return row
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

/**
 * Works the inbox off: one transaction an event row, effect and mark together. An event that fails five times is put
 * aside with its reason, and its lane goes on.
 */
export function startInboxWorker(database: Database, log: Log, handle: HandleEvent): InboxWorker {
  let isStopped = false
  const idle = new Set<() => void>()

  /** @returns whether there was something to do */
  const workOne = () =>
    inTransaction(database, async (outer, emitOuter) => {
      const claimed = await claim(outer)
      if (!claimed) return false
      try {
        await inSavepoint(outer, emitOuter, async (db, emit) => {
          for (const event of parseWebhook(claimed.payload).events)
            await handle(db, emit, claimed.instanceId, event)
        })
        await failpoint('inbox.processing')
        await outer.execute(sql`update webhook_inbox set processed_at = app_now() where id = ${claimed.id}`)
      } catch (error) {
        if (isDatabaseDown(error) || isWorthRepeating(error)) throw error
        log.error({ err: error, inboxId: claimed.id }, 'inbox event failed')
        await noteFailure(outer, claimed, error)
      }
      return true
    })

  const sleep = () =>
    new Promise<void>((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        idle.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, pollMs)
      idle.add(wake)
    })

  const wakeAll = () => {
    for (const wake of idle) wake()
  }

  const run = async () => {
    while (!isStopped) {
      const hadWork = await workOne().catch((error: unknown) => {
        log.warn({ err: error }, 'inbox waits')
        return false
      })
      if (!hadWork && !isStopped) await sleep()
    }
  }

  const off = database.wake.on('inbox', wakeAll)
  const running = Array.from({ length: workers }, run)
  return {
    async stop() {
      isStopped = true
      off()
      wakeAll()
      await Promise.all(running)
    },
  }
}

/** For readiness and metrics: how old the oldest waiting event is, how many are put aside. */
export async function inboxHealth(
  db: Db,
): Promise<{ oldestSeconds: number; dead: number; quarantined: number }> {
  const [row] = await rows<{ oldestSeconds: number; dead: number; quarantined: number }>(
    db,
    sql`select coalesce((select extract(epoch from app_now() - min(received_at)) from webhook_inbox
                          where processed_at is null and dead_reason is null and instance_id is not null), 0)::float8 as "oldestSeconds",
               (select count(*)::int from webhook_inbox where dead_reason is not null) as dead,
               (select count(*)::int from webhook_inbox where instance_id is null and processed_at is null
                  and dead_reason is null) as quarantined`,
  )
  return row ?? { oldestSeconds: 0, dead: 0, quarantined: 0 }
}
