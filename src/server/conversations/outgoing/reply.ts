import { and, eq, inArray, sql } from 'drizzle-orm'
import { leaveQueue } from '#server/automation/automation.ts'
import type { MessageMetadata } from '#shared/messages/message-metadata.ts'
import type { Message } from '#shared/messages/messages.ts'
import { AppError } from '#shared/errors.ts'
import type { mediaTypes } from '#shared/messages/message-kinds.ts'
import { record } from '#server/audit/audit.ts'
import { ownFile } from '#server/media/media.ts'
import type { Who } from '#server/platform/http/access.ts'
import { countUse } from '#server/quick-replies/quick-replies.ts'
import { type Database, type Db, inTransaction, type Place, type Tx } from '#server/platform/database/db.ts'
import { statement } from '#server/platform/database/statement.ts'
import { outbox } from '#server/schema/conversations/outbox.ts'
import { undoSendTime } from '#server/settings/settings.ts'
import {
  conversationCompleted,
  expectNoNote,
  expectOpen,
  findReadable,
  lockConversationFor,
  lockedMessageFor,
  messageFor,
} from '#server/conversations/store/access.ts'
import { isSnoozed } from '#shared/conversations/list/list-view.ts'
import { changeMessage, updateConversation } from '#server/conversations/store/change.ts'
import { lockTaker } from '#server/conversations/acts/receivers.ts'
import { announce } from './announce.ts'
import { numberOff } from './number-on.ts'
import type { Receipt } from './receipts.ts'
import { keepWaiting } from '#server/conversations/store/waiting.ts'
import { withdrawTexts } from '#server/conversations/store/texts.ts'
import { toMessage } from '#server/conversations/store/serializers.ts'
import { insertOutgoing } from '#server/conversations/store/insert-outgoing.ts'
import { findPlace, noteAct } from '#server/conversations/store/write.ts'
import type { Locked } from '#server/conversations/store/lock.ts'
import { waitedBeforeHold } from '#server/conversations/store/waiting.ts'

export interface Reply {
  content: string
  clientMessageId?: string | undefined
  quotedMessageId?: number | undefined
  isForwarded?: boolean | undefined
  /** The quick reply that it came from. */
  quickReply?: string | undefined
  /** A file that is stored already. */
  file?: ReplyFile | undefined
}

export interface ReplyFile {
  /** Its name in the file store. */
  name: string
  messageType: (typeof mediaTypes)[number]
  columns: { fileName: string; fileUrl: string; fileMimeType: string; fileSize: number }
  metadata: MessageMetadata
}

export interface Replied {
  id: number
  /** The message, where it is known without another query. */
  message?: Message
  /** To be sent after the commit. */
  receipt?: Receipt | undefined
}

/**
 * Stores an operator's reply and its outbox row. The first reply to an unassigned conversation assigns it.
 * Repeating a call with the same `clientMessageId` returns the stored message.
 * @throws AppError 404 not visible, 409 completed, or its number is switched off
 */
export async function sendReply(
  database: Place,
  who: Who,
  conversationId: number,
  reply: Reply,
): Promise<Replied> {
  return inTransaction(database, async (db) => {
    // Sent together; the second part is read once the lock is there.
    const [locked, state] = await Promise.all([
      lockConversationFor(db, who, conversationId),
      readState(db, conversationId, reply),
    ])
    return storeReply(db, who, locked, reply, state)
  })
}

/** What of a locked conversation decides about a reply. */
interface ReplyState {
  earlier: EarlierSend
  place: Awaited<ReturnType<typeof findPlace>>
}

async function readState(db: Db, conversationId: number, { clientMessageId }: Reply): Promise<ReplyState> {
  const [earlier, place] = await Promise.all([
    clientMessageId ? findByClientId(db, conversationId, clientMessageId) : undefined,
    findPlace(db, conversationId, {}),
  ])
  return { earlier, place }
}

/** `sendReply` in an open transaction, for a locked conversation. */
export async function storeReply(
  db: Tx,
  who: Who,
  locked: Locked,
  reply: Reply,
  known?: ReplyState,
): Promise<Replied> {
  const { earlier, place } = known ?? (await readState(db, locked.id, reply))
  const repeated = expectSend(earlier)
  if (repeated) return { id: repeated }
  if (locked.status === 'completed') throw conversationCompleted()
  if (place.isNumberOff) throw numberOff()
  const isFirst = locked.assignedUserId === null
  const conversation = isFirst ? await assignByReply(db, locked, who) : locked
  if (!isFirst && locked.inactivityWarnedAt) await withdrawTexts(db, locked, 'attended or ended')
  const isWarned = !place.isAnswered && (await announce(db, conversation, who.id))
  const quoted = reply.quotedMessageId
    ? await findQuoted(db, who, { conversationId: locked.id, messageId: reply.quotedMessageId })
    : undefined
  const metadata =
    reply.file || reply.isForwarded
      ? { ...reply.file?.metadata, ...(reply.isForwarded && { isForwarded: true }) }
      : undefined
  const responseMs = conversation.waitingSince
    ? responseTime(conversation.waitingSince)
    : isSnoozed(conversation)
      ? sql<number>`${(await waitedBeforeHold(db, conversation.id)) ?? null}::bigint`
      : null
  const quickReplyUseId =
    reply.quickReply === undefined ? undefined : await countUse(db, who, reply.quickReply)
  const { id, row } = await insertOutgoing(
    db,
    conversation,
    {
      content: reply.content,
      senderId: who.id,
      clientMessageId: reply.clientMessageId,
      quoted,
      responseMs,
      heldFor: undoSendTime,
      quickReplyUseId,
      // What the assignment and the warning have written comes before the reply.
      place: isFirst || isWarned ? undefined : place,
      ...(reply.file && {
        ...reply.file.columns,
        messageType: reply.file.messageType,
      }),
      ...(metadata && { metadata }),
    },
    { waitingFor: 'client', waitingSince: null, returnedAt: null },
  )
  if (reply.file && !(await ownFile(db, reply.file.name, id))) throw new Error('a new message has a file')
  // Whoever answers has read the messages that were waiting for it.
  const receipt = conversation.waitingSince
    ? { conversationId: conversation.id, upToMessageId: id }
    : undefined
  if (quoted) return { id, receipt }
  return {
    id,
    receipt,
    message: toMessage({ message: row, senderName: who.name, quoted: null, reactions: [], votes: [] }),
  }
}

/** Milliseconds since the client has been waiting. */
export const responseTime = (waitingSince: Date) =>
  sql<number>`greatest(0, extract(epoch from app_now() - ${waitingSince.toISOString()}::timestamptz)
    * 1000)::bigint`

async function assignByReply(db: Tx, conversation: Locked, who: Who): Promise<Locked> {
  await lockTaker(db, who, conversation)
  const assigned = await updateConversation(db, conversation, {
    status: 'active',
    subStatus: 'OPERADOR',
    assignedUserId: who.id,
  })
  await leaveQueue(db, conversation.id)
  await withdrawTexts(db, conversation, 'attended or ended')
  await noteAct(db, assigned, { by: who.id, act: 'taken' })
  await record(db, who, {
    action: 'conversation.take',
    resourceId: conversation.id,
    details: { by: 'reply' },
  })
  db.emit({ type: 'conversation_updated', conversationId: conversation.id })
  return assigned
}

const selectByClientId = statement<{ conversationId: number; clientMessageId: string }>()((db) => {
  const isOfSend = (table: string) =>
    sql`${sql.identifier(table)}.conversation_id = ${sql.placeholder('conversationId')}
        and ${sql.identifier(table)}.client_message_id = ${sql.placeholder('clientMessageId')}`
  return db
    .select({
      id: sql<number | null>`m.id`,
      isNote: sql<boolean>`m.message_type is not distinct from 'note'`,
      isUndone: sql<boolean>`exists (select from undone_sends u where ${isOfSend('u')})`,
    })
    .from(sql`(select) one left join messages m on ${isOfSend('m')}`)
})

/**
 * The message that an earlier call with the same `clientMessageId` has stored, or that it was undone, or that
 * it has stored a note.
 */
type EarlierSend = number | 'undone' | 'note' | undefined

/**
 * An event of a conversation that nobody has checked the person's right to yet: not to be answered before.
 */
async function findByClientId(db: Db, conversationId: number, clientMessageId: string): Promise<EarlierSend> {
  const [row] = await selectByClientId(db, { conversationId, clientMessageId })
  if (row?.isUndone) return 'undone'
  return row?.isNote ? 'note' : (row?.id ?? undefined)
}

/** @throws AppError 409 that send was undone, 422 the id is that of a note */
function expectSend(earlier: EarlierSend): number | undefined {
  if (earlier === 'undone') throw new AppError('messages.undone')
  if (earlier === 'note') throw new AppError('messages.is_note')
  return earlier
}

/**
 * Checks early what `sendReply` requires, before a file is stored.
 * @returns the id of the message that an earlier call with this `clientMessageId` has stored
 * @throws AppError 404 not visible, 409 completed, that send was undone, or its number is switched off
 */
export async function expectReplyable(
  db: Db,
  who: Who,
  conversationId: number,
  clientMessageId: string | undefined,
): Promise<number | undefined> {
  if (await findReadable(db, who, conversationId)) {
    const repeated = clientMessageId && expectSend(await findByClientId(db, conversationId, clientMessageId))
    if (repeated) return repeated
  }
  await expectOpen(db, who, conversationId)
  await expectNumberOn(db, conversationId)
  return undefined
}

/** @throws AppError 409 when the number of the conversation is switched off */
export async function expectNumberOn(db: Db, conversationId: number): Promise<void> {
  if ((await findPlace(db, conversationId, {})).isNumberOff) throw numberOff()
}

async function findQuoted(db: Db, who: Who, target: Parameters<typeof messageFor>[2]) {
  const message = await messageFor(db, who, target)
  expectNoNote(message)
  const { whatsappMessageId: waId, content } = message
  return waId ? { waId, content: content.slice(0, 1000) } : undefined
}

/**
 * Queues a failed message again, at a person's request.
 * @throws AppError 404 not visible, 409 completed, not failed, or its number is switched off
 */
export async function retryMessage(
  database: Database,
  who: Who,
  conversationId: number,
  messageId: number,
): Promise<void> {
  await inTransaction(database, async (db) => {
    const conversation = await lockConversationFor(db, who, conversationId)
    if (conversation.status === 'completed') throw conversationCompleted()
    const message = await lockedMessageFor(db, who, conversation, messageId)
    expectNoNote(message)
    if (message.deliveryStatus !== 'failed' || message.deletedAt !== null)
      throw new AppError('messages.not_retryable')
    await expectNumberOn(db, conversationId)
    const retried = await db
      .update(outbox)
      .set({
        state: 'pending',
        tries: 0,
        notBefore: sql`now()`,
        firstAttemptAt: null,
        unknownSince: null,
        // One that may have arrived goes out under the same id again, by which a phone knows it.
        ...(message.whatsappMessageId !== null && { givenId: null }),
      })
      .where(and(eq(outbox.messageId, messageId), inArray(outbox.state, ['failed', 'sent'])))
      .returning({ id: outbox.id })
    if (retried.length === 0) throw new AppError('messages.not_retryable')
    // A message that WhatsApp refused after the send gets a new id with the new send.
    await changeMessage(db, message, {
      deliveryStatus: 'pending',
      failureReason: null,
      whatsappMessageId: null,
    })
    await keepWaiting(db, conversation)
    db.signal('outbox')
  })
}
