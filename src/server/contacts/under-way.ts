import { sql } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import type { Who } from '#server/platform/http/access.ts'
import { isInReach, reachColumns } from '#server/platform/http/reach.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import { isHeld } from '#server/schema/conversations/over.ts'

// What an act on a contact would end, or depends on: open conversations, those whose end can still be undone,
// and those in which the client chooses whether to be attended. The last two are 'completed'.

const isUnended = sql`(v.status <> 'completed' or ${isHeld(sql`v.held_until`)})`
const isChoice = sql`v.pre_attendance_stage = 'waiting_option'`

/**
 * For acts on a contact that would reach what is under way with it, or depend on that.
 * @throws AppError 409 when the person does not know of one of these conversations
 */
export async function expectInReach(db: Db, who: Who, id: number): Promise<void> {
  const isReached = isInReach(who, reachColumns('v'))
  if (!isReached) return
  const others = await rows(
    db,
    sql`select from conversations v
         where v.contact_id = ${id} and (${isUnended} or ${isChoice})
           -- Of one that nobody has it is neither true nor false.
           and (${isReached}) is not true limit 1`,
  )
  if (others.length > 0) throw new AppError('contacts.at_other_number')
}

/** Whether the contact has a conversation that is open, or whose end can still be undone. */
export async function hasUnended(db: Db, id: number): Promise<boolean> {
  const found = await rows(
    db,
    sql`select from conversations v where v.contact_id = ${id} and ${isUnended} limit 1`,
  )
  return found.length > 0
}

/** Whether the contact is choosing whether to be attended: within a day somebody gets what they wrote. */
export async function isChoosing(db: Db, id: number): Promise<boolean> {
  const found = await rows(
    db,
    sql`select from pre_attendance_temp where contact_id = ${id} and stage = 'waiting_option' limit 1`,
  )
  return found.length > 0
}
