import { eq, sql } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import {
  deleteWindowMs,
  editWindowMs,
  hasEditableWords,
  isAtWhatsApp,
  mayDelete,
} from '#shared/messages/message-changes.ts'
import { gatewayTexts } from '#shared/text/text.ts'
import { record } from '#server/audit/audit.ts'
import { addressOf, chatJid } from '#server/contacts/contacts.ts'
import { type ChangeResult, type Gateway, gatewayHindered } from '#server/gateway/gateway.ts'
import type { Who } from '#server/platform/http/access.ts'
import { appNow } from '#server/platform/clock.ts'
import { type Database, type Db, inTransaction, type Tx } from '#server/platform/database/db.ts'
import { messages } from '#server/schema/conversations/conversations.ts'
import { undoneSends } from '#server/schema/conversations/message-changes.ts'
import { uncountUse } from '#server/quick-replies/quick-replies.ts'
import { outbox } from '#server/schema/conversations/outbox.ts'
import { expectNoNote, lockedMessageFor } from '#server/conversations/store/access.ts'
import { actOnConversation } from '#server/conversations/acts/assign.ts'
import { recordChange } from '#server/conversations/messages/changes.ts'
import { changeMessage } from '#server/conversations/store/change.ts'
import { uncount } from '#server/conversations/store/write.ts'
import { keepWaiting } from '#server/conversations/store/waiting.ts'
import type { Locked, LockedMessage } from '#server/conversations/store/lock.ts'
import { expectNumberOn } from './number-on.ts'

// Edits and deletions of messages. One that has not been sent is changed in the outbox. One that is at
// WhatsApp is changed there first, outside any transaction, and then here: both calls may be repeated safely.

interface Deps {
  database: Database
  gateway: Gateway
}

interface Target {
  conversationId: number
  messageId: number
}

/** How the gateway addresses a message that is at WhatsApp. */
interface MessageAddress {
  instanceId: number
  to: string
  waId: string
}

/**
 * Edits the text of a person's own message.
 * @throws AppError 404, 403 another person's message, 409 completed, not text, too late, being sent or
 * refused by WhatsApp, 502 not made or not confirmed
 */
export async function editMessage(
  { database, gateway }: Deps,
  who: Who,
  { content, ...target }: Target & { content: string },
): Promise<void> {
  const sent = await actOnConversation(database, who, target, async (db, conversation) => {
    const message = await lockedMessageFor(db, who, conversation, target.messageId)
    expectNoNote(message)
    if (message.senderId !== who.id) throw new AppError('messages.not_yours')
    if (message.deletedAt !== null || !hasEditableWords(message)) throw new AppError('messages.not_editable')
    if (message.content === content) return undefined
    if (isAtWhatsApp(message)) {
      await expectWithin(db, message, editWindowMs, 'messages.edit_too_late')
      return findAddress(db, conversation, message)
    }
    // A failed message must be written anew: it may have reached WhatsApp after the gateway's answer.
    if (message.deliveryStatus === 'failed') throw new AppError('messages.not_editable')
    if ((await lockOutboxRow(db, message.id)) !== 'untried') throw new AppError('messages.under_way')
    await changeMessage(db, message, { content })
    await recordAudit(db, who, 'message.edit', target)
    return undefined
  })
  if (!sent) return
  const { instanceId, ...message } = sent
  const atMs = expectDone(
    await gateway.editMessage(database, instanceId, { ...message, text: content }),
    gatewayTexts.editUnconfirmed,
  )
  await inTransaction(database, async (db) => {
    // The gateway's own webhook may have been first: edits of equal time and text count as one.
    await recordChange(db, instanceId, { kind: 'edit', waId: sent.waId, content, editedAtMs: atMs })
    await recordAudit(db, who, 'message.edit', target)
  })
}

/**
 * Deletes a message for everyone. A message in the outbox is never sent, one at WhatsApp is revoked. Deleting
 * a deleted message does nothing.
 * @throws AppError 404, 403 another person's message, 409 completed, not deletable, too late, being sent or
 * refused by WhatsApp, 502 not made or not confirmed
 */
export async function deleteMessage({ database, gateway }: Deps, who: Who, target: Target): Promise<void> {
  const sent = await actOnConversation(database, who, target, async (db, conversation) => {
    const message = await lockedMessageFor(db, who, conversation, target.messageId)
    expectNoNote(message)
    if (!mayDelete(who, message)) throw new AppError('messages.not_yours')
    if (message.deletedAt !== null) return undefined
    if (isAtWhatsApp(message)) {
      await expectWithin(db, message, deleteWindowMs, 'messages.delete_too_late')
      return findAddress(db, conversation, message)
    }
    if (message.deliveryStatus === null) throw new AppError('messages.not_deletable')
    await deleteUnsent(db, conversation, message)
    await recordAudit(db, who, 'message.delete', target)
    return undefined
  })
  if (!sent) return
  const { instanceId, ...message } = sent
  expectDone(await gateway.deleteMessage(database, instanceId, message), gatewayTexts.deletionUnconfirmed)
  await inTransaction(database, async (db) => {
    await recordChange(db, instanceId, { kind: 'delete', waId: sent.waId })
    await recordAudit(db, who, 'message.delete', target)
  })
}

/**
 * Undoes a send of a person that has not left: the message is deleted, as if it had not been written. If a
 * worker claims it at the same moment, either it is deleted and never sent, or the call is refused.
 * @throws AppError 404, 403 another person's message, 409 completed or sent already
 */
export async function undoSend(
  { database }: Pick<Deps, 'database'>,
  who: Who,
  target: Target,
): Promise<void> {
  await actOnConversation(database, who, target, async (db, conversation) => {
    const message = await lockedMessageFor(db, who, conversation, target.messageId)
    expectNoNote(message)
    if (message.senderId !== who.id) throw new AppError('messages.not_yours')
    if ((await lockOutboxRow(db, message.id)) !== 'untried') throw new AppError('messages.already_sent')
    const { id: conversationId } = conversation
    if (message.clientMessageId !== null)
      await db.insert(undoneSends).values({ conversationId, clientMessageId: message.clientMessageId })
    const [sent] = await db
      .select({ useId: outbox.quickReplyUseId })
      .from(outbox)
      .where(eq(outbox.messageId, message.id))
    if (sent?.useId) await uncountUse(db, sent.useId)
    await db.delete(messages).where(eq(messages.id, message.id))
    await uncount(db, conversationId)
    await keepWaiting(db, conversation)
    await recordAudit(db, who, 'message.undo', target)
    // The next message of the conversation is no longer blocked.
    db.signal('outbox')
  })
}

/** Longer than any browser keeps a send of which it has got no answer. */
const undoneFor = sql`interval '30 days'`

/** Forgets undone sends that no browser repeats any more. */
export async function trimUndone(db: Db): Promise<void> {
  await db.delete(undoneSends).where(sql`${undoneSends.undoneAt} <= app_now() - ${undoneFor}`)
}

/**
 * A pending message loses its delivery status, since it never answered anybody, and the client is waiting
 * again. A failed one stays failed.
 */
async function deleteUnsent(db: Tx, conversation: Locked, message: LockedMessage): Promise<void> {
  if ((await lockOutboxRow(db, message.id)) === 'in flight') throw new AppError('messages.under_way')
  // A late echo of a failed message no longer matches this row, and is shown as a message that has arrived.
  await db.update(outbox).set({ state: 'cancelled' }).where(eq(outbox.messageId, message.id))
  await changeMessage(db, message, {
    deletedAt: sql`app_now()`,
    ...(message.deliveryStatus !== 'failed' && { deliveryStatus: null }),
  })
  // The next message of the conversation is no longer blocked.
  db.signal('outbox')
  await keepWaiting(db, conversation)
}

/**
 * Locks a message's outbox row until the end of the transaction. A row that is locked already counts as in
 * flight without waiting for it: a worker is claiming it.
 */
async function lockOutboxRow(db: Db, messageId: number): Promise<'untried' | 'finished' | 'in flight'> {
  const [row] = await db
    .select({ state: outbox.state, tries: outbox.tries })
    .from(outbox)
    .where(eq(outbox.messageId, messageId))
    .for('update', { skipLocked: true })
  if (!row) return 'in flight'
  // After a try the message may be at WhatsApp, whatever the answer was.
  if (row.state === 'pending' && row.tries === 0) return 'untried'
  return ['failed', 'cancelled', 'sent'].includes(row.state) ? 'finished' : 'in flight'
}

async function expectWithin(
  db: Db,
  { sentAt }: LockedMessage,
  windowMs: number,
  code: 'messages.edit_too_late' | 'messages.delete_too_late',
): Promise<void> {
  const now = await appNow(db)
  if (now.getTime() - sentAt.getTime() >= windowMs) throw new AppError(code)
}

async function findAddress(
  db: Db,
  { contactId }: Locked,
  { instanceId, whatsappMessageId }: LockedMessage,
): Promise<MessageAddress> {
  await expectNumberOn(db, instanceId)
  const to = await addressOf(db, contactId)
  if (!to || whatsappMessageId === null) throw new AppError('messages.change_refused')
  return { instanceId, to: chatJid(to), waId: whatsappMessageId }
}

/** @returns the time of the change, in the unit of `ChangeResult` */
function expectDone(result: ChangeResult, unconfirmed: string): number {
  if (result.kind === 'done') return result.atMs
  if (result.kind === 'refused') throw new AppError('messages.change_refused')
  if (result.kind === 'not_changed') throw gatewayHindered(result.hindrance)
  throw new AppError('gateway.unreachable', { values: { reason: unconfirmed } })
}

function recordAudit(
  db: Db,
  who: Who,
  action: 'message.edit' | 'message.delete' | 'message.undo',
  { messageId, conversationId }: Target,
): Promise<number> {
  return record(db, who, { action, resourceId: messageId, details: { conversationId } })
}
