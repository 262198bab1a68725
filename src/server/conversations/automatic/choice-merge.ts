import { and, eq, inArray, type SQL } from 'drizzle-orm'
import type { Tx } from '#server/platform/database/db.ts'
import { conversations } from '#server/schema/conversations/conversations.ts'
import { preAttendanceTemp } from '#server/schema/conversations/queue.ts'
import { type Locked, lockConversations } from '#server/conversations/store/lock.ts'
import { recount } from '#server/conversations/store/write.ts'
import { absorbConversation } from './choice-attempts.ts'

/**
 * Moves messages that wait for a choice into the conversation that was opened with the contact in another
 * way.
 */
export async function absorbWaitingChoices(db: Tx, conversation: Locked): Promise<void> {
  const { id, contactId, instanceId } = conversation
  const waiting = await lockWaitingChoices(
    db,
    and(eq(preAttendanceTemp.contactId, contactId), eq(preAttendanceTemp.instanceId, instanceId)),
  )
  for (const one of waiting) await absorbConversation(db, id, one.id)
  if (waiting.length > 0) await recount(db, id)
}

/** Two contacts are one person: where both have to choose, one choice remains. */
export async function mergeChoices(db: Tx, keptId: number, mergedId: number): Promise<void> {
  const waiting = await lockWaitingChoices(db, inArray(preAttendanceTemp.contactId, [keptId, mergedId]))
  for (const [n, { id, instanceId }] of waiting.entries()) {
    const earlier = waiting.slice(0, n).find((one) => one.instanceId === instanceId)
    if (!earlier) continue
    await absorbConversation(db, earlier.id, id)
    await recount(db, earlier.id)
  }
  await db
    .update(preAttendanceTemp)
    .set({ contactId: keptId })
    .where(eq(preAttendanceTemp.contactId, mergedId))
}

/** Locks the conversations that wait for a choice, in the order of their ids; the contacts are locked. */
function lockWaitingChoices(db: Tx, isOfContact: SQL | undefined): Promise<Locked[]> {
  const waiting = db
    .select({ id: preAttendanceTemp.conversationId })
    .from(preAttendanceTemp)
    .where(and(isOfContact, eq(preAttendanceTemp.stage, 'waiting_option')))
  return lockConversations(db, inArray(conversations.id, waiting))
}
