import { and, desc, eq, gt, isNotNull, lte, ne, sql } from 'drizzle-orm'
import { addressOf, chatJid } from '#server/contacts/contacts.ts'
import type { Gateway } from '#server/gateway/gateway.ts'
import { type Database, type Db, inTransaction, rows, type Tx } from '#server/platform/database/db.ts'
import type { Log } from '#server/platform/log.ts'
import { createWorker, type Worker } from '#server/platform/work/worker.ts'
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
  const waIds = read.flatMap(({ waId }) => waId ?? []).toReversed()
  return { instanceId, contactId, waIds, before: receiptMessageId ?? 0, newest: newest.id }
}

interface Parts {
  database: Database
  gateway: Gateway
}

/** Sends a receipt. One that fails is due again, with what is claimed meanwhile: repeating is harmless. */
async function send({ database, gateway }: Parts, receipt: Receipt): Promise<void> {
  const claimed = await inTransaction(database, (db) => claimReceipts(db, receipt))
  if (!claimed) return
  const { instanceId, contactId, waIds, before, newest } = claimed
  try {
    // WhatsApp drops receipts addressed to a hidden number, but delivers those to the telephone number.
    const to = await addressOf(database, contactId)
    if (to) await gateway.markRead(database, instanceId, { to: chatJid(to), waIds })
  } catch (error) {
    await database.execute(
      sql`update conversations set receipt_message_id = least(receipt_message_id, ${before}::int),
                 receipt_due_id = greatest(receipt_due_id, ${newest}::int)
           where id = ${receipt.conversationId}`,
    )
    throw error
  }
}

export type SendReceipt = (receipt: Receipt | undefined) => void

/** Sends read receipts in the background. Failures are logged; the worker sends them again. */
export function createSendReceipt({ log, ...parts }: Parts & { log: Log }): SendReceipt {
  return (receipt) => {
    if (!receipt) return
    void send(parts, receipt).catch((error: unknown) =>
      log.warn({ err: error, ...receipt }, 'read receipt not sent'),
    )
  }
}

const pollMs = 60_000
/** After so many failures in one pass the rest waits for the next. */
const mostFailures = 3
/** Nobody waits for the ticks of an older conversation. */
const longestWait = sql`interval '1 day'`

/** Sends the receipts that failed again, when a number is connected and by time. */
export function startReceiptWorker({ log, ...parts }: Parts & { log: Log }): Worker {
  const { database } = parts
  return createWorker({
    name: 'receipts',
    database,
    log,
    channel: 'connected',
    pollMs,
    async work({ stopping }) {
      let failures = 0
      let due = await claimDue(database, 0)
      while (due && failures < mostFailures && !stopping.aborted) {
        await send(parts, due).catch((error: unknown) => {
          failures++
          log.warn({ err: error, ...due }, 'read receipt not sent')
        })
        due = await claimDue(database, due.conversationId)
      }
      return 'idle'
    },
  })
}

/** Takes the next receipt that is due, after a conversation. Of two instances only one gets it. */
async function claimDue(db: Db, after: number): Promise<Receipt | undefined> {
  const [due] = await rows<Receipt & Record<string, unknown>>(
    db,
    sql`update conversations c set receipt_due_id = null
          from (select d.id, d.receipt_due_id from conversations d
                  join evolution_api_config g on g.id = d.instance_id and g.is_active and g.status = 'open'
                 where d.receipt_due_id is not null and d.id > ${after}::int
                   and d.last_activity_at > app_now() - ${longestWait}
                 order by d.id limit 1 for update of d skip locked) due
         where c.id = due.id
        returning c.id as "conversationId", due.receipt_due_id as "upToMessageId"`,
  )
  return due
}
