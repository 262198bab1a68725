import { eq } from 'drizzle-orm'
import { enterQueue, leaveQueue } from '#server/automation/automation.ts'
import { AppError } from '#shared/errors.ts'
import { record } from '#server/audit/audit.ts'
import type { Who } from '#server/platform/http/access.ts'
import { type Database, type Db, inTransaction, type Place, type Tx } from '#server/platform/database/db.ts'
import { users } from '#server/schema/users.ts'
import { expectReason } from '#server/reasons/reasons.ts'
import { sectorWith } from '#server/sectors/sectors.ts'
import { expectTagged } from '#server/tags/tags.ts'
import { settingsOfNumber } from '#server/settings/settings.ts'
import {
  conversationChanged,
  conversationCompleted,
  conversationTaken,
  lockConversationFor,
  lockToTake,
} from '#server/conversations/store/access.ts'
import { getSettings } from '#server/settings/settings.ts'
import { complete, hasWrittenSince, heldFor } from './complete.ts'
import { expectHasNumber, findReceiver, type Receiver } from './receivers.ts'
import { sendAutomatic, withdrawTexts } from '#server/conversations/store/texts.ts'
import { tagLocked } from '#server/conversations/tags/tag.ts'
import { noteAct } from '#server/conversations/store/write.ts'
import type { Locked } from '#server/conversations/store/lock.ts'
import { isSnoozed } from '#shared/conversations/list/list-view.ts'
import { type ConversationChange, updateConversation } from '#server/conversations/store/change.ts'
import { resume } from '#server/conversations/store/waiting.ts'

/** The conversation, and its state as the person saw it. An absent field is not checked. */
export interface Target {
  conversationId: number
  /** The assignee; null for an unassigned conversation. */
  holderId?: number | null | undefined
  version?: number | undefined
}

/**
 * Locks an open conversation for the person and runs the work in the same transaction.
 * @throws AppError 404 not visible, 409 completed, or changed or taken since the person saw it
 */
export async function actOnConversation<T>(
  database: Place,
  who: Who,
  target: Target,
  work: (db: Tx, conversation: Locked) => Promise<T>,
  lock = lockConversationFor,
): Promise<T> {
  return inTransaction(database, async (db) => {
    const conversation = await lock(db, who, target.conversationId)
    if (conversation.status === 'completed') throw conversationCompleted()
    await expectHolder(db, conversation, target.holderId)
    expectVersion(conversation, target.version)
    return work(db, conversation)
  })
}

function expectVersion(conversation: Locked, version: number | undefined): void {
  if (version !== undefined && version !== conversation.version) throw conversationChanged()
}

/** The error names the new assignee, which is more useful than "changed". */
async function expectHolder(db: Db, conversation: Locked, expected: Target['holderId']): Promise<void> {
  const holder = conversation.assignedUserId
  if (expected === undefined || expected === holder) return
  throw holder === null ? conversationChanged() : conversationTaken(await findUserName(db, holder))
}

/**
 * Assigns a conversation to oneself ('Assumir') or to somebody else, or returns it to the FILA (null). Of two
 * people who take it at once the first one wins, and of two who give it away, too.
 * @returns the new assignee
 * @throws AppError 404 not visible, 409 completed, changed, or somebody else's (with their name), 422
 * receiver unavailable
 */
export async function assign(
  database: Database,
  who: Who,
  act: Target & { operatorId: number | null },
): Promise<{ id: number; name: string } | null> {
  const { conversationId, operatorId } = act
  const lock = operatorId === who.id ? lockToTake : lockConversationFor
  const work = async (db: Tx, conversation: Locked) => {
    const holder = conversation.assignedUserId
    // A repeated call, or another person wanted the same.
    if (holder === operatorId) return operatorId === null ? null : named(await findReceiver(db, operatorId))
    // Checked before the version, which is always stale for the second of two: the assignee's name says more.
    if (holder !== null && operatorId === who.id) throw conversationTaken(await findUserName(db, holder))
    await expectHolder(db, conversation, act.holderId)
    expectVersion(conversation, act.version)
    // Whoever says who has it may return it for them, as the screen offers.
    if (operatorId !== null || act.holderId === undefined) await expectOwn(db, conversation, who)
    if (operatorId === null)
      // By hand: somebody is to act on it now.
      return returnToQueue(db, await resume(db, conversation, 'transfer'), who)
    const receiver = await findReceiver(db, operatorId)
    await assignAndRecord(db, conversation, who, receiver)
    return named(receiver)
  }
  return actOnConversation(database, who, { conversationId }, work, lock)
}

const named = ({ id, name }: Receiver) => ({ id, name })

/** @param note visible to the team only */
export async function assignAndRecord(
  db: Tx,
  conversation: Locked,
  who: Who,
  receiver: Receiver,
  note?: string,
): Promise<void> {
  expectHasNumber(receiver, conversation)
  await setAssignee(db, conversation, receiver.id)
  await noteAct(
    db,
    conversation,
    receiver.id === who.id
      ? { by: who.id, act: 'taken', note }
      : { by: who.id, act: 'assigned', to: receiver.name, note },
  )
  await record(db, who, {
    action: 'conversation.assign',
    resourceId: conversation.id,
    details: { to: receiver.id, from: conversation.assignedUserId },
  })
  db.emit({ type: 'conversation_updated', conversationId: conversation.id })
  if (receiver.id !== who.id)
    db.emit({ type: 'new_conversation_notification', userId: receiver.id, conversationId: conversation.id })
}

/** Assigns a locked conversation, which leaves the FILA. Records and emits nothing. */
export async function setAssignee(
  db: Tx,
  conversation: Locked,
  operatorId: number,
  also: Pick<ConversationChange, 'sectorId'> = {},
): Promise<Locked> {
  await leaveQueue(db, conversation.id)
  await withdrawTexts(db, conversation, 'attended or ended')
  return updateConversation(db, conversation, {
    ...also,
    assignedUserId: operatorId,
    status: 'active',
    subStatus: 'OPERADOR',
  })
}

/**
 * Unassigns a locked conversation and returns it to the FILA, where it waits for an operator like all others
 * there, also where the client has been answered. One on hold stays so, and waits there from its return on.
 * @param note visible to the team only
 */
export async function returnToQueue(
  db: Tx,
  conversation: Locked,
  who: Who | 'system',
  note?: string,
): Promise<null> {
  const changed = await updateConversation(db, conversation, {
    assignedUserId: null,
    status: 'waiting',
    subStatus: 'FILA',
    waitingFor: isSnoozed(conversation) ? 'client' : 'operator',
    returnedAt: null,
  })
  if (who !== 'system') await noteAct(db, conversation, { by: who.id, act: 'returned', note })
  if (!isSnoozed(changed)) await enterQueue(db, changed)
  await record(db, who, {
    action: 'conversation.unassign',
    resourceId: conversation.id,
    details: { from: conversation.assignedUserId },
  })
  db.emit({ type: 'conversation_updated', conversationId: conversation.id })
  return null
}

async function findUserName(db: Db, userId: number): Promise<string> {
  const [user] = await db.select({ name: users.name }).from(users).where(eq(users.id, userId))
  return user?.name ?? ''
}

/**
 * Transfers the conversation to another operator and informs the contact, but for one that stays on hold;
 * only the team sees the note. Of two people who transfer it at once the first one wins. Who transfers to
 * themselves what nobody has takes it.
 * @throws AppError 404, 409 completed, changed, or assigned to somebody else, be it the receiver, 422
 * receiver unavailable
 */
export async function transfer(
  database: Place,
  who: Who,
  act: Target & {
    newOperatorId: number
    sectorId?: number | undefined
    note?: string | undefined
    endsSnooze?: boolean | undefined
  },
): Promise<void> {
  await actOnConversation(database, who, act, async (db, found) => {
    const conversation = act.endsSnooze ? await resume(db, found, 'transfer') : found
    const receiver = await findReceiver(db, act.newOperatorId)
    await expectOwn(db, conversation, who)
    if (conversation.assignedUserId === receiver.id) throw conversationTaken(receiver.name)
    // Nobody had it, so to the client nothing is transferred.
    if (receiver.id === who.id && conversation.assignedUserId === null)
      return assignAndRecord(db, conversation, who, receiver, act.note)
    await transferLocked(db, conversation, who, { receiver, note: act.note, sectorId: act.sectorId })
    if (receiver.id !== who.id)
      db.emit({ type: 'new_conversation_notification', userId: receiver.id, conversationId: conversation.id })
  })
}

/** An operator gives away what they hold, or what nobody holds; others may give away anything. */
export async function expectOwn(db: Db, { assignedUserId: holder }: Locked, who: Who): Promise<void> {
  if (who.role !== 'operator' || holder === null || holder === who.id) return
  throw conversationTaken(await findUserName(db, holder))
}

/** Transfers a locked conversation. The caller notifies the receiver. */
export async function transferLocked(
  db: Tx,
  conversation: Locked,
  who: Who,
  {
    receiver,
    note,
    sectorId: wanted,
  }: { receiver: Receiver; note?: string | undefined; sectorId?: number | undefined },
): Promise<void> {
  expectHasNumber(receiver, conversation)
  const sectorId = await sectorWith(db, conversation, receiver.id, wanted)
  if (sectorId === undefined)
    throw new AppError('conversations.target_not_in_sector', { values: { name: receiver.name } })
  const settings = await settingsOfNumber(db, conversation.instanceId, sectorId)
  const changed = await setAssignee(db, conversation, receiver.id, { sectorId })
  await noteAct(db, changed, { by: who.id, act: 'transferred', to: receiver.name, note })
  // On hold it would call a client back to whom nobody speaks before the return.
  if (!isSnoozed(changed)) await sendAutomatic(db, changed, 'transferMessage', { settings })
  await record(db, who, {
    action: 'conversation.transfer',
    resourceId: conversation.id,
    details: { to: receiver.id, from: conversation.assignedUserId },
  })
  db.emit({ type: 'conversation_transferred', conversationId: conversation.id })
}

/**
 * Completes the conversation and sends the closing text to the contact.
 * @throws AppError 404, 409 completed already, changed, assigned to somebody else, or written to by the
 *   contact after `seenMessageId`; as `expectReason`, `retag`, `expectTagged`
 */
export async function finalize(
  database: Place,
  who: Who,
  act: Target & {
    notes?: string | undefined
    reasonId?: number | null | undefined
    tagIds?: readonly number[] | undefined
    seenMessageId?: number | undefined
    isUndoable?: boolean | undefined
  },
): Promise<void> {
  await actOnConversation(database, who, act, async (db, found) => {
    if (act.seenMessageId !== undefined && (await hasWrittenSince(db, found.id, act.seenMessageId)))
      throw new AppError('conversations.client_wrote')
    const reason = await expectReason(db, found, act.reasonId)
    const conversation = await tagLocked(db, who, found, { add: act.tagIds })
    await expectTagged(db, conversation)
    await complete(db, conversation, 'finalizationMessage', {
      by: who.id,
      act: 'finalized',
      reason,
      ...(act.notes?.trim() && { notes: act.notes.trim() }),
      ...(act.isUndoable && { heldFor: heldFor(await getSettings(db)) }),
    })
    await record(db, who, {
      action: 'conversation.finalize',
      resourceId: conversation.id,
      details: {
        assignedUserId: conversation.assignedUserId,
        ...(reason && { reason: reason.path }),
      },
    })
  })
}
