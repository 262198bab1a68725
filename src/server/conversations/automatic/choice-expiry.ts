import { and, eq, inArray, sql } from 'drizzle-orm'
import { settingsOfNumber } from '#server/settings/settings.ts'
import { isAsking } from './pre-attendance.ts'
import { lockContact } from '#server/contacts/contacts.ts'
import { appNow } from '#server/platform/clock.ts'
import { type Database, type Db, inTransaction, type Tx } from '#server/platform/database/db.ts'
import { conversations } from '#server/schema/conversations/conversations.ts'
import { preAttendanceTemp } from '#server/schema/conversations/queue.ts'
import { lockConversation } from '#server/conversations/store/lock.ts'
import { attendedAttempt, listChoiceMessages, storeAttempt } from './choice-attempts.ts'
import { queueAttended } from './queue-attended.ts'

/** How long a contact may take to choose. */
const choiceWithin = sql`interval '24 hours'`
/** How long messages can be read that the contact ended themselves. */
const cancelledFor = sql`interval '30 days'`

/** Puts into the queue who has not chosen for a day: nothing that a contact wrote is dropped. */
export async function queueUndecided(database: Database): Promise<void> {
  for (const { contactId, conversationId } of await listUndecided(database))
    await inTransaction(database, async (db) => {
      await lockContact(db, contactId)
      await queueChoice(db, conversationId)
    })
}

/**
 * After a change of settings: where nobody is asked any more, be it that it was switched off or that the
 * hours now exclude this moment, whoever waits for their choice comes into the queue at once, in their order.
 */
export async function openUnasked(db: Tx): Promise<void> {
  const waiting = await db
    .select({
      contactId: preAttendanceTemp.contactId,
      conversationId: preAttendanceTemp.conversationId,
      instanceId: preAttendanceTemp.instanceId,
    })
    .from(preAttendanceTemp)
    .where(eq(preAttendanceTemp.stage, 'waiting_option'))
    .orderBy(preAttendanceTemp.createdAt, preAttendanceTemp.id)
  const now = await appNow(db)
  const isAsked = new Map<number, boolean>()
  for (const { instanceId } of waiting) {
    if (isAsked.has(instanceId)) continue
    const settings = await settingsOfNumber(db, instanceId)
    isAsked.set(instanceId, await isAsking(db, instanceId, settings, now))
  }
  for (const { contactId, conversationId, instanceId } of waiting) {
    if (isAsked.get(instanceId)) continue
    await lockContact(db, contactId)
    await queueChoice(db, conversationId)
  }
}

function listUndecided(db: Db): Promise<{ contactId: number; conversationId: number }[]> {
  return db
    .select({ contactId: preAttendanceTemp.contactId, conversationId: preAttendanceTemp.conversationId })
    .from(preAttendanceTemp)
    .where(
      and(
        eq(preAttendanceTemp.stage, 'waiting_option'),
        sql`${preAttendanceTemp.createdAt} < app_now() - ${choiceWithin}`,
      ),
    )
    .limit(100)
    .execute()
}

/** Under the contact's lock; the choice may have been made in the meantime. */
async function queueChoice(db: Tx, conversationId: number): Promise<void> {
  const conversation = await lockConversation(db, conversationId)
  if (conversation?.preAttendanceStage !== 'waiting_option') return
  const all = await listChoiceMessages(db, [conversationId])
  await queueAttended(db, await storeAttempt(db, conversation, attendedAttempt(all, await appNow(db))))
}

/** Deletes after its time what contacts ended themselves. */
export async function trimCancelled(db: Db): Promise<void> {
  await db.delete(conversations).where(
    inArray(
      conversations.id,
      db
        .select({ id: preAttendanceTemp.conversationId })
        .from(preAttendanceTemp)
        .where(
          and(
            eq(preAttendanceTemp.stage, 'cancelled'),
            sql`${preAttendanceTemp.createdAt} < app_now() - ${cancelledFor}`,
          ),
        ),
    ),
  )
}
