import { and, eq } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import { gatewayTexts } from '#shared/text/text.ts'
import { addressOf, chatJid } from '#server/contacts/contacts.ts'
import type { Gateway } from '#server/gateway/gateway.ts'
import type { Who } from '#server/platform/http/access.ts'
import { type Database, type Db, inTransaction } from '#server/platform/database/db.ts'
import { conversations, messages } from '#server/schema/conversations/conversations.ts'
import { expectOpen } from '#server/conversations/store/access.ts'
import { recordChange } from '#server/conversations/messages/changes.ts'

/**
 * Sends the team's reaction to a message, or removes it with '', and records it once the gateway confirms. It
 * bypasses the outbox, since a reaction may be repeated safely.
 * @throws AppError 404 not visible, 409 completed or not at WhatsApp, 502 not confirmed by the gateway
 */
export async function setReaction(
  { database, gateway }: { database: Database; gateway: Gateway },
  who: Who,
  { conversationId, messageId, emoji }: { conversationId: number; messageId: number; emoji: string },
): Promise<void> {
  await expectOpen(database, who, conversationId)
  const target = await findTarget(database, conversationId, messageId)
  if (!target) throw new AppError('messages.not_found')
  const { instanceId, waId, senderType, contactId, deletedAt } = target
  const to = await addressOf(database, contactId)
  if (!waId || !to || deletedAt) throw new AppError('messages.not_reactable')
  const result = await gateway.sendReaction(database, instanceId, {
    to: chatJid(to),
    waId,
    fromMe: senderType === 'user',
    emoji,
  })
  if (result.kind !== 'sent')
    throw new AppError('gateway.unreachable', { values: { reason: gatewayTexts.reactionUnconfirmed } })
  await inTransaction(database, (db) =>
    recordChange(db, instanceId, { kind: 'reaction', waId, emoji, from: 'user', sentAtMs: 0 }),
  )
}

async function findTarget(db: Db, conversationId: number, messageId: number) {
  const [row] = await db
    .select({
      instanceId: messages.instanceId,
      waId: messages.whatsappMessageId,
      senderType: messages.senderType,
      deletedAt: messages.deletedAt,
      contactId: conversations.contactId,
    })
    .from(messages)
    .innerJoin(conversations, eq(conversations.id, messages.conversationId))
    .where(and(eq(messages.id, messageId), eq(messages.conversationId, conversationId)))
  return row
}
