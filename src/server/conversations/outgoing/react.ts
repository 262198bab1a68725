import { eq } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import { gatewayTexts } from '#shared/text/text.ts'
import { addressOf, chatJid } from '#server/contacts/contacts.ts'
import { type Gateway, gatewayHindered } from '#server/gateway/gateway.ts'
import type { Who } from '#server/platform/http/access.ts'
import { type Database, type Db, inTransaction } from '#server/platform/database/db.ts'
import { conversations } from '#server/schema/conversations/conversations.ts'
import { expectNoNote, expectOpen, messageFor } from '#server/conversations/store/access.ts'
import { recordChange } from '#server/conversations/messages/changes.ts'
import { expectNumberOn } from './number-on.ts'

/**
 * Sends the team's reaction to a message, or removes it with '', and records it once the gateway confirms. It
 * bypasses the outbox, since a reaction may be repeated safely.
 * @throws AppError 404 not visible, 409 completed, not at WhatsApp or the number off, 502 not made or not
 *   confirmed
 */
export async function setReaction(
  { database, gateway }: { database: Database; gateway: Gateway },
  who: Who,
  { conversationId, messageId, emoji }: { conversationId: number; messageId: number; emoji: string },
): Promise<void> {
  await expectOpen(database, who, conversationId)
  const target = await messageFor(database, who, { conversationId, messageId })
  expectNoNote(target)
  const { instanceId, whatsappMessageId: waId, senderType, deletedAt } = target
  const to = await addressOfConversation(database, conversationId)
  if (!waId || !to || deletedAt) throw new AppError('messages.not_reactable')
  await expectNumberOn(database, instanceId)
  const result = await gateway.sendReaction(database, instanceId, {
    to: chatJid(to),
    waId,
    fromMe: senderType === 'user',
    emoji,
  })
  if (result.kind === 'not_sent' && result.hindrance) throw gatewayHindered(result.hindrance)
  if (result.kind !== 'sent')
    throw new AppError('gateway.unreachable', { values: { reason: gatewayTexts.reactionUnconfirmed } })
  await inTransaction(database, (db) =>
    recordChange(db, instanceId, { kind: 'reaction', waId, emoji, from: 'user', sentAtMs: 0 }),
  )
}

async function addressOfConversation(db: Db, conversationId: number): Promise<string | undefined> {
  const [row] = await db
    .select({ contactId: conversations.contactId })
    .from(conversations)
    .where(eq(conversations.id, conversationId))
  return row && addressOf(db, row.contactId)
}
