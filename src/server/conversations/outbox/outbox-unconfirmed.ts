import { type SQL, sql } from 'drizzle-orm'
import type { MessageType } from '#shared/messages/message-kinds.ts'
import { chatJid } from '#server/contacts/contacts.ts'
import type { Gateway, RecordedMessage } from '#server/gateway/gateway.ts'
import { type Database, type Db, inTransaction, rows, type Tx } from '#server/platform/database/db.ts'
import type { Log } from '#server/platform/log.ts'
import { moveTo, recordFailed, recordSent } from '#server/conversations/messages/sent.ts'
import { lockConversation } from '#server/conversations/store/lock.ts'
import { intervalOf, maxTries, type OutboxTimes, usualTimes } from './outbox-times.ts'
import { hasSameContent } from '#server/conversations/messages/match-content.ts'

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
  /** The id under which the gateway was asked to send it. */
  givenId: string | null
  isRecorded: boolean
  firstAttemptAt: string
  /** By the product's clock. */
  now: string
  /** Unconfirmed for `absentMs` or longer. */
  isOldEnough: boolean
  /** Unconfirmed for `giveUpMs` or longer. */
  isOverdue: boolean
  /** Some webhook received within `absentMs` is unprocessed, and may be its echo. */
  isInboxBehind: boolean
}

/**
 * A worker that dies leaves its message in 'sending'. When the lease ends, it is unknown whether the message
 * was sent: it is verified like every other unconfirmed send, never simply sent again.
 */
async function expireLeases(database: Database): Promise<void> {
  const expired = await rows<OutboxRow>(
    database,
    sql`select id, conversation_id as "conversationId", message_id as "messageId" from outbox
         where state = 'sending' and lease_until < now()`,
  )
  for (const row of expired)
    await inTransaction(database, async (db) => {
      const change = sql`state = 'unknown', lease_until = null, unknown_since = app_now(),
                         is_recorded = true, last_error = 'lease expired'`
      if (await updateIf(db, row, change, sql`state = 'sending' and lease_until < now()`))
        await moveTo(db, row.messageId, 'unknown')
    })
}

type OutboxRow = Pick<UnconfirmedSend, 'id' | 'conversationId' | 'messageId'>

/**
 * Updates a row of the outbox if the condition still holds. Locks the conversation first, like the processing
 * of an echo, which may be updating the same row.
 * @returns whether the row was updated
 */
async function updateIf(
  db: Tx,
  { id, conversationId }: OutboxRow,
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
 * Ends all leases, so that the sends are verified at once, and the wait for a breaker's probe. Call only
 * while no other program uses the database, as under the lock of the private server: then whoever took the
 * leases or the probe is dead.
 */
export async function endLeases(db: Db): Promise<void> {
  await db.execute(sql`update outbox set lease_until = now() where state = 'sending'`)
  await db.execute(sql`update evolution_api_config set breaker_until = now() where breaker_until > now()`)
}

/** Sends of one number that are verified at once. */
const batchSize = 6

/** Leases unconfirmed sends, so that two instances do not verify the same ones. */
function claimUnconfirmed(
  db: Db,
  instanceId: number,
  { verifyMs, absentMs, giveUpMs }: OutboxTimes,
): Promise<UnconfirmedSend[]> {
  return rows<UnconfirmedSend>(
    db,
    sql`update outbox o set lease_until = now() + ${intervalOf(6 * verifyMs)}
          from messages m, conversations c
         where o.id = any(array(select id from outbox
                                 where state = 'unknown' and instance_id = ${instanceId}
                                   and (lease_until is null or lease_until < now())
                                 order by id limit ${batchSize} for update skip locked))
           and m.id = o.message_id and c.id = o.conversation_id
        returning o.id, o.instance_id as "instanceId", o.conversation_id as "conversationId",
                  o.message_id as "messageId", c.contact_id as "contactId", m.content,
                  m.message_type as "messageType", m.file_name as "fileName", o.tries,
                  o.given_id as "givenId",
                  o.is_recorded as "isRecorded",
                  o.first_attempt_at::text as "firstAttemptAt", app_now()::text as now,
                  o.unknown_since < app_now() - ${intervalOf(absentMs)} as "isOldEnough",
                  o.unknown_since < app_now() - ${intervalOf(giveUpMs)} as "isOverdue",
                  exists (select 1 from webhook_inbox i
                           where i.processed_at is null and i.dead_reason is null
                             and i.instance_id = o.instance_id
                             and i.received_at <= o.unknown_since + ${intervalOf(absentMs)}
                         ) as "isInboxBehind"`,
  )
}

/**
 * Looks unconfirmed sends up in the gateway's own record. If found, the message was sent. If absent for
 * `absentMs` while the gateway is open and all webhooks received by then are processed, it is sent again, up
 * to `maxTries` sends in total. Without proof either way within `giveUpMs`, or when the record would not have
 * it anyway, it fails, and the next message of the conversation is sent.
 * @see reliability F-04, F-05
 */
export async function resolveUnconfirmed(
  database: Database,
  gateway: Gateway,
  log: Log,
  times: OutboxTimes = usualTimes,
): Promise<void> {
  const ids = await listUnconfirmed(database)
  await Promise.all(ids.map((id) => resolveOfNumber({ database, gateway, log, times }, id)))
}

/** The numbers with sends whose fate is not known, after those whose lease is over have become such. */
export async function listUnconfirmed(database: Database): Promise<number[]> {
  await expireLeases(database)
  const found = await rows<{ id: number }>(
    database,
    sql`select distinct instance_id as id from outbox where state = 'unknown'`,
  )
  return found.map(({ id }) => id)
}

/** As `resolveUnconfirmed`, for one number. */
export async function resolveOfNumber(
  { database, gateway, log, times }: { database: Database; gateway: Gateway; log: Log; times: OutboxTimes },
  instanceId: number,
): Promise<void> {
  for (let claimed = batchSize; claimed === batchSize;) {
    const unconfirmed = await claimUnconfirmed(database, instanceId, times)
    claimed = unconfirmed.length
    await Promise.all(
      unconfirmed.map((send) =>
        resolveSend(database, gateway, send, times).catch(async (error: unknown) => {
          log.warn({ err: error, outboxId: send.id }, 'gateway record not read')
          if (send.isOverdue) await giveUp(database, send)
          else await postpone(database, send, times)
        }),
      ),
    )
  }
}

async function resolveSend(
  database: Database,
  gateway: Gateway,
  send: UnconfirmedSend,
  times: OutboxTimes,
): Promise<void> {
  // What the record is not expected to have is looked up once, before it fails.
  const found = send.isRecorded || send.isOldEnough ? await findInRecord(database, gateway, send) : undefined
  if (found) {
    const { waId, sentAt: acceptedAt } = found
    await inTransaction(database, (db) => recordSent(db, send.messageId, { waId, acceptedAt }))
    return
  }
  if (send.isOverdue) return giveUp(database, send)
  const isAbsent = send.isOldEnough && !send.isInboxBehind
  if (!isAbsent || !(await gateway.isOpen(database, send.instanceId))) return postpone(database, send, times)
  if (!send.isRecorded || send.tries >= maxTries) return giveUp(database, send)
  await inTransaction(database, async (db) => {
    const change = sql`state = 'pending', lease_until = null, unknown_since = null, not_before = now()`
    if (await updateIf(db, send, change, isUnknown)) await moveTo(db, send.messageId, 'pending')
    db.signal('outbox')
  })
}

const isUnknown = sql`state = 'unknown'`

/** Tolerated clock difference to the gateway. A narrow window would miss a message and send it twice. */
const skewMs = 60 * 60_000

/**
 * Finds this message in the gateway's record: by the id that it was given, or, where the gateway may have
 * given it another, by what it says.
 */
async function findInRecord(
  database: Database,
  gateway: Gateway,
  send: UnconfirmedSend,
): Promise<RecordedMessage | undefined> {
  if (send.givenId === null) return findAlike(database, gateway, send)
  const found = await gateway.findSentById(database, send.instanceId, send.givenId)
  const since = new Date(send.firstAttemptAt)
  if (found || (await gateway.keepsGivenIds(database, send.instanceId, since))) return found
  return findAlike(database, gateway, send)
}

/**
 * @returns a message with the same content in the gateway's record: one whose id no other message has, and
 * that was not known before our first attempt
 */
async function findAlike(
  database: Database,
  gateway: Gateway,
  send: UnconfirmedSend,
): Promise<RecordedMessage | undefined> {
  const from = new Date(new Date(send.firstAttemptAt).getTime() - skewMs)
  const to = new Date(new Date(send.now).getTime() + skewMs)
  const jids = await listAddresses(database, send.contactId)
  const record = await gateway.findSent(database, send.instanceId, { jids, from, to })
  const candidates = record.filter((one) => hasSameContent(send, one.said))
  if (candidates.length === 0) return undefined
  const taken = await rows<{ waId: string }>(
    database,
    // A message with neither a sender nor an outbox row is an echo that could not be matched. It may be this
    // message, unless it arrived before the first attempt.
    sql`select m.whatsapp_message_id as "waId" from messages m
         where m.instance_id = ${send.instanceId}
           and (m.sender_id is not null or m.created_at < ${send.firstAttemptAt}::timestamptz
                or exists (select 1 from outbox o where o.message_id = m.id))
           and m.whatsapp_message_id in (${sql.join(
             candidates.map(({ waId }) => sql`${waId}`),
             sql`, `,
           )})`,
  )
  const takenIds = new Set(taken.map((row) => row.waId))
  // The record is newest first, and this message is the oldest unclaimed one.
  return candidates.toReversed().find(({ waId }) => !takenIds.has(waId))
}

/** Every form of the contact's address: the record may have a Brazilian mobile with or without its 9. */
async function listAddresses(db: Db, contactId: number): Promise<string[]> {
  const found = await rows<{ jid: string; kind: string; value: string }>(
    db,
    sql`select jid, kind, value from contact_identities where contact_id = ${contactId}`,
  )
  const jids = new Set<string>()
  for (const { jid, kind, value } of found) {
    jids.add(chatJid(jid))
    if (kind === 'lid') jids.add(`${value}@lid`)
    else {
      jids.add(`${value}@s.whatsapp.net`)
      jids.add(`${value.replace(/^(55\d{2})9(\d{8})$/, '$1$2')}@s.whatsapp.net`)
    }
  }
  return [...jids]
}

async function postpone(database: Database, send: UnconfirmedSend, { verifyMs }: OutboxTimes): Promise<void> {
  await database.execute(
    sql`update outbox set lease_until = now() + ${intervalOf(verifyMs)}
         where id = ${send.id} and ${isUnknown}`,
  )
}

async function giveUp(database: Database, send: UnconfirmedSend): Promise<void> {
  await inTransaction(database, async (db) => {
    if (await updateIf(db, send, sql`state = 'failed', lease_until = null`, isUnknown))
      await recordFailed(db, send.messageId, 'unconfirmed')
    db.signal('outbox')
  })
}
