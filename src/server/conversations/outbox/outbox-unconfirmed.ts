import { sql } from 'drizzle-orm'
import type { MessageType } from '#shared/message-kinds.ts'
import type { Gateway } from '#server/gateway/gateway.ts'
import { type Database, type Db, inTransaction, rows } from '#server/platform/database/db.ts'
import type { Log } from '#server/platform/log.ts'
import { moveTo, recordFailed, recordSent } from '#server/conversations/messages/sent.ts'
import { inMs, maxTries, type OutboxTimes, usualTimes } from './outbox-times.ts'
import { hasSameContent } from '#server/conversations/messages/match-content.ts'

interface Doubt extends Record<string, unknown> {
  id: number
  instanceId: number
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
  /** What the gateway told while the doubt grew old enough is not all worked off: the echo may be among it. */
  isInboxBehind: boolean
}

/**
 * A worker that died left its message 'sending'; when its lease is over, nobody can say whether it was sent. It is
 * looked up like every other doubt, and never blindly sent again.
 */
async function expireLeases(database: Database): Promise<void> {
  await inTransaction(database, async (db) => {
    const expired = await rows<{ messageId: number }>(
      db,
      sql`update outbox set state = 'unknown', lease_until = null, unknown_since = app_now(), last_error = 'lease expired'
           where id in (select id from outbox where state = 'sending' and lease_until < now() for update skip locked)
          returning message_id as "messageId"`,
    )
    for (const { messageId } of expired) await moveTo(db, messageId, 'unknown')
  })
}

/**
 * Ends the leases of all that is being sent, so that it is verified at once, and the wait for a breaker's probe. Only for
 * a program that knows itself to be alone at the database, as the one that holds the private server's lock: whoever
 * took those leases, or made that probe, is dead.
 */
export async function endLeases(db: Db): Promise<void> {
  await db.execute(sql`update outbox set lease_until = now() where state = 'sending'`)
  await db.execute(sql`update evolution_api_config set breaker_until = now() where breaker_until > now()`)
}

/** So many are asked for at once. */
const batch = 6

/** Takes doubts for a while, so that two instances do not ask the same. */
function takeDoubts(db: Db, { lookMs, doubtMs, giveUpMs }: OutboxTimes): Promise<Doubt[]> {
  return rows<Doubt>(
    db,
    sql`update outbox o set lease_until = now() + ${inMs(6 * lookMs)}
          from messages m, conversations c
         where o.id in (select id from outbox where state = 'unknown' and (lease_until is null or lease_until < now())
                         order by id limit ${batch} for update skip locked)
           and m.id = o.message_id and c.id = o.conversation_id
        returning o.id, o.instance_id as "instanceId", o.message_id as "messageId", c.contact_id as "contactId",
                  m.content, m.message_type as "messageType", m.file_name as "fileName", o.tries, o.first_attempt_at::text as "firstAttemptAt", app_now()::text as now,
                  o.unknown_since < app_now() - ${inMs(doubtMs)} as "isOldEnough",
                  o.unknown_since < app_now() - ${inMs(giveUpMs)} as "isGivenUp",
                  exists (select 1 from webhook_inbox i
                           where i.processed_at is null and i.dead_reason is null and i.instance_id = o.instance_id
                             and i.received_at <= o.unknown_since + ${inMs(doubtMs)}) as "isInboxBehind"`,
  )
}

/**
 * Looks unknown messages up in the gateway's own record. Found: sent. Absent for a minute while the gateway is open and
 * all that it told by then is worked off: sent again, four times at most. No proof either way within ten minutes, or
 * absent from a record that would not have it: failed, visibly, and the conversation's next message goes.
 * @see reliability F-04, F-05
 */
export async function resolveDoubts(
  database: Database,
  gateway: Gateway,
  log: Log,
  times: OutboxTimes = usualTimes,
): Promise<void> {
  await expireLeases(database)
  for (let taken = batch; taken === batch;) {
    const doubts = await takeDoubts(database, times)
    taken = doubts.length
    await Promise.all(
      doubts.map((doubt) =>
        resolve(database, gateway, doubt, times).catch(async (error: unknown) => {
          log.warn({ err: error, outboxId: doubt.id }, 'gateway record not read')
          if (doubt.isGivenUp) await giveUp(database, doubt)
          else await release(database, doubt, times)
        }),
      ),
    )
  }
}

async function resolve(
  database: Database,
  gateway: Gateway,
  doubt: Doubt,
  times: OutboxTimes,
): Promise<void> {
  const found = await findInRecord(database, gateway, doubt)
  if (found) {
    await inTransaction(database, (db) => recordSent(db, doubt.messageId, found))
    return
  }
  if (doubt.isGivenUp) return giveUp(database, doubt)
  const isAbsent = doubt.isOldEnough && !doubt.isInboxBehind
  if (!isAbsent || !(await gateway.isOpen(database, doubt.instanceId))) return release(database, doubt, times)
  if (doubt.tries >= maxTries) return giveUp(database, doubt)
  await inTransaction(database, async (db) => {
    const again = await rows(
      db,
      sql`update outbox set state = 'pending', lease_until = null, unknown_since = null, not_before = now()
           where id = ${doubt.id} and state = 'unknown' returning id`,
    )
    if (again.length > 0) await moveTo(db, doubt.messageId, 'pending')
    db.signal('outbox')
  })
}

/** The gateway's clock may differ from ours by so much; a narrow window would miss what is there, and send it twice. */
const skewMs = 60 * 60_000

/** The id under which the gateway holds this message to this contact: nobody else's, and not known before our first try. */
async function findInRecord(database: Database, gateway: Gateway, doubt: Doubt): Promise<string | undefined> {
  const from = new Date(new Date(doubt.firstAttemptAt).getTime() - skewMs)
  const to = new Date(new Date(doubt.now).getTime() + skewMs)
  const jids = await addressesOf(database, doubt.contactId)
  const record = await gateway.findSent(database, doubt.instanceId, { jids, from, to })
  const same = record.filter((one) => hasSameContent(doubt, one.said)).map((one) => one.waId)
  if (same.length === 0) return undefined
  const taken = await rows<{ waId: string }>(
    database,
    // An echo that nobody could match is of no person and of no outbox, and may be the one that we wait for; unless it
    // came before we tried.
    sql`select m.whatsapp_message_id as "waId" from messages m
         where m.instance_id = ${doubt.instanceId}
           and (m.sender_id is not null or m.created_at < ${doubt.firstAttemptAt}::timestamptz
                or exists (select 1 from outbox o where o.message_id = m.id))
           and m.whatsapp_message_id in (${sql.join(
             same.map((waId) => sql`${waId}`),
             sql`, `,
           )})`,
  )
  const known = new Set(taken.map((row) => row.waId))
  // The record is newest first; the oldest that nobody claims is the one that we wait for.
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

async function release(database: Database, doubt: Doubt, { lookMs }: OutboxTimes): Promise<void> {
  await database.execute(
    sql`update outbox set lease_until = now() + ${inMs(lookMs)} where id = ${doubt.id} and state = 'unknown'`,
  )
}

async function giveUp(database: Database, doubt: Doubt): Promise<void> {
  await inTransaction(database, async (db) => {
    const given = await rows(
      db,
      sql`update outbox set state = 'failed', lease_until = null where id = ${doubt.id} and state = 'unknown' returning id`,
    )
    if (given.length > 0) await recordFailed(db, doubt.messageId, 'unconfirmed')
    db.signal('outbox')
  })
}
