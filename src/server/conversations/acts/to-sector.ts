import { AppError } from '#shared/errors.ts'
import { enterQueue } from '#server/automation/automation.ts'
import { record } from '#server/audit/audit.ts'
import type { Database, Place, Tx } from '#server/platform/database/db.ts'
import type { Who } from '#server/platform/http/access.ts'
import { expectReceiving, sectorNames } from '#server/sectors/sectors.ts'
import { settingsOfNumber } from '#server/settings/settings.ts'
import { isSnoozed } from '#shared/conversations/list/list-view.ts'
import { updateConversation } from '#server/conversations/store/change.ts'
import { resume } from '#server/conversations/store/waiting.ts'
import { withdrawTexts, sendAutomatic } from '#server/conversations/store/texts.ts'
import { noteAct } from '#server/conversations/store/write.ts'
import type { Locked } from '#server/conversations/store/lock.ts'
import { actOnConversation, expectOwn, type Target } from './assign.ts'

/**
 * Transfers a conversation to the queue of a sector, with the place of its own start, and informs the
 * contact, but for one that stays on hold; only the team sees the note. Of two people who transfer it at once
 * the first one wins.
 * @throws AppError 404, 409 completed, changed, somebody else's, or in the queue of the sector already, 422
 *   for a sector that takes nothing of the number
 */
export async function transferToSector(
  database: Place,
  who: Who,
  act: Target & { sectorId: number; note?: string | undefined; endsSnooze?: boolean | undefined },
): Promise<void> {
  await actOnConversation(database, who, act, async (db, found) => {
    await expectOwn(db, found, who)
    const conversation = act.endsSnooze ? await resume(db, found, 'transfer') : found
    const sector = await expectReceiving(db, act.sectorId, conversation.instanceId)
    const [from] = await sectorNames(db, [conversation.sectorId, null])
    if (conversation.sectorId === sector.id && conversation.assignedUserId === null)
      throw new AppError('conversations.in_sector', { values: { name: sector.name } })
    // What was told of the place in another queue is wrong from now on.
    await withdrawTexts(db, conversation, 'attended or ended')
    const changed = await updateConversation(db, conversation, {
      sectorId: sector.id,
      assignedUserId: null,
      status: 'waiting',
      subStatus: 'FILA',
      waitingFor: isSnoozed(conversation) ? 'client' : 'operator',
      returnedAt: null,
    })
    await noteAct(db, changed, { by: who.id, act: 'moved', to: sector.name, note: act.note })
    if (!isSnoozed(changed)) {
      await enterQueue(db, changed)
      const settings = await settingsOfNumber(db, changed.instanceId, sector.id)
      await sendAutomatic(db, changed, 'transferMessage', { settings })
    }
    await record(db, who, {
      action: 'conversation.move',
      resourceId: conversation.id,
      details: { to: sector.name, from, holder: conversation.assignedUserId },
    })
    db.emit({ type: 'conversation_transferred', conversationId: conversation.id })
  })
}

/**
 * Says of which sector a conversation is, or that it is of none: whoever has it keeps it, and the contact is
 * told nothing. One that waits does so in the queue of that sector.
 * @throws AppError as `transferToSector`
 */
export async function setSector(
  database: Database,
  who: Who,
  act: Target & { sectorId: number | null },
): Promise<void> {
  await actOnConversation(database, who, act, async (db, conversation) => {
    if (conversation.sectorId === act.sectorId) return
    await expectOwn(db, conversation, who)
    const sector =
      act.sectorId === null ? null : await expectReceiving(db, act.sectorId, conversation.instanceId)
    const [from] = await sectorNames(db, [conversation.sectorId, null])
    const changed = await updateConversation(db, conversation, { sectorId: sector?.id ?? null })
    await noteAct(db, changed, { by: who.id, act: 'placed', to: sector?.name ?? '' })
    if (changed.subStatus === 'FILA' && !isSnoozed(changed)) await changeQueue(db, changed)
    await record(db, who, {
      action: 'conversation.move',
      resourceId: conversation.id,
      details: { to: sector?.name ?? null, from, holder: conversation.assignedUserId },
    })
    db.emit({ type: 'conversation_updated', conversationId: conversation.id })
  })
}

/** Its place is counted in another queue: whoever waits is told of it when it comes nearer. */
export async function changeQueue(db: Tx, conversation: Locked): Promise<void> {
  await withdrawTexts(db, conversation, 'attended or ended')
  await enterQueue(db, conversation)
}
