import { eq, sql } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import {
  deleteWindowMs,
  editWindowMs,
  hasEditableWords,
  isAtWhatsApp,
  mayDelete,
} from '#shared/message-changes.ts'
import { gatewayTexts } from '#shared/text.ts'
import { record } from '#server/audit/audit.ts'
import { addressOf } from '#server/contacts/contacts.ts'
import type { ChangeResult, Gateway } from '#server/gateway/gateway.ts'
import type { Who } from '#server/platform/http/access.ts'
import { appNow } from '#server/platform/clock.ts'
import { type Database, type Db, inTransaction, type Tx } from '#server/platform/database/db.ts'
import { outbox } from '#server/schema/conversations.ts'
import { actOn } from '#server/conversations/acts/assign.ts'
import { recordChange } from '#server/conversations/messages/changes.ts'
import { changeMessage } from '#server/conversations/store/change.ts'
import { waitingOf } from '#server/conversations/store/waiting.ts'
import { type Locked, type LockedMessage, findMessageIn } from '#server/conversations/store/lock.ts'
import { updateConversation } from '#server/conversations/store/change.ts'

// What a person takes back or says otherwise after he has sent it. What has not left yet is changed here, in the outbox; what
// is at WhatsApp is changed there first, outside any transaction, and then here: both calls do the same when repeated.

interface Gatewayed {
  database: Database
  gateway: Gateway
}

interface Target {
  conversationId: number
  messageId: number
}

/** A message that must be changed at WhatsApp first. */
interface AtWhatsApp {
  instanceId: number
  to: string
  waId: string
}

/**
 * Changes what a message of one's own says.
 * @throws AppError 404, 403 another's, 409 completed, not text, too late, being sent or refused by WhatsApp, 502 not confirmed
 */
export async function editMessage(
  { database, gateway }: Gatewayed,
  who: Who,
  { content, ...target }: Target & { content: string },
): Promise<void> {
  const sent = await actOn(database, who, target, async (db, conversation) => {
    const message = await findMessage(db, conversation, target)
    if (message.senderId !== who.id) throw new AppError('messages.not_yours')
    if (message.deletedAt !== null || !hasEditableWords(message)) throw new AppError('messages.not_editable')
    if (message.content === content) return undefined
    if (isAtWhatsApp(message)) {
      await refuseAfter(db, message, editWindowMs, 'messages.edit_too_late')
      return findAtWhatsApp(db, conversation, message)
    }
    // What failed is written anew: its way to WhatsApp may have been longer than its answer.
    if (message.deliveryStatus === 'failed') throw new AppError('messages.not_editable')
    if ((await holdOutbox(db, message.id)) !== 'untried') throw new AppError('messages.under_way')
    await changeMessage(db, message, { content })
    await recordAct(db, who, 'message.edit', target)
    return undefined
  })
  if (!sent) return
  const { instanceId, ...message } = sent
  const atMs = expectDone(
    await gateway.editMessage(database, instanceId, { ...message, text: content }),
    gatewayTexts.editUnconfirmed,
  )
  await inTransaction(database, async (db) => {
    // The gateway's own news of it may have been here first: of one instant and one text they are one.
    await recordChange(db, instanceId, { kind: 'edit', waId: sent.waId, content, editedAtMs: atMs })
    await recordAct(db, who, 'message.edit', target)
  })
}

/**
 * Deletes a message for everyone: what waits is never sent, what is at WhatsApp is taken back. Deleted already, it is so.
 * @throws AppError 404, 403 another's, 409 completed, no message, too late, being sent or refused by WhatsApp, 502 not confirmed
 */
export async function deleteMessage(
  { database, gateway }: Gatewayed,
  who: Who,
  target: Target,
): Promise<void> {
  const sent = await actOn(database, who, target, async (db, conversation) => {
    const message = await findMessage(db, conversation, target)
    if (!mayDelete(who, message)) throw new AppError('messages.not_yours')
    if (message.deletedAt !== null) return undefined
    if (isAtWhatsApp(message)) {
      await refuseAfter(db, message, deleteWindowMs, 'messages.delete_too_late')
      return findAtWhatsApp(db, conversation, message)
    }
    if (message.deliveryStatus === null) throw new AppError('messages.not_deletable')
    await deleteUnsent(db, conversation, message)
    await recordAct(db, who, 'message.delete', target)
    return undefined
  })
  if (!sent) return
  const { instanceId, ...message } = sent
  expectDone(await gateway.deleteMessage(database, instanceId, message), gatewayTexts.deletionUnconfirmed)
  await inTransaction(database, async (db) => {
    await recordChange(db, instanceId, { kind: 'delete', waId: sent.waId })
    await recordAct(db, who, 'message.delete', target)
  })
}

/**
 * What was waiting is never an answer to anybody: it has no delivery any more, and the client waits on. What had failed keeps
 * saying so.
 */
async function deleteUnsent(db: Tx, conversation: Locked, message: LockedMessage): Promise<void> {
  const held = await holdOutbox(db, message.id)
  if (held === 'under way') throw new AppError('messages.under_way')
  // An echo that comes late for what had failed is then a message that is really there, and shown as one.
  await db.update(outbox).set({ state: 'cancelled' }).where(eq(outbox.messageId, message.id))
  await changeMessage(db, message, {
    deletedAt: sql`app_now()`,
    ...(message.deliveryStatus !== 'failed' && { deliveryStatus: null }),
  })
  // What waited behind it may go.
  db.signal('outbox')
  const { id, waitingFor, waitingSince } = conversation
  const waiting = await waitingOf(db, id)
  if (waiting.waitingFor === waitingFor && waiting.waitingSince?.getTime() === waitingSince?.getTime()) return
  await updateConversation(db, conversation, waiting)
  db.emit({ type: 'conversation_updated', conversationId: id })
}

async function findMessage(db: Tx, conversation: Locked, { messageId }: Target): Promise<LockedMessage> {
  const message = await findMessageIn(db, conversation, messageId)
  if (!message) throw new AppError('messages.not_found')
  return message
}

/**
 * Takes a message's place in the outbox for the rest of the transaction. A worker that claims it locks that place before the
 * conversation, which we hold: whoever waited here would wait for ever, so one that is locked is under way.
 */
async function holdOutbox(db: Db, messageId: number): Promise<'untried' | 'over' | 'under way'> {
  const [row] = await db
    .select({ state: outbox.state, tries: outbox.tries })
    .from(outbox)
    .where(eq(outbox.messageId, messageId))
    .for('update', { skipLocked: true })
  if (!row) return 'under way'
  // One that was tried may be at WhatsApp by now, whatever we heard.
  if (row.state === 'pending' && row.tries === 0) return 'untried'
  return row.state === 'failed' || row.state === 'cancelled' || row.state === 'sent' ? 'over' : 'under way'
}

async function refuseAfter(
  db: Db,
  { sentAt }: LockedMessage,
  windowMs: number,
  code: 'messages.edit_too_late' | 'messages.delete_too_late',
): Promise<void> {
  const now = await appNow(db)
  if (now.getTime() - sentAt.getTime() >= windowMs) throw new AppError(code)
}

async function findAtWhatsApp(
  db: Db,
  { contactId }: Locked,
  { instanceId, whatsappMessageId }: LockedMessage,
): Promise<AtWhatsApp> {
  const to = await addressOf(db, contactId)
  if (!to || whatsappMessageId === null) throw new AppError('messages.change_refused')
  return { instanceId, to, waId: whatsappMessageId }
}

/** @returns when, as of `ChangeResult` */
function expectDone(result: ChangeResult, unconfirmed: string): number {
  if (result.kind === 'done') return result.atMs
  if (result.kind === 'refused') throw new AppError('messages.change_refused')
  throw new AppError('gateway.unreachable', { values: { reason: unconfirmed } })
}

async function recordAct(db: Db, who: Who, action: string, target: Target): Promise<void> {
  const { messageId, conversationId } = target
  await record(db, {
    userId: who.id,
    action,
    resourceType: 'message',
    resourceId: messageId,
    details: { conversationId },
  })
}
