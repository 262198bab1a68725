import { and, desc, eq, gt, isNotNull, lte, ne } from 'drizzle-orm'
import { addressOf, chatJid } from '#server/contacts/contacts.ts'
import type { Gateway } from '#server/gateway/gateway.ts'
import { type Database, inTransaction, type Tx } from '#server/platform/database/db.ts'
import type { Log } from '#server/platform/log.ts'
import { conversations, messages } from '#server/schema/conversations/conversations.ts'
import { getSettings } from '#server/settings/settings.ts'
import { lockConversation } from '#server/conversations/store/lock.ts'

/** A read receipt for the contact's messages up to one of them. */
export interface Receipt {
  conversationId: number
  upToMessageId: number
}

/** Of a conversation that is read for the first time. Nobody scrolls further back on a phone. */
const maxReceipts = 200

/**
 * Claims the contact's messages whose receipts are due. Each message is claimed once, also while receipts are
 * switched off: switching them on affects only what is read from then on.
 * @returns undefined when there is nothing to send
 */
async function claimReceipts(db: Tx, { conversationId, upToMessageId }: Receipt) {
  const conversation = await lockConversation(db, conversationId)
  if (!conversation) return undefined
  const { id, instanceId, contactId, receiptMessageId } = conversation
  const read = await db
    .select({ id: messages.id, waId: messages.whatsappMessageId })
    .from(messages)
    .where(
      and(
        eq(messages.conversationId, id),
        eq(messages.senderType, 'contact'),
        gt(messages.id, receiptMessageId ?? 0),
        lte(messages.id, upToMessageId),
        isNotNull(messages.whatsappMessageId),
        // A line of our own: WhatsApp has no such message.
        ne(messages.messageType, 'call'),
      ),
    )
    .orderBy(desc(messages.id))
    .limit(maxReceipts)
  const [newest] = read
  if (!newest) return undefined
  await db.update(conversations).set({ receiptMessageId: newest.id }).where(eq(conversations.id, id))
  const { readReceiptsEnabled } = await getSettings(db)
  if (!readReceiptsEnabled) return undefined
  return { instanceId, contactId, waIds: read.flatMap(({ waId }) => waId ?? []).toReversed() }
}

export type SendReceipt = (receipt: Receipt | undefined) => void

/** Sends read receipts in the background, once each. Failures are logged, and not retried. */
export function createSendReceipt({
  database,
  gateway,
  log,
}: {
  database: Database
  gateway: Gateway
  log: Log
}): SendReceipt {
  const send = async (receipt: Receipt) => {
    const claimed = await inTransaction(database, (db) => claimReceipts(db, receipt))
    if (!claimed) return
    const { instanceId, contactId, waIds } = claimed
    // WhatsApp drops receipts addressed to a hidden number, but delivers those to the telephone number.
    const to = await addressOf(database, contactId)
    if (to) await gateway.markRead(database, instanceId, { to: chatJid(to), waIds })
  }
  return (receipt) => {
    if (!receipt) return
    void send(receipt).catch((error: unknown) =>
      log.warn({ err: error, ...receipt }, 'read receipt not sent'),
    )
  }
}
