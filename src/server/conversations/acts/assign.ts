import { and, asc, eq, isNull } from 'drizzle-orm'
import { enterQueue, isQueued, leaveQueue } from '#server/automation/automation.ts'
import { AppError } from '#shared/errors.ts'
import type { SystemSettings } from '#shared/settings.ts'
import { record } from '#server/audit/audit.ts'
import type { Who } from '#server/platform/http/access.ts'
import { type Database, type Db, inTransaction, type Tx } from '#server/platform/database/db.ts'
import { conversations } from '#server/schema/conversations.ts'
import { users } from '#server/schema/users.ts'
import { getSettings } from '#server/settings/settings.ts'
import {
  conversationChanged,
  conversationCompleted,
  conversationTaken,
  lockConversationFor,
} from '#server/conversations/store/access.ts'
import { complete } from './complete.ts'
import { sendAutomatic } from '#server/conversations/store/texts.ts'
import { noteAct } from '#server/conversations/store/write.ts'
import { type Locked } from '#server/conversations/store/lock.ts'
import { updateConversation } from '#server/conversations/store/change.ts'

/** On which conversation, and what the person saw of it when he decided. */
interface Seen {
  conversationId: number
  /** Whose it was; null: nobody's. */
  holderId?: number | null | undefined
  version?: number | undefined
}

/** What every act of a person on an open conversation begins with. */
export async function actOn<T>(
  database: Database,
  who: Who,
  act: Seen,
  work: (db: Tx, conversation: Locked) => Promise<T>,
): Promise<T> {
  return inTransaction(database, async (db) => {
    const conversation = await lockConversationFor(db, who, act.conversationId)
    if (conversation.status === 'completed') throw conversationCompleted()
    await refuseOtherHolder(db, conversation, act.holderId)
    refuseStale(conversation, act.version)
    return work(db, conversation)
  })
}

/** The caller has decided by a row that is not the newest one. */
function refuseStale(conversation: Locked, version: number | undefined): void {
  if (version !== undefined && version !== conversation.version) throw conversationChanged()
}

/** Who was first says more than that something changed. */
async function refuseOtherHolder(db: Db, conversation: Locked, seen: Seen['holderId']): Promise<void> {
  const holder = conversation.assignedUserId
  if (seen === undefined || seen === holder) return
  throw holder === null ? conversationChanged() : conversationTaken(await nameOf(db, holder))
}

/** @throws AppError 422 who is not there, or may not sign in */
export async function findReceiver(db: Db, id: number): Promise<{ id: number; name: string }> {
  const [user] = await db
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(
      and(eq(users.id, id), eq(users.isActive, true), eq(users.isBlocked, false), isNull(users.deletedAt)),
    )
  if (!user) throw new AppError('conversations.target_unavailable')
  return user
}

/**
 * 'Assumir' (oneself), assigning to somebody, or back to the FILA (null). Of two who take at once the first wins.
 * @throws AppError 404 not visible, 409 completed or taken (naming who has it), 422 the receiver is not available
 */
export async function assign(
  database: Database,
  who: Who,
  act: Seen & { operatorId: number | null },
): Promise<{ id: number; name: string } | null> {
  const { conversationId, operatorId } = act
  return actOn(database, who, { conversationId }, async (db, conversation) => {
    const holder = conversation.assignedUserId
    // Done already, by the same call a moment ago or by somebody who wanted the same.
    if (holder === operatorId) return operatorId === null ? null : findReceiver(db, operatorId)
    // Whoever comes second is always behind by a version: who was first says more.
    if (holder !== null && operatorId === who.id) throw conversationTaken(await nameOf(db, holder))
    await refuseOtherHolder(db, conversation, act.holderId)
    refuseStale(conversation, act.version)
    if (operatorId === null) return backToQueue(db, conversation, who)
    const receiver = await findReceiver(db, operatorId)
    await assignTo(db, conversation, who, receiver)
    return receiver
  })
}

async function assignTo(
  db: Tx,
  conversation: Locked,
  who: Who,
  receiver: { id: number; name: string },
): Promise<void> {
  await giveTo(db, conversation, receiver.id)
  await noteAct(
    db,
    conversation,
    receiver.id === who.id
      ? { by: who.id, act: 'taken' }
      : { by: who.id, act: 'assigned', to: receiver.name },
  )
  await record(db, {
    userId: who.id,
    action: 'conversation.assign',
    resourceType: 'conversation',
    resourceId: conversation.id,
    details: { to: receiver.id, from: conversation.assignedUserId },
  })
  db.emit({ type: 'conversation_updated', conversationId: conversation.id })
  if (receiver.id !== who.id)
    db.emit({ type: 'new_conversation_notification', userId: receiver.id, conversationId: conversation.id })
}

/**
 * 'Assumir próxima': whoever waits longest in the FILA. Two who press at once get two different ones.
 * @throws AppError 404 nobody waits
 */
export async function takeNext(database: Database, who: Who): Promise<number> {
  return inTransaction(database, async (db) => {
    const [first] = await db
      .select({ id: conversations.id })
      .from(conversations)
      .where(and(isQueued, isNull(conversations.assignedUserId)))
      .orderBy(asc(conversations.startedAt), asc(conversations.id))
      .limit(1)
      .for('update', { skipLocked: true })
    if (!first) throw new AppError('conversations.queue_empty')
    const conversation = await lockConversationFor(db, who, first.id)
    await assignTo(db, conversation, who, who)
    return first.id
  })
}

/** A locked conversation leaves the FILA for somebody's hands. */
export async function giveTo(db: Tx, conversation: Locked, operatorId: number): Promise<Locked> {
  await leaveQueue(db, conversation.id)
  return updateConversation(db, conversation, {
    assignedUserId: operatorId,
    status: 'active',
    subStatus: 'OPERADOR',
  })
}

/** A locked conversation is nobody's again, and waits in the FILA. @param note for the team alone */
export async function backToQueue(db: Tx, conversation: Locked, who: Who, note?: string): Promise<null> {
  const changed = await updateConversation(db, conversation, {
    assignedUserId: null,
    status: 'waiting',
    subStatus: 'FILA',
  })
  await noteAct(db, conversation, { by: who.id, act: 'returned', note })
  await enterQueue(db, changed)
  await record(db, {
    userId: who.id,
    action: 'conversation.unassign',
    resourceType: 'conversation',
    resourceId: conversation.id,
    details: { from: conversation.assignedUserId },
  })
  db.emit({ type: 'conversation_updated', conversationId: conversation.id })
  return null
}

async function nameOf(db: Db, userId: number): Promise<string> {
  const [user] = await db.select({ name: users.name }).from(users).where(eq(users.id, userId))
  return user?.name ?? ''
}

/**
 * Hands the conversation to another operator and tells the contact; the note stays with the team.
 * @throws AppError 404, 409 completed or somebody else's by now, 422 the receiver is not available
 */
export async function transfer(
  database: Database,
  who: Who,
  act: Seen & { newOperatorId: number; note?: string | undefined },
): Promise<void> {
  await actOn(database, who, act, async (db, conversation) => {
    const receiver = await findReceiver(db, act.newOperatorId)
    const settings = await getSettings(db)
    await passTo(db, conversation, who, { receiver, note: act.note, settings })
    if (receiver.id !== who.id)
      db.emit({ type: 'new_conversation_notification', userId: receiver.id, conversationId: conversation.id })
  })
}

/** A locked conversation gets into the hands of a colleague, whom the caller tells of it. */
export async function passTo(
  db: Tx,
  conversation: Locked,
  who: Who,
  to: { receiver: { id: number; name: string }; note?: string | undefined; settings: SystemSettings },
): Promise<void> {
  const { receiver, note, settings } = to
  const changed = await giveTo(db, conversation, receiver.id)
  await noteAct(db, changed, { by: who.id, act: 'transferred', to: receiver.name, note })
  await sendAutomatic(db, changed, 'transferMessage', { settings })
  await record(db, {
    userId: who.id,
    action: 'conversation.transfer',
    resourceType: 'conversation',
    resourceId: conversation.id,
    details: { to: receiver.id, from: conversation.assignedUserId },
  })
  db.emit({ type: 'conversation_transferred', conversationId: conversation.id })
}

/**
 * Completes the conversation and says goodbye to the contact. Of two who finalize at once the second gets 409.
 * @throws AppError 404, 409
 */
export async function finalize(
  database: Database,
  who: Who,
  act: Seen & { notes?: string | undefined },
): Promise<void> {
  await actOn(database, who, act, async (db, conversation) => {
    await complete(db, conversation, 'finalizationMessage', {
      by: who.id,
      act: 'finalized',
      ...(act.notes?.trim() && { notes: act.notes.trim() }),
    })
    await record(db, {
      userId: who.id,
      action: 'conversation.finalize',
      resourceType: 'conversation',
      resourceId: conversation.id,
      details: { assignedUserId: conversation.assignedUserId },
    })
  })
}
