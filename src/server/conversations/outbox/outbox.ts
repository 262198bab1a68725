import { sql } from 'drizzle-orm'
import type { Gateway, SendResult } from '#server/gateway/gateway.ts'
import { type Database, type Db, inTransaction, rows } from '#server/platform/database/db.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import type { FileStore } from '#server/platform/file-store.ts'
import type { Log } from '#server/platform/log.ts'
import { combineWorkers, createWorker, type Worker } from '#server/platform/work/worker.ts'
import { recordFailed, recordSent, moveTo } from '#server/conversations/messages/sent.ts'
import { claim, type Claimed } from './outbox-claim.ts'
import { resolveDoubts } from './outbox-unconfirmed.ts'
import { noteHealth, returnProbe, takeTurn, type Turn } from './outbox-pace.ts'
import { maxTries, type OutboxTimes, usualTimes } from './outbox-times.ts'
import { sendMessageOut } from './outgoing.ts'
import { lockConversation } from '#server/conversations/store/lock.ts'

/** Rolls a claim back: it is another message's turn. */
class AnotherGoes extends Error {}

const concurrency = 8
const pollMs = 1000

/**
 * Sends what the outbox holds, and verifies sends without a clear answer. No transaction is open during a
 * call.
 */
export function startOutboxWorker(
  { database, gateway, files, log }: { database: Database; gateway: Gateway; files: FileStore; log: Log },
  times: OutboxTimes = usualTimes,
): Worker {
  const claimNext = () =>
    inTransaction(database, async (db) => {
      const row = await claim(db, times.leaseMs)
      if (!row) return undefined
      await moveTo(db, row.messageId, 'sending')
      const turn = await takeTurn(db, row, times.leaseMs)
      if (!turn) throw new AnotherGoes()
      return { ...row, ...turn }
    }).catch((error: unknown) => {
      if (error instanceof AnotherGoes) return undefined
      throw error
    })

  const sendNext = async (stopping: AbortSignal): Promise<boolean> => {
    const claimed = await claimNext()
    if (!claimed) return false
    await failpoint('outbox.claimed')
    if (claimed.waitMs > 0) await new Promise((resolve) => setTimeout(resolve, claimed.waitMs))
    if (stopping.aborted) {
      await giveBack(database, claimed)
      return false
    }
    const result = await sendMessageOut({ database, gateway, files }, claimed)
    await failpoint('outbox.answered')
    await settle(database, claimed, result, times)
    if (result.kind !== 'sent')
      log.warn({ outboxId: claimed.id, result: result.kind, detail: result.detail }, 'message not confirmed')
    return true
  }

  return combineWorkers([
    createWorker({
      name: 'outbox',
      database,
      log,
      channel: 'outbox',
      concurrency,
      pollMs,
      work: async ({ stopping }) => ((await sendNext(stopping)) ? 'more' : 'idle'),
    }),
    // From the start: what a dead process was sending holds its conversation up until it is verified.
    createWorker({
      name: 'unconfirmed-sends',
      database,
      log,
      pollMs: times.lookMs,
      failureLevel: 'warn',
      async work() {
        await resolveDoubts(database, gateway, log, times)
        return 'idle'
      },
    }),
  ])
}

/** Writes down what the answer proves. */
async function settle(
  database: Database,
  claimed: Claimed & Turn,
  result: SendResult,
  times: OutboxTimes,
): Promise<void> {
  await inTransaction(database, async (db) => {
    // The conversation first, as everybody does: an echo may bring the proof at this very moment.
    await lockConversation(db, claimed.conversationId)
    await noteHealth(db, claimed, result.kind === 'sent' || result.kind === 'refused', times.breakerMs)
    switch (result.kind) {
      case 'sent':
        return recordSent(db, claimed.messageId, result.waId)
      case 'refused':
        if (await setState(db, claimed.id, sql`state = 'failed', last_error = ${result.detail}`))
          await recordFailed(db, claimed.messageId, result.reason)
        return db.signal('outbox')
      case 'not_sent':
        // Nothing can have left: trying again is safe, and does not count as a try.
        if (
          await setState(
            db,
            claimed.id,
            sql`state = 'pending', last_error = ${result.detail}, tries = greatest(0, tries - 1),
                not_before = now() + interval '1 second' * (2 + 3 * random())`,
          )
        )
          await moveTo(db, claimed.messageId, 'pending')
        return
      case 'unknown':
        if (
          await setState(
            db,
            claimed.id,
            sql`state = 'unknown', unknown_since = app_now(), last_error = ${result.detail},
                tries = greatest(tries, ${result.isRecorded ? 0 : maxTries})`,
          )
        )
          await moveTo(db, claimed.messageId, 'unknown')
        return
    }
  })
}

/** Claimed, and the gateway was not asked: the other instances need not wait for the lease. */
async function giveBack(database: Database, claimed: Claimed & Turn): Promise<void> {
  await inTransaction(database, async (db) => {
    await lockConversation(db, claimed.conversationId)
    if (claimed.isProbe) await returnProbe(db, claimed.instanceId)
    if (await setState(db, claimed.id, sql`state = 'pending', tries = greatest(0, tries - 1)`))
      await moveTo(db, claimed.messageId, 'pending')
    db.signal('outbox')
  })
}

/**
 * Only what is still under way: an echo may have proven the message sent while the answer was on its way.
 * @returns whether it was; if not, the message is no longer this answer's to speak of
 */
async function setState(db: Db, outboxId: number, change: ReturnType<typeof sql>): Promise<boolean> {
  const changed = await rows(
    db,
    sql`update outbox set lease_until = null, ${change} where id = ${outboxId} and state = 'sending' returning id`,
  )
  return changed.length > 0
}
