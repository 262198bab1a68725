import { and, desc, eq, gt, isNotNull, lte, ne, sql } from 'drizzle-orm'
import { addressOf, chatJid } from '#server/contacts/contacts.ts'
import type { Gateway } from '#server/gateway/gateway.ts'
import { type Database, type Db, inTransaction, rows, type Tx } from '#server/platform/database/db.ts'
import type { Log } from '#server/platform/log.ts'
import { runIfDue } from '#server/platform/work/periodic.ts'
import { createPerNumber } from '#server/platform/work/per-number.ts'
import { createWorker, type Worker } from '#server/platform/work/worker.ts'
import { conversations, messages } from '#server/schema/conversations/conversations.ts'
import { getSettings } from '#server/settings/settings.ts'
import { lockConversation } from '#server/conversations/store/lock.ts'

/** A read receipt for the contact's messages up to one of them. */
export interface Receipt {
  conversationId: number
  upToMessageId: number
  /** Claimed before, and not known to be sent. */
  isRepeated?: boolean
}

/** Of a conversation that is read for the first time. Nobody scrolls further back on a phone. */
const maxReceipts = 200

/**
 * Claims the contact's messages whose receipts are due. They stay due until the gateway has answered, so that
 * none is lost with a server that dies; what is under way, or waits for the worker, is not claimed by a
 * reader again. Receipts that are switched off count as sent: switching them on affects only what is read
 * from then on.
 * @returns undefined when there is nothing to send
 */
async function claimReceipts(db: Tx, { conversationId, upToMessageId, isRepeated }: Receipt) {
  const conversation = await lockConversation(db, conversationId)
  if (!conversation) return undefined
  const { id, instanceId, contactId, receiptMessageId, receiptDueId } = conversation
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
  const upTo = read[0]?.id ?? (isRepeated ? upToMessageId : undefined)
  if (upTo === undefined || (!isRepeated && upTo <= (receiptDueId ?? 0))) return undefined
  const { readReceiptsEnabled } = await getSettings(db)
  if (!readReceiptsEnabled || read.length === 0) {
    await endReceipts(db, id, upTo)
    return undefined
  }
  await db
    .update(conversations)
    .set({ receiptDueId: sql`greatest(${conversations.receiptDueId}, ${upTo}::int)` })
    .where(eq(conversations.id, id))
  return { instanceId, contactId, waIds: read.flatMap(({ waId }) => waId ?? []).toReversed(), upTo }
}

/** Marks the receipts up to a message as sent. */
async function endReceipts(db: Db, conversationId: number, upTo: number): Promise<void> {
  await db.execute(
    sql`update conversations set receipt_message_id = greatest(receipt_message_id, ${upTo}::int),
               receipt_due_id = case when receipt_due_id > ${upTo}::int then receipt_due_id end
         where id = ${conversationId}`,
  )
}

interface Parts {
  database: Database
  gateway: Gateway
}

/** Sends a receipt. One that fails stays due, with what is claimed meanwhile: repeating is harmless. */
async function send({ database, gateway }: Parts, receipt: Receipt): Promise<void> {
  const claimed = await inTransaction(database, (db) => claimReceipts(db, receipt))
  if (!claimed) return
  const { instanceId, contactId, waIds, upTo } = claimed
  // WhatsApp drops receipts addressed to a hidden number, but delivers those to the telephone number.
  const to = await addressOf(database, contactId)
  if (to) await gateway.markRead(database, instanceId, { to: chatJid(to), waIds })
  await endReceipts(database, receipt.conversationId, upTo)
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
/** How long a pass waits for the slowest number. */
const patienceMs = 10_000
/** After so many failures in one pass the rest waits for the next. */
const mostFailures = 3
/** Nobody waits for the ticks of an older conversation. */
const longestWait = sql`interval '1 day'`

/**
 * Sends again what failed or was not answered, when a number is connected and by time, on one instance. No
 * number waits for another.
 */
export function startReceiptWorker({ log, ...parts }: Parts & { log: Log }): Worker {
  const { database } = parts
  const stopping = new AbortController()
  async function sendDue(instanceId: number): Promise<void> {
    let failures = 0
    let due = await findDue(database, instanceId, 0)
    while (due && failures < mostFailures && !stopping.signal.aborted) {
      const { conversationId } = due
      await send(parts, { ...due, isRepeated: true }).catch((error: unknown) => {
        failures++
        log.warn({ err: error, conversationId }, 'read receipt not sent')
      })
      due = await findDue(database, instanceId, conversationId)
    }
  }
  const perNumber = createPerNumber(
    (id) =>
      runIfDue(database, { name: `receipts-${id}`, everyMs: 0, work: () => sendDue(id) }).then(
        () => undefined,
      ),
    (err, id) => log.warn({ err, instanceId: id }, 'read receipts not sent'),
  )
  const worker = createWorker({
    name: 'receipts',
    database,
    log,
    channel: 'connected',
    pollMs,
    async work() {
      await perNumber.some(await listDueNumbers(database), patienceMs)
      return 'idle'
    },
  })
  return {
    ...worker,
    async stop() {
      stopping.abort()
      await worker.stop()
      await perNumber.ended()
    },
  }
}

async function listDueNumbers(db: Db): Promise<number[]> {
  const found = await rows<{ id: number }>(
    db,
    sql`select g.id from evolution_api_config g
         where g.is_active and g.status = 'open'
           and exists (select from conversations c
                        where c.instance_id = g.id and c.receipt_due_id is not null
                          and c.last_activity_at > app_now() - ${longestWait})`,
  )
  return found.map(({ id }) => id)
}

/** Finds a number's next receipt that is due, after a conversation. */
async function findDue(db: Db, instanceId: number, after: number): Promise<Receipt | undefined> {
  const [due] = await rows<Receipt & Record<string, unknown>>(
    db,
    sql`select c.id as "conversationId", c.receipt_due_id as "upToMessageId" from conversations c
          join evolution_api_config g on g.id = c.instance_id and g.is_active and g.status = 'open'
         where c.receipt_due_id is not null and c.id > ${after}::int and g.id = ${instanceId}
           and c.last_activity_at > app_now() - ${longestWait}
         order by c.id limit 1`,
  )
  return due
}
