import { and, asc, eq, sql } from 'drizzle-orm'
import type { ErrorCode } from '#shared/errors.ts'
import { AppError } from '#shared/errors.ts'
import type { ScheduledReason } from '#shared/scheduled/states.ts'
import { lockContact } from '#server/contacts/contacts.ts'
import { tellUnsent } from '#server/notifications/notifications.ts'
import { type Database, inTransaction, rows } from '#server/platform/database/db.ts'
import { scheduledMessages } from '#server/schema/conversations/outbox.ts'
import { endScheduled } from '#server/conversations/scheduled/acts.ts'
import { isDue, lockSchedule, sendDue } from './send.ts'

/** How many are read at once. */
const atOnce = 200

/**
 * Sends what is due, the earliest first. Any number of instances may do it at once. What cannot be sent is
 * given up, with the reason, and somebody is told.
 */
export async function sendAllDue(database: Database): Promise<void> {
  const failures: unknown[] = []
  for (let after = { sendAt: new Date(0), id: 0 }; ;) {
    const due = await database
      .select({ id: scheduledMessages.id, sendAt: scheduledMessages.sendAt })
      .from(scheduledMessages)
      .where(
        and(
          eq(scheduledMessages.state, 'pending'),
          sql`${scheduledMessages.sendAt} <= app_now()`,
          sql`(${scheduledMessages.sendAt}, ${scheduledMessages.id})
              > (${after.sendAt.toISOString()}::timestamptz, ${after.id})`,
        ),
      )
      .orderBy(asc(scheduledMessages.sendAt), asc(scheduledMessages.id))
      .limit(atOnce)
    for (const { id } of due)
      try {
        await sendOrGiveUp(database, id)
      } catch (error) {
        // One that fails unexpectedly does not keep the others waiting; the next pass tries it again.
        failures.push(error)
      }
    const last = due.at(-1)
    if (!last || due.length < atOnce) break
    after = last
  }
  if (failures.length > 0) throw new AggregateError(failures, 'scheduled messages were not sent')
}

async function sendOrGiveUp(database: Database, id: number): Promise<void> {
  try {
    await sendDue(database, id)
  } catch (error) {
    const reason = error instanceof AppError ? reasonOf(error.code) : undefined
    if (!reason) throw error
    await giveUp(database, id, reason)
  }
}

/** Why nobody's message was refused; undefined for what is no reason to give up. */
function reasonOf(code: ErrorCode): ScheduledReason | undefined {
  switch (code) {
    case 'auth.required':
      return 'author_gone'
    case 'auth.forbidden':
      return 'author_not_allowed'
    case 'conversations.elsewhere':
    case 'conversations.not_found':
    case 'gateway.not_found':
    case 'gateway.none_given':
      return 'out_of_reach'
    case 'contacts.blocked':
      return 'contact_blocked'
    case 'contacts.not_found':
    case 'contacts.erased':
      return 'contact_gone'
    case 'conversations.number_off':
    case 'conversations.chosen_number_off':
    case 'gateway.not_configured':
      return 'number_off'
    case 'scheduled.never_open':
      return 'never_open'
    case 'scheduled.no_value':
      return 'no_value'
    default:
      return undefined
  }
}

/** It may have been sent, changed or cancelled since. */
async function giveUp(database: Database, id: number, reason: ScheduledReason): Promise<void> {
  await inTransaction(database, async (db) => {
    const locked = await lockSchedule(db, id, lockContact)
    if (!locked || !(await isDue(db, locked.row))) return
    const { row } = locked
    await endScheduled(db, row, { state: 'failed', reason })
    await tellUnsent(db, row)
  })
}

/** Deletes what has ended three months ago. */
export async function trimScheduled(database: Database): Promise<void> {
  for (let found = atOnce; found === atOnce;) {
    const gone = await rows(
      database,
      sql`delete from scheduled_messages where ctid = any(array(
            select t.ctid from scheduled_messages t
             where t.state <> 'pending' and t.ended_at <= app_now() - interval '90 days'
             limit ${atOnce} for update of t skip locked))
          returning 1 as n`,
    )
    found = gone.length
  }
}
