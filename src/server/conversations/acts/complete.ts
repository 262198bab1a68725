import { type SQL, sql } from 'drizzle-orm'
import { getConversation } from '#shared/conversations/conversation-endpoints.ts'
import { AppError } from '#shared/errors.ts'
import type { ConversationAct } from '#shared/messages/message-metadata.ts'
import type { SystemSettings } from '#shared/settings/settings.ts'
import { record } from '#server/audit/audit.ts'
import { leaveQueue } from '#server/automation/automation.ts'
import { confirmRights, type Who } from '#server/platform/http/access.ts'
import { type Database, type Db, inTransaction, rows, type Tx } from '#server/platform/database/db.ts'
import { type ChosenReason, expectReason, pathOf } from '#server/reasons/reasons.ts'
import { settingsOfNumber } from '#server/settings/settings.ts'
import { type AutomaticText, sendAutomatic, withdrawTexts } from '#server/conversations/store/texts.ts'
import {
  conversationChanged,
  conversationNotFound,
  mayReadLocked,
} from '#server/conversations/store/access.ts'
import { lastWriting } from '#server/conversations/store/waiting.ts'
import { noteAct } from '#server/conversations/store/write.ts'
import { type Locked, lockConversation } from '#server/conversations/store/lock.ts'
import { updateConversation } from '#server/conversations/store/change.ts'

/**
 * How long an end can be undone, as an interval; undefined: not at all. A little longer than screens offer
 * it, since the last click still has a way to go.
 */
export const heldFor = ({ undoFinalizeSeconds }: SystemSettings): SQL | undefined =>
  undoFinalizeSeconds === 0 ? undefined : sql`${undoFinalizeSeconds + 1}::int * interval '1 second'`

/**
 * Completes a locked conversation: sends the closing text, and the rating question where ratings are enabled
 * and a person has answered, and records in the timeline what ended it.
 * @param by the user; null for the product itself
 * @param reason why, as `expectReason` has found it for a person; undefined: the act says it, or nobody did
 * @param heldFor how long it can be undone, as an interval: until then the texts wait
 */
export async function complete(
  db: Tx,
  conversation: Locked,
  goodbye: Extract<AutomaticText, 'finalizationMessage' | 'inactivityMessage'>,
  {
    by,
    act,
    reason,
    notes,
    heldFor,
  }: {
    by: number | null
    act: ConversationAct
    reason: ChosenReason | undefined
    notes?: string
    heldFor?: SQL | undefined
  },
): Promise<void> {
  const settings = await settingsOfNumber(db, conversation.instanceId, conversation.sectorId)
  await withdrawTexts(db, conversation, 'attended or ended')
  await sendAutomatic(db, conversation, goodbye, { settings, heldFor })
  const isWanted =
    settings.ratingsEnabled &&
    (goodbye === 'finalizationMessage' || settings.ratingAfterInactivity) &&
    (await lastWriting(db, conversation.id)) !== undefined
  const isAsked = isWanted && (await sendAutomatic(db, conversation, 'ratingMessage', { settings, heldFor }))
  await leaveQueue(db, conversation.id)
  const completed = await updateConversation(db, conversation, {
    status: 'completed',
    completedAt: sql`app_now()`,
    waitingFor: 'client',
    waitingSince: null,
    ratingAskedAt: isAsked ? sql`app_now()` : null,
    ...(heldFor && { heldUntil: sql`now() + ${heldFor}` }),
    ...(notes !== undefined && { notes }),
    finishReasonId: reason?.id ?? null,
  })
  // Those who may not read the archive are not told.
  await noteAct(db, completed, { by, act, ...(reason && { ended: reason.path }) })
  db.emit({ type: 'conversation_updated', conversationId: conversation.id })
}

/** Whether the contact has written something after a message. */
export async function hasWrittenSince(
  db: Db,
  conversationId: number,
  seenMessageId: number,
): Promise<boolean> {
  const newer = await rows(
    db,
    sql`select 1 from messages where conversation_id = ${conversationId} and id > ${seenMessageId}
           and sender_type = 'contact' limit 1`,
  )
  return newer.length > 0
}

const ofOthers = getConversation.rows['GET /api/conversations/{completed}']

/**
 * Says why a completed conversation ended, in place of what was said before.
 * @throws AppError 404 not visible, 409 open, or changed since the person saw it; as `expectReason`
 */
export async function changeReason(
  database: Database,
  who: Who,
  act: { conversationId: number; reasonId: number | null; version?: number | undefined },
): Promise<void> {
  await inTransaction(database, async (db) => {
    const conversation = await lockConversation(db, act.conversationId)
    await confirmRights(who, db)
    if (!conversation || !(await mayReadLocked(db, who, conversation, ofOthers))) throw conversationNotFound()
    if (conversation.status !== 'completed') throw new AppError('reasons.not_ended')
    if (act.version !== undefined && act.version !== conversation.version) throw conversationChanged()
    const before = conversation.finishReasonId
    if (before === act.reasonId) return
    const reason = await expectReason(db, conversation, act.reasonId)
    const from = await nameOf(db, before)
    const changed = await updateConversation(db, conversation, { finishReasonId: reason?.id ?? null })
    await noteAct(db, changed, { by: who.id, act: 'reason_changed', ...(reason && { ended: reason.path }) })
    await record(db, who, {
      action: 'conversation.reason',
      resourceId: conversation.id,
      details: { from, to: reason?.path ?? null },
    })
    db.emit({ type: 'conversation_updated', conversationId: conversation.id })
  })
}

async function nameOf(db: Db, reasonId: number | null): Promise<string | null> {
  const [row] = await rows<{ path: string | null }>(db, sql`select ${pathOf(sql`${reasonId}::int`)} as path`)
  return row?.path ?? null
}
