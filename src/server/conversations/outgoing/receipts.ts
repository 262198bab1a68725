import { and, desc, eq, gt, isNotNull, lte, ne } from 'drizzle-orm'
import { addressOf } from '#server/contacts/contacts.ts'
import type { Gateway } from '#server/gateway/gateway.ts'
import { type Database, inTransaction, type Tx } from '#server/platform/database/db.ts'
import type { Log } from '#server/platform/log.ts'
import { conversations, messages } from '#server/schema/conversations.ts'
import { getSettings } from '#server/settings/settings.ts'
import { lockConversation } from '#server/conversations/store/lock.ts'

/** The client of a conversation may be told that he was read. */
export interface Receipt {
  conversationId: number
  upToMessageId: number
}

/** Of a conversation that was never read before: more at once nobody looks up on a phone. */
const mostAtOnce = 200

/**
 * Takes the contact's messages up to one of them, to be told as read. Each is taken once, also while the setting is off:
 * switched on, it speaks of what is read from then on.
 * @returns undefined when there is nothing to tell
 */
async function claim(db: Tx, { conversationId, upToMessageId }: Receipt) {
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
        // A line of ours: WhatsApp knows no such message.
        ne(messages.messageType, 'call'),
      ),
    )
    .orderBy(desc(messages.id))
    .limit(mostAtOnce)
  const [newest] = read
  if (!newest) return undefined
  await db.update(conversations).set({ receiptMessageId: newest.id }).where(eq(conversations.id, id))
  const { readReceiptsEnabled } = await getSettings(db)
  if (!readReceiptsEnabled) return undefined
  return { instanceId, contactId, waIds: read.flatMap(({ waId }) => waId ?? []).toReversed() }
}

export type TellRead = (receipt: Receipt | undefined) => void

/** Tells clients that they were read: behind the answer, once, and as well as it goes. */
export function createTellRead({
  database,
  gateway,
  log,
}: {
  database: Database
  gateway: Gateway
  log: Log
}): TellRead {
  const tell = async (receipt: Receipt) => {
    const claimed = await inTransaction(database, (db) => claim(db, receipt))
    if (!claimed) return
    const { instanceId, contactId, waIds } = claimed
    // WhatsApp drops the ones of a hidden number; by the telephone number they arrive.
    const to = await addressOf(database, contactId)
    if (to) await gateway.markRead(database, instanceId, { to, waIds })
  }
  return (receipt) => {
    if (!receipt) return
    void tell(receipt).catch((error: unknown) =>
      log.warn({ err: error, ...receipt }, 'read receipt not told'),
    )
  }
}
