import { sql } from 'drizzle-orm'
import type { Gateway } from '#server/gateway/gateway.ts'
import { type Database, type Db, inTransaction, rows } from '#server/platform/db.ts'
import type { Log } from '#server/platform/log.ts'
import { moveTo, recordFailed, recordSent } from './delivery.ts'

interface Doubt extends Record<string, unknown> {
  id: number
  instanceId: number
  messageId: number
  contactId: number
  content: string
  tries: number
  firstAttemptAt: string
  /** By the product's clock. */
  now: string
  isOldEnough: boolean
  isGivenUp: boolean
}

const maxTries = 4

/**
 * A worker that died left its message 'sending'; when its lease is over, nobody can say whether it was sent. It is
 * looked up like every other doubt, and never blindly sent again.
 */
async function expireLeases(database: Database): Promise<void> {
  await inTransaction(database, async (db, emit) => {
    const expired = await rows<{ messageId: number }>(
      db,
      sql`update outbox set state = 'unknown', lease_until = null, unknown_since = app_now(), last_error = 'lease expired'
           where id in (select id from outbox where state = 'sending' and lease_until < now() for update skip locked)
          returning message_id as "messageId"`,
    )
    for (const { messageId } of expired) await moveTo(db, emit, messageId, 'unknown')
  })
}

/** Takes doubts for a while, so that two instances do not ask the same. */
function takeDoubts(db: Db): Promise<Doubt[]> {
  return rows<Doubt>(
    db,
    sql`update outbox o set lease_until = now() + interval '30 seconds'
          from messages m, conversations c
         where o.id in (select id from outbox where state = 'unknown' and (lease_until is null or lease_until < now())
                         order by id limit 20 for update skip locked)
           and m.id = o.message_id and c.id = o.conversation_id
        returning o.id, o.instance_id as "instanceId", o.message_id as "messageId", c.contact_id as "contactId",
                  m.content, o.tries, o.first_attempt_at::text as "firstAttemptAt", app_now()::text as now,
                  o.unknown_since < app_now() - interval '60 seconds' as "isOldEnough",
                  o.unknown_since < app_now() - interval '10 minutes' as "isGivenUp"`,
  )
}

/**
 * Looks unknown messages up in the gateway's own record. Found: sent. Absent for a minute while the gateway is open:
 * sent again, four times at most. No proof either way within ten minutes: failed, visibly, and the conversation's next
 * message goes.
 * @see reliability F-04, F-05
 */
export async function resolveDoubts(database: Database, gateway: Gateway, log: Log): Promise<void> {
  await expireLeases(database)
  for (const doubt of await takeDoubts(database)) {
    try {
      await resolve(database, gateway, doubt)
    } catch (error) {
      log.warn({ err: error, outboxId: doubt.id }, 'gateway record not read')
      if (doubt.isGivenUp) await giveUp(database, doubt)
      else await release(database, doubt)
    }
  }
}

async function resolve(database: Database, gateway: Gateway, doubt: Doubt): Promise<void> {
  const found = await findInRecord(database, gateway, doubt)
  if (found) {
    await inTransaction(database, (db, emit) => recordSent(db, emit, doubt.messageId, found))
    return
  }
  if (doubt.isGivenUp) return giveUp(database, doubt)
  const mayRetry = doubt.isOldEnough && (await gateway.isOpen(database, doubt.instanceId))
  if (!mayRetry) return release(database, doubt)
  if (doubt.tries >= maxTries) return giveUp(database, doubt)
  await inTransaction(database, async (db, emit) => {
    const again = await rows(
      db,
      sql`update outbox set state = 'pending', lease_until = null, unknown_since = null, not_before = now()
           where id = ${doubt.id} and state = 'unknown' returning id`,
    )
    if (again.length > 0) await moveTo(db, emit, doubt.messageId, 'pending')
    emit.wake('outbox')
  })
}

/** The id under which the gateway holds this text to this contact, not older than the first try and nobody else's yet. */
async function findInRecord(database: Database, gateway: Gateway, doubt: Doubt): Promise<string | undefined> {
  const from = new Date(new Date(doubt.firstAttemptAt).getTime() - 5000)
  const to = new Date(new Date(doubt.now).getTime() + 60_000)
  const jids = await addressesOf(database, doubt.contactId)
  const record = await gateway.findSent(database, doubt.instanceId, { jids, from, to })
  const same = record.filter((one) => one.text === doubt.content).map((one) => one.waId)
  if (same.length === 0) return undefined
  const taken = await rows<{ waId: string }>(
    database,
    // An echo that nobody could match is of no person and of no outbox, and may be the one that we wait for.
    sql`select m.whatsapp_message_id as "waId" from messages m
         where m.instance_id = ${doubt.instanceId}
           and (m.sender_id is not null or exists (select 1 from outbox o where o.message_id = m.id))
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

async function release(database: Database, doubt: Doubt): Promise<void> {
  await database.execute(
    sql`update outbox set lease_until = now() + interval '5 seconds' where id = ${doubt.id} and state = 'unknown'`,
  )
}

async function giveUp(database: Database, doubt: Doubt): Promise<void> {
  await inTransaction(database, async (db, emit) => {
    const given = await rows(
      db,
      sql`update outbox set state = 'failed', lease_until = null where id = ${doubt.id} and state = 'unknown' returning id`,
    )
    if (given.length > 0) await recordFailed(db, emit, doubt.messageId, 'unconfirmed')
    emit.wake('outbox')
  })
}
