import { and, eq, ne } from 'drizzle-orm'
import type { Who } from '#server/platform/http/access.ts'
import { type Database, inTransaction, type Tx } from '#server/platform/database/db.ts'
import { conversations } from '#server/schema/conversations.ts'
import { getSettings } from '#server/settings/settings.ts'
import { backToQueue, findReceiver, passTo } from './assign.ts'
import { type Locked, lockConversations } from '#server/conversations/store/lock.ts'

/**
 * 'Passar meu turno': all open conversations of a person go to a colleague, or back to the FILA (null), in one act. What he
 * loses or finishes meanwhile is left alone, so repeated it does nothing. The receiver is told once.
 * @returns how many
 * @throws AppError 422 the receiver is not available
 */
export async function handOver(
  database: Database,
  who: Who,
  { to, note }: { to: number | null; note?: string | undefined },
): Promise<number> {
  if (to === who.id || !who.flags.canViewConversations) return 0
  return inTransaction(database, async (db) => {
    const receiver = to === null ? undefined : await findReceiver(db, to)
    const settings = await getSettings(db)
    const mine = await lockOpenOf(db, who.id)
    for (const conversation of mine)
      if (receiver) await passTo(db, conversation, who, { receiver, note, settings })
      else await backToQueue(db, conversation, who, note)
    const [first] = mine
    if (receiver && first)
      db.emit({ type: 'new_conversation_notification', userId: receiver.id, conversationId: first.id })
    return mine.length
  })
}

/** In the order that everybody keeps; one that went to somebody else while it was waited for is not among them. */
function lockOpenOf(db: Tx, userId: number): Promise<Locked[]> {
  return lockConversations(
    db,
    and(eq(conversations.assignedUserId, userId), ne(conversations.status, 'completed')),
  )
}
