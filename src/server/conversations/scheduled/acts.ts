import { and, eq, or, sql } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import { mostPending } from '#shared/scheduled/scheduled.ts'
import { record } from '#server/audit/audit.ts'
import { type Database, inTransaction, type Tx } from '#server/platform/database/db.ts'
import { confirmRights, type Who } from '#server/platform/http/access.ts'
import { conversations } from '#server/schema/conversations/conversations.ts'
import { scheduledMessages } from '#server/schema/conversations/outbox.ts'
import { conversationCompleted, lockConversationFor } from '#server/conversations/store/access.ts'
import { filled } from './content.ts'
import { planned } from './plan.ts'
import { expectChangeable, type ScheduledRow } from './rows.ts'

/** What a person chooses. */
export interface Chosen {
  content: string
  sendAt: Date
  cancelOnAnswer: boolean
  onlyOpen: boolean
}

/**
 * Schedules a message to the client of an open conversation. Repeating a call with the same
 * `clientMessageId` returns the stored one.
 * @returns its id
 * @throws AppError 404, 409 completed, or too many wait; 422 as of `planned` and `filled`
 */
export async function storeScheduled(
  database: Database,
  who: Who,
  conversationId: number,
  {
    content,
    sendAt: at,
    cancelOnAnswer,
    onlyOpen,
    clientMessageId,
  }: Chosen & { clientMessageId?: string | undefined },
): Promise<number> {
  return inTransaction(database, async (db) => {
    const conversation = await lockConversationFor(db, who, conversationId)
    const isRepeated = eq(scheduledMessages.clientMessageId, clientMessageId ?? '')
    const waiting = await db
      .select({ id: scheduledMessages.id, isRepeated: sql<boolean>`coalesce(${isRepeated}, false)` })
      .from(scheduledMessages)
      .where(
        and(
          eq(scheduledMessages.conversationId, conversationId),
          or(eq(scheduledMessages.state, 'pending'), isRepeated),
        ),
      )
    const repeated = waiting.find((one) => one.isRepeated)
    if (repeated) return repeated.id
    if (conversation.status === 'completed') throw conversationCompleted()
    if (waiting.length >= mostPending)
      throw new AppError('scheduled.too_many', { values: { most: String(mostPending) } })
    const sendAt = await planned(db, conversation, { at, onlyOpen })
    await filled(db, conversation, who, content)
    const [row] = await db
      .insert(scheduledMessages)
      .values({
        conversationId,
        authorId: who.id,
        content,
        clientMessageId,
        sendAt,
        askedAt: at,
        cancelOnAnswer,
        onlyOpen,
      })
      .returning({ id: scheduledMessages.id })
    if (!row) throw new Error('scheduled message not written')
    await record(db, who, {
      action: 'conversation.schedule',
      resourceId: conversationId,
      details: { scheduledId: row.id, sendAt: sendAt.toISOString() },
    })
    db.emit({ type: 'scheduled_changed', conversationId })
    return row.id
  })
}

/** Locks one that has not ended, or has failed. @throws AppError 404, 403, 409 it was sent or cancelled */
async function lockWaiting(db: Tx, who: Who, id: number): Promise<ScheduledRow> {
  const [row] = await db.select().from(scheduledMessages).where(eq(scheduledMessages.id, id)).for('update')
  await confirmRights(who, db)
  await expectChangeable(db, who, id)
  if (!row) throw new AppError('scheduled.not_found')
  expectWaiting(row)
  return row
}

/** @throws AppError 409 for one that was sent or cancelled */
export function expectWaiting({ state }: ScheduledRow): void {
  if (state === 'sent') throw new AppError('scheduled.sent')
  if (state === 'cancelled') throw new AppError('scheduled.cancelled')
}

/**
 * Changes one that waits, or has failed: then it waits again.
 * @param version of what the person has seen
 * @throws AppError 404, 403, 409 it was changed, sent or cancelled meanwhile; 422 as of `planned`, `filled`
 */
export async function changeStored(
  database: Database,
  who: Who,
  id: number,
  { version, ...change }: Partial<Chosen> & { version: number },
): Promise<void> {
  await inTransaction(database, async (db) => {
    const row = await lockWaiting(db, who, id)
    if (row.version !== version) throw new AppError('scheduled.changed')
    const [conversation] = await db
      .select()
      .from(conversations)
      .where(eq(conversations.id, row.conversationId))
    if (!conversation) throw new AppError('scheduled.not_found')
    const content = change.content ?? row.content
    const onlyOpen = change.onlyOpen ?? row.onlyOpen
    const askedAt = change.sendAt ?? row.askedAt
    const isTimed = row.state === 'failed' || change.sendAt !== undefined || change.onlyOpen !== undefined
    // A time that is kept may have passed by a moment.
    const sendAt = isTimed ? await planned(db, conversation, { at: askedAt, onlyOpen }) : row.sendAt
    if (content !== row.content) await filled(db, conversation, who, content)
    const values = {
      content,
      sendAt,
      askedAt,
      onlyOpen,
      cancelOnAnswer: change.cancelOnAnswer ?? row.cancelOnAnswer,
    }
    await db
      .update(scheduledMessages)
      .set({
        ...values,
        state: 'pending',
        reason: null,
        endedAt: null,
        endedById: null,
        version: sql`${scheduledMessages.version} + 1`,
      })
      .where(eq(scheduledMessages.id, id))
    const names = (['content', 'sendAt', 'onlyOpen', 'cancelOnAnswer'] as const).filter(
      (name) => String(values[name]) !== String(row[name]),
    )
    await record(db, who, {
      action: 'conversation.change_scheduled',
      resourceId: row.conversationId,
      details: { scheduledId: id, authorId: row.authorId, names, sendAt: sendAt.toISOString() },
    })
    db.emit({ type: 'scheduled_changed', conversationId: row.conversationId })
  })
}

/** Cancels one that waits, or has failed. Cancelling a cancelled one does nothing. */
export async function cancelStored(database: Database, who: Who, id: number): Promise<void> {
  await inTransaction(database, async (db) => {
    const row = await lockWaiting(db, who, id)
    await endScheduled(db, row, { state: 'cancelled', reason: 'by_person', endedById: who.id })
    await record(db, who, {
      action: 'conversation.cancel_scheduled',
      resourceId: row.conversationId,
      details: { scheduledId: id, authorId: row.authorId },
    })
  })
}

/** Ends a locked one: sent, cancelled or not sent, and tells the screens. */
export async function endScheduled(
  db: Tx,
  { id, conversationId }: Pick<ScheduledRow, 'id' | 'conversationId'>,
  end: Pick<ScheduledRow, 'state'> & Partial<Pick<ScheduledRow, 'reason' | 'messageId' | 'endedById'>>,
): Promise<void> {
  await db
    .update(scheduledMessages)
    .set({ reason: null, ...end, endedAt: sql`app_now()`, version: sql`${scheduledMessages.version} + 1` })
    .where(eq(scheduledMessages.id, id))
  db.emit({ type: 'scheduled_changed', conversationId })
}
