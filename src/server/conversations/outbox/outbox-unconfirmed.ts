import { type SQL, sql } from 'drizzle-orm'
import type { MessageType } from '#shared/message-kinds.ts'
import type { Gateway } from '#server/gateway/gateway.ts'
import { type Database, type Db, inTransaction, rows, type Tx } from '#server/platform/database/db.ts'
import type { Log } from '#server/platform/log.ts'
import { moveTo, recordFailed, recordSent } from '#server/conversations/messages/delivery.ts'
import { lockConversation } from '#server/conversations/store/lock.ts'
import { inMs, maxTries, type OutboxTimes, usualTimes } from './outbox-times.ts'
import { isSameSaid } from '#server/conversations/messages/match-content.ts'

interface UnconfirmedSend extends Record<string, unknown> {
  id: number
  instanceId: number
  conversationId: number
  messageId: number
  contactId: number
  content: string
  messageType: MessageType
  fileName: string | null
  tries: number
  firstAttemptAt: string
  /** By the product's clock. */
  now: string
  isOldEnough: boolean
  isGivenUp: boolean
  /** Webhooks received before it was old enough are not all processed: its echo may be among them. */
  isInboxBehind: boolean
}

/**
 * A worker that died leaves its message 'sending'. When the lease ends, nobody knows whether it was sent: it is verified
 * like every other unconfirmed send, and never sent again blindly.
 */
async function expireLeases(database: Database): Promise<void> {
  const expired = await rows<Under>(
    database,
    sql`select id, conversation_id as "conversationId", message_id as "messageId" from outbox
         where state = 'sending' and lease_until < now()`,
  )
  for (const row of expired)
    await inTransaction(database, async (db) => {
      const change = sql`state = 'unknown', lease_until = null, unknown_since = app_now(), last_error = 'lease expired'`
      if (await changeUnder(db, row, change, sql`state = 'sending' and lease_until < now()`))
        await moveTo(db, row.messageId, 'unknown')
    })
}

type Under = Pick<UnconfirmedSend, 'id' | 'conversationId' | 'messageId'>

/**
 * Changes a row of the outbox if the condition still holds. The conversation is locked first, as everywhere: an echo that
 * proves the message sent holds it when it comes to this row.
 * @returns whether the row was changed
 */
async function changeUnder(
  db: Tx,
  { id, conversationId }: Under,
  change: SQL,
  condition: SQL,
): Promise<boolean> {
  await lockConversation(db, conversationId)
  const changed = await rows(
    db,
    sql`update outbox set ${change} where id = ${id} and ${condition} returning id`,
  )
  return changed.length > 0
}

/**
 * Ends the leases of everything under way, so that it is verified at once, and the wait for a breaker's probe. Only for a
 * program that is alone at the database, as the holder of the private server's lock is: whoever took those leases or made
 * that probe is dead.
 */
export async function endLeases(db: Db): Promise<void> {
  await db.execute(sql`update outbox set lease_until = now() where state = 'sending'`)
  await db.execute(sql`update evolution_api_config set breaker_until = now() where breaker_until > now()`)
}

/** Verified at once. */
const batch = 6

/** Leases unconfirmed sends for a while, so that two instances do not verify the same ones. */
function takeUnconfirmed(db: Db, { lookMs, absentMs, giveUpMs }: OutboxTimes): Promise<UnconfirmedSend[]> {
  return rows<UnconfirmedSend>(
    db,
    sql`update outbox o set lease_until = now() + ${inMs(6 * lookMs)}
          from messages m, conversations c
         where o.id in (select id from outbox where state = 'unknown' and (lease_until is null or lease_until < now())
                         order by id limit ${batch} for update skip locked)
           and m.id = o.message_id and c.id = o.conversation_id
        returning o.id, o.instance_id as "instanceId", o.conversation_id as "conversationId",
                  o.message_id as "messageId", c.contact_id as "contactId", m.content,
                  m.message_type as "messageType", m.file_name as "fileName", o.tries,
                  o.first_attempt_at::text as "firstAttemptAt", app_now()::text as now,
                  o.unknown_since < app_now() - ${inMs(absentMs)} as "isOldEnough",
                  o.unknown_since < app_now() - ${inMs(giveUpMs)} as "isGivenUp",
                  exists (select 1 from webhook_inbox i
                           where i.processed_at is null and i.dead_reason is null and i.instance_id = o.instance_id
                             and i.received_at <= o.unknown_since + ${inMs(absentMs)}) as "isInboxBehind"`,
  )
}

/**
 * Looks unconfirmed sends up in the gateway's own record. Found: sent. Absent for a minute while the gateway is open and
 * everything it reported by then is processed: sent again, four times at most. No proof either way within ten minutes, or
 * absent from a record that would not have it: failed, visibly, and the conversation's next message is sent.
 * @see reliability F-04, F-05
 */
export async function resolveUnconfirmed(
  database: Database,
  gateway: Gateway,
  log: Log,
  times: OutboxTimes = usualTimes,
): Promise<void> {
  await expireLeases(database)
  for (let taken = batch; taken === batch;) {
    const unconfirmed = await takeUnconfirmed(database, times)
    taken = unconfirmed.length
    await Promise.all(
      unconfirmed.map((send) =>
        resolve(database, gateway, send, times).catch(async (error: unknown) => {
          log.warn({ err: error, outboxId: send.id }, 'gateway record not read')
          if (send.isGivenUp) await giveUp(database, send)
          else await release(database, send, times)
        }),
      ),
    )
  }
}

async function resolve(
  database: Database,
  gateway: Gateway,
  send: UnconfirmedSend,
  times: OutboxTimes,
): Promise<void> {
  const found = await findInRecord(database, gateway, send)
  if (found) {
    await inTransaction(database, (db) => recordSent(db, send.messageId, found))
    return
  }
  if (send.isGivenUp) return giveUp(database, send)
  const isAbsent = send.isOldEnough && !send.isInboxBehind
  if (!isAbsent || !(await gateway.isOpen(database, send.instanceId))) return release(database, send, times)
  if (send.tries >= maxTries) return giveUp(database, send)
  await inTransaction(database, async (db) => {
    const change = sql`state = 'pending', lease_until = null, unknown_since = null, not_before = now()`
    if (await changeUnder(db, send, change, isUnknown)) await moveTo(db, send.messageId, 'pending')
    db.signal('outbox')
  })
}

const isUnknown = sql`state = 'unknown'`

/** The gateway's clock may differ from ours by this much; a narrow window would miss a message and send it twice. */
const skewMs = 60 * 60_000

/**
 * The id under which the gateway holds this message to this contact: one that no other message has, and that was not known
 * before our first attempt.
 */
async function findInRecord(
  database: Database,
  gateway: Gateway,
  send: UnconfirmedSend,
): Promise<string | undefined> {
  const from = new Date(new Date(send.firstAttemptAt).getTime() - skewMs)
  const to = new Date(new Date(send.now).getTime() + skewMs)
  const jids = await addressesOf(database, send.contactId)
  const record = await gateway.findSent(database, send.instanceId, { jids, from, to })
  const same = record.filter((one) => isSameSaid(send, one.said)).map((one) => one.waId)
  if (same.length === 0) return undefined
  const taken = await rows<{ waId: string }>(
    database,
    // An echo that could not be matched has neither a sender nor an outbox row, and may be this message, unless it came
    // before the first attempt.
    sql`select m.whatsapp_message_id as "waId" from messages m
         where m.instance_id = ${send.instanceId}
           and (m.sender_id is not null or m.created_at < ${send.firstAttemptAt}::timestamptz
                or exists (select 1 from outbox o where o.message_id = m.id))
           and m.whatsapp_message_id in (${sql.join(
             same.map((waId) => sql`${waId}`),
             sql`, `,
           )})`,
  )
  const known = new Set(taken.map((row) => row.waId))
  // The record is newest first; the oldest unclaimed one is this message.
  return same.toReversed().find((waId) => !known.has(waId))
}

/** Every form of the contact's address: the record may hold a Brazilian mobile with or without its 9. */
async function addressesOf(db: Db, contactId: number): Promise<string[]> {
  const found = await rows<{ jid: string; kind: string; value: string }>(
    db,
    sql`select jid, kind, value from contact_identities where contact_id = ${contactId}`,
  )
  const jids = new Set<string>()
  for (const { jid, kind, value } of found) {
    jids.add(jid)
    if (kind === 'lid') jids.add(`${value}@lid`)
    else {
      jids.add(`${value}@s.whatsapp.net`)
      jids.add(`${value.replace(/^(55\d{2})9(\d{8})$/, '$1$2')}@s.whatsapp.net`)
    }
  }
  return [...jids]
}

async function release(database: Database, send: UnconfirmedSend, { lookMs }: OutboxTimes): Promise<void> {
  await database.execute(
    sql`update outbox set lease_until = now() + ${inMs(lookMs)} where id = ${send.id} and ${isUnknown}`,
  )
}

async function giveUp(database: Database, send: UnconfirmedSend): Promise<void> {
  await inTransaction(database, async (db) => {
    if (await changeUnder(db, send, sql`state = 'failed', lease_until = null`, isUnknown))
      await recordFailed(db, send.messageId, 'unconfirmed')
    db.signal('outbox')
  })
}
