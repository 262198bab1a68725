import { and, eq, notInArray } from 'drizzle-orm'
import type { Tx } from '#server/platform/database/db.ts'
import { hasNumber, type Who } from '#server/platform/http/access.ts'
import { conversations, isOpen } from '#server/schema/conversations/conversations.ts'
import { type Locked, lockConversations } from '#server/conversations/store/lock.ts'
import { returnToQueue } from './assign.ts'
import { lockReceiver } from './receivers.ts'

/**
 * Returns the open conversations of a person who may not have any longer to the FILA. The person's row is
 * locked, so nobody can assign another one meanwhile.
 * @param keptNumberIds the numbers whose conversations they keep
 * @returns how many there were
 */
export async function freeConversations(
  db: Tx,
  userId: number,
  by: Who,
  keptNumberIds: readonly number[] = [],
): Promise<number> {
  const held = await lockConversations(
    db,
    and(
      eq(conversations.assignedUserId, userId),
      isOpen,
      notInArray(conversations.instanceId, [...keptNumberIds]),
    ),
  )
  for (const conversation of held) await returnToQueue(db, conversation, by)
  return held.length
}

/**
 * Returns a locked conversation that is open again to the FILA, where its holder may have none any more: they
 * have returned theirs, but for those that had ended.
 * @returns whether it was returned
 */
export async function freeOfShutOut(db: Tx, conversation: Locked): Promise<boolean> {
  const { assignedUserId, instanceId } = conversation
  if (assignedUserId === null) return false
  const holder = await lockReceiver(db, assignedUserId)
  if (holder && hasNumber(holder, instanceId)) return false
  await returnToQueue(db, conversation, 'system')
  return true
}
