import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { DeliveryStatus } from '#shared/messages/delivery.ts'
import type { FailureReason, Hindrance } from '#shared/text/text.ts'
import type { Content } from '#server/gateway/gateway.ts'
import { tellFailed } from '#server/notifications/notifications.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { messages } from '#server/schema/conversations/conversations.ts'
import { outbox } from '#server/schema/conversations/outbox.ts'
import { changeMessage, urgencyOf } from '#server/conversations/store/change.ts'
import { notifyQuoting } from '#server/conversations/store/quoting.ts'
import { keepWaiting } from '#server/conversations/store/waiting.ts'
import { uncount } from '#server/conversations/store/write.ts'
import {
  type LockedMessage,
  lockMessage,
  lockMessageAndEcho,
  lockConversation,
  lockWaId,
} from '#server/conversations/store/lock.ts'
import { applyPending } from './changes.ts'
import { noteDuplicate } from './duplicates.ts'
import { matchesContent } from './match-content.ts'
import { confirmDeleted } from './tombstones.ts'

/** What proves that a message was sent. */
export interface Accepted {
  /** Its id at WhatsApp. */
  waId: string
  /** When WhatsApp had it, by its own clock; undefined: the proof does not say. */
  acceptedAt: Date | undefined
}

/**
 * Records that the gateway has the message under this id: the proof that it was sent. Idempotent, whichever
 * proof comes first: the answer, the echo, or the gateway's record.
 */
export async function recordSent(db: Tx, messageId: number, { waId, acceptedAt }: Accepted): Promise<void> {
  const message = await lockMessageAndEcho(db, messageId, waId)
  if (!message) return confirmDeleted(db, messageId, waId)
  if (message.whatsappMessageId !== null) {
    // Both ids are of this very message, so the gateway has sent it twice.
    if (message.whatsappMessageId !== waId) await noteDuplicate(db, messageId, waId)
    return
  }
  await lockWaId(db, message.instanceId, waId)
  const hadEcho = await deleteEcho(db, message, waId)
  await confirmSent(db, message, { waId, acceptedAt })
  if (hadEcho) await notifyQuoting(db, message, waId)
  await applyPending(db, message.instanceId, waId)
}

/** Gives a message that was being sent its WhatsApp id, which is locked and of no other message. */
export async function confirmSent(
  db: Tx,
  message: LockedMessage,
  { waId, acceptedAt }: Accepted,
): Promise<void> {
  const [[ended]] = await Promise.all([
    db
      .update(outbox)
      .set({ state: 'sent', leaseUntil: null, unknownSince: null, lastError: null })
      .where(eq(outbox.messageId, message.id))
      .returning({ blocksNext: hasLaterSend }),
    changeMessage(
      db,
      message,
      {
        whatsappMessageId: waId,
        deliveryStatus: 'sent',
        failureReason: null,
        acceptedAt: acceptedAt ?? sql`app_now()`,
      },
      urgencyOf('sent'),
    ),
  ])
  if (ended?.blocksNext) db.signal('outbox')
  if (message.deliveryStatus === 'failed') await judgeWaiting(db, message.id)
}

/**
 * When WhatsApp had the own message of row `m`: by its own clock, or, as long as nothing has said so, when it
 * was first handed over. Null when that has not begun.
 */
export const acceptedAtOf = (m: SQL): SQL => sql`coalesce(${m}.accepted_at,
  (select o.first_attempt_at from outbox o
    where o.message_id = ${m}.id and o.state in ('sending', 'unknown', 'sent')),
  case when ${m}.delivery_status in ('sent', 'delivered', 'read', 'played') then ${m}.sent_at end)`

/** For RETURNING: whether a later message of the conversation, which is locked, waits for this row. */
const hasLaterSend = sql<boolean>`exists (
  select from outbox n where n.conversation_id = outbox.conversation_id and n.id > outbox.id
     and n.state = 'pending')`

/**
 * An echo that matched no message was stored as one written on the phone; now that its id is known to be
 * ours, only our message remains.
 * @returns whether there was one
 */
async function deleteEcho(db: Tx, message: LockedMessage, waId: string): Promise<boolean> {
  const deleted = await db
    .delete(messages)
    .where(
      and(
        eq(messages.instanceId, message.instanceId),
        eq(messages.whatsappMessageId, waId),
        eq(messages.senderType, 'user'),
        sql`${messages.senderId} is null`,
        sql`${messages.id} <> ${message.id}`,
      ),
    )
    .returning({ conversationId: messages.conversationId })
  for (const { conversationId } of deleted) await uncount(db, conversationId)
  return deleted.length > 0
}

/**
 * Marks a message as failed, visibly and with its reason: it was refused for good, or given up. After a
 * person's message the conversation, which is locked, waits for the team: the client has not got their
 * answer.
 */
export async function recordFailed(db: Tx, messageId: number, reason: FailureReason): Promise<void> {
  await moveTo(db, messageId, 'failed', reason)
  await tellFailed(db, [messageId])
  await judgeWaiting(db, messageId)
}

async function judgeWaiting(db: Tx, messageId: number): Promise<void> {
  const message = await lockMessage(db, messageId)
  if (!message || message.senderId === null) return
  const conversation = await lockConversation(db, message.conversationId)
  if (conversation) await keepWaiting(db, conversation)
}

/**
 * Changes the delivery status of a message unless the gateway has it already.
 * @param reason why it has failed, or why it waits
 */
export async function moveTo(
  db: Tx,
  messageId: number,
  status: DeliveryStatus,
  reason: FailureReason | Hindrance | null = null,
): Promise<void> {
  const message = await lockMessage(db, messageId)
  if (!message?.deliveryStatus || !isOursToSend.has(message.deliveryStatus)) return
  await changeMessage(db, message, { deliveryStatus: status, failureReason: reason }, urgencyOf(status))
}

const isOursToSend = new Set<DeliveryStatus>(['pending', 'sending', 'unknown', 'failed'])

/**
 * Selects the id of the outgoing message that an echo is about, as a query without parentheses: it was given
 * this id, or is under way and has the same content. The latter counts only where the gateway may have given
 * it another id. One message is under way per conversation; one that has failed within the hour, given up or
 * refused, is meant only when no other can be.
 */
export const inFlightIn = (
  conversationIds: number[],
  { waId, content }: { waId: string; content: Content },
): SQL =>
  sql`select m.id from outbox o join messages m on m.id = o.message_id
              join evolution_api_config g on g.id = o.instance_id
       where o.conversation_id = any(${sql.param(conversationIds)}::int[])
         and m.whatsapp_message_id is null and o.state <> 'cancelled'
         and (o.given_id = ${waId}
              or (${matchesContent(sql`m`, content)}
                  and (o.given_id is null or not g.keeps_ids or g.release_at > o.first_attempt_at)
                  and (o.state in ('sending', 'unknown') or (o.state = 'pending' and o.tries > 0)
                       or (o.state = 'failed' and o.first_attempt_at > app_now() - interval '1 hour'))))
       order by (o.given_id is not distinct from ${waId}) desc,
                case o.state when 'sending' then 0 when 'unknown' then 1 when 'pending' then 2 else 3 end,
                o.id
       limit 1`
