import { maxSnoozeDays } from '#shared/conversations/snooze.ts'
import { AppError } from '#shared/errors.ts'
import { record } from '#server/audit/audit.ts'
import { appNow } from '#server/platform/clock.ts'
import type { Database, Db, Place } from '#server/platform/database/db.ts'
import type { Who } from '#server/platform/http/access.ts'
import { hasWrittenSince } from '#server/conversations/acts/complete.ts'
import { actOnConversation, expectOwn, type Target } from '#server/conversations/acts/assign.ts'
import { isSnoozed } from '#shared/conversations/list/list-view.ts'
import { openSnooze, updateConversation } from '#server/conversations/store/change.ts'
import { withdrawTexts } from '#server/conversations/store/texts.ts'
import { resume } from '#server/conversations/store/waiting.ts'
import { noteAct } from '#server/conversations/store/write.ts'

const dayMs = 24 * 60 * 60_000

/**
 * 'Lembrar': puts a conversation on hold until a time, or gives the one that is on hold another time and
 * reason. Nobody waits in it meanwhile, and no clock runs. Repeated, it does nothing.
 * @throws AppError 404, 409 completed, changed, somebody else's, nobody's, or written to by the client since
 *   `seenMessageId`, 422 for a time that is over or
 *   more than a year ahead
 */
export async function snooze(
  database: Place,
  who: Who,
  act: Target & { until: string; reason?: string | undefined; seenMessageId?: number | undefined },
): Promise<void> {
  await actOnConversation(database, who, act, async (db, conversation) => {
    await expectOwn(db, conversation, who)
    const wasSnoozed = isSnoozed(conversation)
    if (conversation.assignedUserId === null && !wasSnoozed) throw new AppError('conversations.snooze_unheld')
    const [until, reason] = [new Date(act.until), act.reason?.trim() || null]
    const before = conversation.snoozedUntil
    if (before?.getTime() === until.getTime() && conversation.snoozeReason === reason) return
    if (act.seenMessageId !== undefined && (await hasWrittenSince(db, conversation.id, act.seenMessageId)))
      throw new AppError('conversations.client_wrote')
    await expectAhead(db, until)
    await openSnooze(db, conversation, { userId: who.id, until })
    if (conversation.inactivityWarnedAt) await withdrawTexts(db, conversation, 'attended or ended')
    const held = await updateConversation(db, conversation, {
      snoozedUntil: until,
      snoozeReason: reason,
      returnedAt: null,
      waitingFor: 'client',
      waitingSince: null,
    })
    const content = reason ?? ''
    await noteAct(db, held, { by: who.id, act: 'snoozed', until: until.toISOString(), content })
    await record(db, who, {
      action: 'conversation.snooze',
      resourceId: conversation.id,
      details: { until: until.toISOString(), from: before?.toISOString() ?? null },
    })
    db.emit({ type: 'conversation_updated', conversationId: conversation.id })
  })
}

async function expectAhead(db: Db, until: Date): Promise<void> {
  const aheadMs = until.getTime() - (await appNow(db)).getTime()
  if (aheadMs <= 0) throw new AppError('conversations.snooze_past')
  if (aheadMs > maxSnoozeDays * dayMs) throw new AppError('conversations.snooze_far')
}

/**
 * 'Retomar agora': ends the hold of a conversation. One that is in none is left alone.
 * @throws AppError 404, 409 completed, or somebody else's
 */
export async function resumeNow(database: Database, who: Who, conversationId: number): Promise<void> {
  await actOnConversation(database, who, { conversationId }, async (db, conversation) => {
    const { snoozedUntil } = conversation
    if (snoozedUntil === null) return
    await expectOwn(db, conversation, who)
    const resumed = await resume(db, conversation, 'person')
    await noteAct(db, resumed, { by: who.id, act: 'resumed' })
    await record(db, who, {
      action: 'conversation.resume',
      resourceId: conversationId,
      details: { until: snoozedUntil.toISOString() },
    })
    db.emit({ type: 'conversation_updated', conversationId })
  })
}
