import { sql } from 'drizzle-orm'
import { type Database, inTransaction, rows, type Tx } from '#server/platform/database/db.ts'
import { tellReturned } from '#server/notifications/notifications.ts'
import { type Locked, lockConversation } from '#server/conversations/store/lock.ts'
import { resume } from '#server/conversations/store/waiting.ts'
import { noteAct } from '#server/conversations/store/write.ts'

/** How many return at a time; the next run takes the others. */
const maxAtOnce = 500

/**
 * Brings back the conversations whose hold is over by the clock, each in a transaction of its own: to their
 * operators, who are told, or to the queue.
 */
export async function returnFromHold(database: Database): Promise<void> {
  const due = await rows<{ id: number }>(
    database,
    sql`select id from conversations where snoozed_until <= app_now()
         order by snoozed_until limit ${maxAtOnce}`,
  )
  const failures: unknown[] = []
  for (const { id } of due)
    try {
      await returnIfDue(database, id)
    } catch (error) {
      // One that fails does not keep the others on hold; the next pass tries it again.
      failures.push(error)
    }
  if (failures.length > 0) throw new AggregateError(failures, 'conversations did not return from hold')
}

async function returnIfDue(database: Database, id: number): Promise<void> {
  await inTransaction(database, async (db) => {
    const conversation = await lockConversation(db, id)
    // The client has written, or somebody has given it another time meanwhile.
    const [still] = await rows(
      db,
      sql`select 1 from conversations where id = ${id} and snoozed_until <= app_now()`,
    )
    if (conversation && still) await comeBack(db, conversation)
  })
}

async function comeBack(db: Tx, conversation: Locked): Promise<void> {
  const { assignedUserId: holder, snoozeReason } = conversation
  const back = await resume(db, conversation, 'time', {
    ...(holder !== null && { returnedAt: sql`app_now()` }),
  })
  const lineId = await noteAct(db, back, { by: null, act: 'snooze_over', content: snoozeReason ?? '' })
  db.emit({ type: 'conversation_updated', conversationId: back.id })
  if (holder === null) return
  await tellReturned(db, { userId: holder, conversationId: back.id, messageId: lineId })
  db.emit({ type: 'conversation_returned', userId: holder, conversationId: back.id })
}
