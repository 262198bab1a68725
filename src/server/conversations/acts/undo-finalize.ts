import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import { record } from '#server/audit/audit.ts'
import { rejoinQueue } from '#server/automation/automation.ts'
import type { Who } from '#server/platform/http/access.ts'
import { type Database, inTransaction, pgCode, rows, type Tx } from '#server/platform/database/db.ts'
import { conversations, isOpen } from '#server/schema/conversations/conversations.ts'
import { isHeld } from '#server/schema/conversations/over.ts'
import { lockConversationFor } from '#server/conversations/store/access.ts'
import { reopenSnooze, updateConversation } from '#server/conversations/store/change.ts'
import type { Locked } from '#server/conversations/store/lock.ts'
import type { AutomaticText } from '#server/conversations/store/texts.ts'
import { waitingOf } from '#server/conversations/store/waiting.ts'
import { noteAct, uncount } from '#server/conversations/store/write.ts'
import { freeOfShutOut } from './free-conversations.ts'

/** What a finalization says to the client. */
const closing = ['finalizationMessage', 'ratingMessage'] as const satisfies AutomaticText[]

/**
 * Undoes the finalization of a conversation by this person, as long as it is held: it is open again as it
 * was, and what was to be said to the client is deleted.
 * @throws AppError 404, 409 open, not held any more, not finalized by this person, or followed by another one
 */
export async function undoFinalize(database: Database, who: Who, conversationId: number): Promise<void> {
  const undoing = inTransaction(database, async (db) => {
    const conversation = await lockConversationFor(db, who, conversationId)
    if (!(await isFinalizedBy(db, conversation, who.id))) throw new AppError('conversations.undo_too_late')
    if (await hasOpen(db, conversation)) throw new AppError('conversations.open_again')
    const open = await reopen(db, conversation, await reopenSnooze(db, conversation))
    if (!open) throw new AppError('conversations.undo_too_late')
    await noteAct(db, conversation, { by: who.id, act: 'reopened' })
    await recordReopening(db, who, conversation)
    await freeOfShutOut(db, open)
  })
  await undoing.catch((error: unknown) => {
    // Another conversation that was being begun is there by now.
    throw pgCode(error) === '23505' ? new AppError('conversations.open_again') : error
  })
}

/**
 * Opens a locked conversation again whose client writes while its end is held: they were told of none.
 * @returns false when it has ended for them
 */
export async function keepOpen(db: Tx, conversation: Locked): Promise<boolean> {
  // If it was on hold, their word ends that, too.
  const open = await reopen(db, conversation, null)
  if (!open) return false
  await noteAct(db, conversation, { by: null, act: 'kept_open' })
  await recordReopening(db, 'system', conversation)
  await freeOfShutOut(db, open)
  return true
}

/** Ends whose texts wait, so that they can be undone. */
export const isHeldEnd = and(eq(conversations.status, 'completed'), isNotNull(conversations.heldUntil))

/** Makes the held end of a locked conversation final. Only a text that is under way is still sent. */
export async function endHold(db: Tx, conversation: Locked): Promise<void> {
  await deleteClosing(db, conversation.id)
  await updateConversation(db, conversation, { heldUntil: null, ratingAskedAt: null })
}

function recordReopening(db: Tx, who: Who | 'system', { id, assignedUserId }: Locked): Promise<number> {
  return record(db, who, { action: 'conversation.reopen', resourceId: id, details: { assignedUserId } })
}

/** Whether the last end of the conversation is the person's. */
async function isFinalizedBy(db: Tx, { id, status }: Locked, userId: number): Promise<boolean> {
  if (status !== 'completed') return false
  const [line] = await rows<{ senderId: number | null }>(
    db,
    sql`select sender_id as "senderId" from messages
         where conversation_id = ${id} and message_type = 'event' and metadata #>> '{event,act}' = 'finalized'
         order by id desc limit 1`,
  )
  return line?.senderId === userId
}

/** Whether somebody has begun another conversation with the contact meanwhile. */
async function hasOpen(db: Tx, { contactId, instanceId }: Locked): Promise<boolean> {
  const open = await db
    .select({ id: conversations.id })
    .from(conversations)
    .where(and(eq(conversations.contactId, contactId), eq(conversations.instanceId, instanceId), isOpen))
  return open.length > 0
}

/**
 * @param snoozedUntil until when it is on hold again; null: it is not
 * @returns it as it is then; undefined: it was not held, or one of its closing texts has left
 */
async function reopen(db: Tx, conversation: Locked, snoozedUntil: Date | null): Promise<Locked | undefined> {
  const { id, subStatus } = conversation
  if (!(await isStillHeld(db, conversation)) || !(await deleteClosing(db, id))) return undefined
  if (snoozedUntil === null) await rejoinQueue(db, id)
  const open = await updateConversation(db, conversation, {
    ...(await waitingOf(db, id)),
    // Who waits in the FILA is 'waiting', who is attended 'active'.
    status: subStatus === 'FILA' ? 'waiting' : 'active',
    completedAt: null,
    snoozedUntil,
    ratingAskedAt: null,
    heldUntil: null,
    notes: null,
  })
  await uncount(db, id)
  db.signal('outbox')
  return open
}

async function isStillHeld(db: Tx, { id }: Locked): Promise<boolean> {
  const held = await db
    .select({ id: conversations.id })
    .from(conversations)
    .where(and(eq(conversations.id, id), isHeld(conversations.heldUntil)))
  return held.length > 0
}

/**
 * Deletes the closing texts of a locked conversation, as if they had not been written.
 * @returns false, and nothing is deleted, when a worker has claimed one: its lock decides
 */
async function deleteClosing(db: Tx, id: number): Promise<boolean> {
  const written = await rows<{ id: number; isHeld: boolean }>(
    db,
    sql`with held as (
          select o.message_id from outbox o
           where o.conversation_id = ${id} and o.state = 'pending' and o.tries = 0
             for update of o skip locked)
        select m.id, m.id in (select message_id from held) as "isHeld" from messages m
         where m.conversation_id = ${id} and m.metadata ->> 'text' = any(${sql.param(closing)}::text[])`,
  )
  if (!written.every(({ isHeld: isStill }) => isStill)) return false
  const ids = written.map((message) => message.id)
  await rows(db, sql`delete from messages where id = any(${sql.param(ids)}::int[])`)
  return true
}
