import { and, eq } from 'drizzle-orm'
import { confirmRights, type Who } from '#server/platform/http/access.ts'
import { type Database, inTransaction, type Tx } from '#server/platform/database/db.ts'
import { conversations, isOpen } from '#server/schema/conversations/conversations.ts'
import { returnToQueue, transferLocked } from './assign.ts'
import { findReceiver } from './receivers.ts'
import { type Locked, lockConversations } from '#server/conversations/store/lock.ts'

/**
 * 'Passar meu turno': transfers all open conversations of a person to a colleague, or returns them to the
 * FILA (null), in one transaction. Conversations that are reassigned or completed meanwhile are left alone,
 * so repeating the call does nothing. The receiver is notified once.
 * @returns the number of conversations
 * @throws AppError 422 receiver unavailable
 */
export async function handOver(
  database: Database,
  who: Who,
  { to, note }: { to: number | null; note?: string | undefined },
): Promise<number> {
  if (to === who.id || !who.flags.canViewConversations) return 0
  return inTransaction(database, async (db) => {
    const receiver = to === null ? undefined : await findReceiver(db, to)
    const mine = await lockOpenOfUser(db, who.id)
    await confirmRights(who, db)
    for (const conversation of mine)
      if (receiver) await transferLocked(db, conversation, who, { receiver, note })
      else await returnToQueue(db, conversation, who, note)
    const [first] = mine
    if (receiver && first)
      db.emit({ type: 'new_conversation_notification', userId: receiver.id, conversationId: first.id })
    return mine.length
  })
}

/** Leaves out conversations that are reassigned or completed while their locks are awaited. */
function lockOpenOfUser(db: Tx, userId: number): Promise<Locked[]> {
  return lockConversations(db, and(eq(conversations.assignedUserId, userId), isOpen))
}
