import { sql } from 'drizzle-orm'
import { type Database, inTransaction, rows } from '#server/platform/database/db.ts'
import { getSettings } from '#server/settings/settings.ts'
import { returnToQueue } from '#server/conversations/acts/assign.ts'
import { lockConversation } from '#server/conversations/store/lock.ts'
import { noteAct } from '#server/conversations/store/write.ts'

/**
 * Returns to the queue what clients of people in a pause have waited for too long, if the settings say so;
 * counted from the pause at the earliest. Who it was is written into the timeline.
 */
export async function returnFromPauses(database: Database): Promise<void> {
  const { pauseReturnMinutes } = await getSettings(database)
  if (pauseReturnMinutes === 0) return
  const isDue = sql`v.status <> 'completed' and v.waiting_for = 'operator' and v.waiting_since is not null
    and u.pause_reason_id is not null
    and greatest(v.waiting_since, u.paused_at) <= app_now() - ${pauseReturnMinutes} * interval '1 minute'`
  const due = await rows<{ id: number }>(
    database,
    sql`select v.id from users u join conversations v on v.assigned_user_id = u.id
         where ${isDue} order by v.waiting_since`,
  )
  for (const { id } of due)
    await inTransaction(database, async (db) => {
      const conversation = await lockConversation(db, id)
      // Answered, taken or back from the pause meanwhile.
      const [holder] = await rows<{ name: string }>(
        db,
        sql`select u.name from users u join conversations v on v.assigned_user_id = u.id
             where v.id = ${id} and ${isDue}`,
      )
      if (!conversation || !holder) return
      await noteAct(db, conversation, { by: null, act: 'returned', to: holder.name })
      await returnToQueue(db, conversation, 'system')
    })
}
