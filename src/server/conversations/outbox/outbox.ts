import { setTimeout } from 'node:timers/promises'
import type { Gateway } from '#server/gateway/gateway.ts'
import { type Database, inTransaction, isDatabaseDown, pgCode } from '#server/platform/database/db.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import type { FileStore } from '#server/platform/file-store.ts'
import { BucketError } from '#server/platform/file-store/bucket-client.ts'
import type { Log } from '#server/platform/log.ts'
import { combineWorkers, createWorker, type Pass, type Worker } from '#server/platform/work/worker.ts'
import { claimMessage } from './outbox-claim.ts'
import { type Send, startLeases } from './outbox-leases.ts'
import { listUnconfirmed, resolveOfNumber } from './outbox-unconfirmed.ts'
import { reserveSlot } from './outbox-pace.ts'
import { type OutboxTimes, usualTimes } from './outbox-times.ts'
import { recordResult, releaseClaim } from './outcomes.ts'
import { learnAddress, sendStored } from './outgoing.ts'
import { createPerNumber, endingWith } from '#server/platform/work/per-number.ts'
import { createShares } from '#server/platform/work/shares.ts'
import { changeMessage, urgencyOf } from '#server/conversations/store/change.ts'
import { lockMessage } from '#server/conversations/store/lock.ts'

/** Rolls back a claim for which the number has no slot. */
class NoSlot extends Error {
  readonly instanceId: number
  constructor(instanceId: number) {
    super()
    this.instanceId = instanceId
  }
}

/** Messages of one number that are under way in this process. */
const mostOfNumber = 8
/** Sixteen numbers whose gateways never answer leave room for others, until their breakers open. */
const concurrency = 17 * mostOfNumber
const pollMs = 1000
/** How long a look at unconfirmed sends waits for the slowest number. */
const patienceMs = 1000
const showSendingAfterMs = 150
/** Until a file is read again whose bucket is away. */
const awayWaitMs = 10_000
/** Until something is written again that the database, being away, has not taken. */
const writtenAgainMs = 250
/** For how long that is tried. */
const insistMs = 90_000
/** A slot that is further ahead is of a clock that was set back since: it is not waited for. */
const longestSlotMs = 60_000

/**
 * The same will succeed later: the database is away, or has ended a statement that took too long, as any
 * seems to when the clock is set forward.
 */
const isPassing = (error: unknown) => isDatabaseDown(error) || pgCode(error) === '57014'

/**
 * Sends the messages in the outbox, and verifies sends without a clear answer. No transaction is open during
 * a call of the gateway.
 */
export function startOutboxWorker(
  { database, gateway, files, log }: { database: Database; gateway: Gateway; files: FileStore; log: Log },
  times: OutboxTimes = usualTimes,
): Worker {
  const shares = createShares(mostOfNumber)
  const leases = startLeases(database, log, times.leaseMs)

  /** @param without numbers that have just had no slot: others may have */
  const claimNext = async (stopping: AbortSignal, without: number[] = []): Promise<Send | undefined> => {
    let claimed: Send | undefined
    const claim = inTransaction(database, async (db) => {
      const row = await claimMessage(db, times.leaseMs, [...shares.full(), ...without])
      if (!row) return undefined
      const slot = await reserveSlot(db, row, times.leaseMs)
      if (!slot) throw new NoSlot(row.instanceId)
      claimed = { ...row, ...slot }
      return claimed
    })
    return claim.catch(async (error: unknown) => {
      if (error instanceof NoSlot) return claimNext(stopping, [...without, error.instanceId])
      // The database may have committed it and not been able to say so.
      const lost = claimed
      if (lost && isPassing(error)) await surely(() => releaseClaim(database, lost), stopping)
      throw error
    })
  }

  /**
   * Sets 'sending' once the gateway takes long enough for people to notice. The state is for display only,
   * the outbox knows what is being sent: so a failure to write it must not lose the answer.
   */
  const showSending = async (messageId: number, sending: Promise<unknown>) => {
    const answered = new AbortController()
    void sending.catch(() => undefined).then(() => answered.abort())
    const isSlow = await setTimeout(showSendingAfterMs, true, answered).catch(() => false)
    if (!isSlow) return
    await inTransaction(database, async (db) => {
      const message = await lockMessage(db, messageId)
      // An echo or a refusal may have arrived meanwhile.
      if (message?.deliveryStatus === 'pending')
        await changeMessage(db, message, { deliveryStatus: 'sending' }, urgencyOf('sending'))
    }).catch((error: unknown) =>
      log.warn({ err: error, messageId }, 'state of a message under way not written'),
    )
  }

  /** As the last claim saw it. What is stored later comes with a signal of its own. */
  let isMoreWaiting = false

  /** @returns false if there was nothing to send, or the worker stops */
  const sendNext = async ({ stopping, wakeAnother }: Pass): Promise<boolean> => {
    const claimed = await claimNext(stopping)
    isMoreWaiting = claimed?.hasMore ?? false
    if (!claimed) return false
    const end = shares.begin(claimed.instanceId)
    const letGo = leases.hold(claimed)
    try {
      if (isMoreWaiting) wakeAnother()
      return await sendClaimed(claimed, stopping)
    } finally {
      letGo()
      // A claim that passed over the number's messages has seen nothing that waits.
      if (end()) isMoreWaiting = true
    }
  }

  /**
   * Writes what only this process knows as soon as the database takes it: others would have to wait for the
   * lease to end, and then find out. After that it counts no more.
   */
  const surely = async (write: () => Promise<void>, stopping: AbortSignal): Promise<void> => {
    const endMs = performance.now() + insistMs
    for (;;)
      try {
        return await write()
      } catch (error) {
        if (!isPassing(error) || stopping.aborted || performance.now() > endMs) throw error
        await setTimeout(writtenAgainMs)
      }
  }

  const sendClaimed = async (claimed: Send, stopping: AbortSignal): Promise<boolean> => {
    await failpoint('outbox.claimed')
    const isLate = claimed.waitMs > longestSlotMs
    if (claimed.waitMs > 0 && !isLate)
      await setTimeout(claimed.waitMs, undefined, { signal: stopping }).catch(() => undefined)
    if (isLate || stopping.aborted) {
      await surely(() => releaseClaim(database, claimed), stopping)
      return isLate
    }
    const sending = sendStored({ database, gateway, files }, claimed)
    await showSending(claimed.messageId, sending)
    const result = await sending.catch(async (error: unknown) => {
      // Each message is read before the gateway is called.
      if (isPassing(error)) return surely(() => releaseClaim(database, claimed), stopping)
      // The file was not read, so the gateway was not called.
      if (!(error instanceof BucketError)) throw error
      log.warn({ outboxId: claimed.id, reason: error.message }, 'message not sent: the bucket is away')
      await releaseClaim(database, claimed, awayWaitMs)
    })
    if (!result) return true
    await failpoint('outbox.answered')
    await surely(() => recordResult(database, claimed, result, times), stopping)
    if (result.kind === 'sent' && result.jid !== undefined)
      await learnAddress(database, claimed.conversationId, result.jid)
    if (result.kind !== 'sent')
      log.warn({ outboxId: claimed.id, result: result.kind, detail: result.detail }, 'message not confirmed')
    return true
  }

  const verifying = createPerNumber(
    (instanceId) => resolveOfNumber({ database, gateway, log, times }, instanceId),
    (err, instanceId) => log.warn({ err, instanceId }, 'unconfirmed sends not verified'),
  )

  const sending = combineWorkers([
    createWorker({
      name: 'outbox',
      database,
      log,
      channel: 'outbox',
      concurrency,
      pollMs,
      work: async (pass) => ((await sendNext(pass)) && isMoreWaiting ? 'more' : 'idle'),
    }),
    // Runs at the start too: a send left by a dead process blocks its conversation until it is verified.
    endingWith(
      createWorker({
        name: 'unconfirmed-sends',
        database,
        log,
        pollMs: times.verifyMs,
        failureLevel: 'warn',
        async work() {
          await verifying.some(await listUnconfirmed(database), patienceMs)
          return 'idle'
        },
      }),
      verifying,
    ),
  ])
  return {
    // What is still under way when the worker stops keeps its lease to the end.
    async stop() {
      await sending.stop()
      await leases.worker.stop()
    },
    health: () => [...sending.health(), ...leases.worker.health()],
  }
}
