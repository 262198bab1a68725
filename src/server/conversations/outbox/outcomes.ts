import { sql } from 'drizzle-orm'
import { noteIdIgnored, type SendResult } from '#server/gateway/gateway.ts'
import { type Database, type Db, inTransaction, rows, type Tx } from '#server/platform/database/db.ts'
import { recordFailed, recordSent, moveTo } from '#server/conversations/messages/sent.ts'
import type { Claimed } from './outbox-claim.ts'
import type { Send } from './outbox-leases.ts'
import { type Health, recordHealth, releaseProbe } from './outbox-pace.ts'
import type { OutboxTimes } from './outbox-times.ts'
import { lockConversation } from '#server/conversations/store/lock.ts'

// How a claim of a message ends.

/**
 * Records what the gateway's answer proves. Locks are taken in one order: the conversation, since an echo may
 * be updating it too, then the row of the outbox, and at the end the number, as a claim does.
 */
export async function recordResult(
  database: Database,
  claimed: Send,
  result: SendResult,
  times: OutboxTimes,
): Promise<void> {
  await inTransaction(database, async (db) => {
    await lockConversation(db, claimed.conversationId)
    await recordOutcome(db, claimed, result)
    const isIdIgnored = result.kind === 'sent' && claimed.givenId !== null && result.waId !== claimed.givenId
    if (isIdIgnored) await noteIdIgnored(db, claimed.instanceId)
    await recordHealth(db, claimed, healthOf(result), times.breakerMs)
  })
}

function healthOf(result: SendResult): Health {
  if (result.kind === 'sent' || result.kind === 'refused') return 'well'
  return result.kind === 'not_sent' && result.hindrance === 'busy' ? 'busy' : 'failing'
}

async function recordOutcome(db: Tx, claimed: Claimed, result: SendResult): Promise<void> {
  switch (result.kind) {
    case 'sent':
      return recordSent(db, claimed.messageId, result)
    case 'refused':
      if (await endClaim(db, claimed, sql`state = 'failed', last_error = ${result.detail}`))
        await recordFailed(db, claimed.messageId, result.reason)
      return db.signal('outbox')
    case 'not_sent':
      // Trying again is safe, and does not count as a try.
      if (
        await endClaim(
          db,
          claimed,
          sql`state = 'pending', last_error = ${result.detail}, tries = greatest(0, tries - 1),
              unknown_since = null, not_before = now() + interval '1 second' * (2 + 3 * random())`,
        )
      )
        await moveTo(db, claimed.messageId, 'pending', result.hindrance)
      return
    case 'unknown':
      if (
        await endClaim(
          db,
          claimed,
          sql`state = 'unknown', unknown_since = app_now(), last_error = ${result.detail},
              is_recorded = ${result.isRecorded}`,
        )
      )
        await moveTo(db, claimed.messageId, 'unknown')
  }
}

/** Undoes a claim before the gateway is called, so that other instances need not wait for its lease. */
export async function releaseClaim(database: Database, claimed: Send, waitMs = 0): Promise<void> {
  await inTransaction(database, async (db) => {
    await lockConversation(db, claimed.conversationId)
    const change = sql`state = 'pending', tries = greatest(0, tries - 1), unknown_since = null,
                       not_before = greatest(not_before, now() + ${waitMs} * interval '1 millisecond')`
    if (await endClaim(db, claimed, change)) {
      await moveTo(db, claimed.messageId, 'pending')
      if (claimed.isProbe) await releaseProbe(db, claimed.instanceId)
    }
    db.signal('outbox')
  })
}

/**
 * Ends a claim. One whose lease was over meanwhile is still its process's, which knows what became of the
 * send; while the database was away nobody could renew it.
 * @returns false when an echo, or the gateway's record, has proven the message sent before the answer
 *   arrived, or it was claimed again or cancelled: the answer no longer counts
 */
async function endClaim(db: Db, { id, claim }: Claimed, change: ReturnType<typeof sql>): Promise<boolean> {
  const changed = await rows(
    db,
    sql`update outbox set lease_until = null, ${change}
         where id = ${id} and claim = ${claim} and state in ('sending', 'unknown') returning id`,
  )
  return changed.length > 0
}
