import { sql } from 'drizzle-orm'
import { formerForm, keysOf, printOf } from '#server/contacts/contacts.ts'
import { type EventHandlers, type EventResult, forget, type GatewayEvent } from '#server/gateway/gateway.ts'
import type { Db } from '#server/platform/database/db.ts'
import { placeholderTable, toColumns } from '#server/platform/database/placeholder-table.ts'
import { statement } from '#server/platform/database/statement.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { forgottenMessages } from '#server/schema/conversations/message-changes.ts'
import { type Address, erasureName, shareNames } from './erasure-lock.ts'

/** What is known of an event about somebody who was anonymized. */
interface Told {
  /** It is about a message of before, or one that was under way then: it has no effect. */
  isPast: boolean
  /** The message is stored, or has a tombstone. */
  isStored: boolean
  /** The contact that was anonymized; null when only the message is known. */
  contactId: number | null
}

/**
 * The handlers of the gateway's events, without what they would bring back of people who were anonymized: a
 * message of before, an edit of it, a name. Its body is not kept, either. What somebody writes later makes
 * them a new contact.
 */
export function ignoreAnonymized(
  handlers: EventHandlers,
  secrets: Pick<Secrets, 'fingerprint'>,
): EventHandlers {
  return {
    async one(db, instanceId, event) {
      const isAddressed = addressesOf(event).length > 0
      await waitForErasure(db, [event])
      let result: EventResult = undefined
      if (!isAddressed) result = await handlers.one(db, instanceId, event)
      if (isOfNobody(event)) return result
      const [told] = await findErased(db, secrets, instanceId, [event])
      // A tick of an erased message is counted, and says nothing of the person.
      if (isAddressed && (!told?.isPast || event.kind === 'delivery'))
        result = await handlers.one(db, instanceId, event)
      if (!told?.isPast) return result
      if (event.kind === 'message' && !told.isStored) await bury(db, instanceId, event.waId, told.contactId)
      return forget
    },
    async many(db, instanceId, events) {
      await waitForErasure(db, events)
      const told = await findErased(db, secrets, instanceId, events)
      const isUsual = events.map((event, n) => told[n] === undefined && !isKnownByMessage(event))
      const usual = events.filter((_event, n) => isUsual[n])
      const done = usual.length === 0 ? [] : await handlers.many(db, instanceId, usual)
      // The others are handled one by one.
      const results = done[Symbol.iterator]()
      return isUsual.map((is) => is && (results.next().value ?? false))
    },
  }
}

const addressesOf = (event: GatewayEvent): Address[] =>
  'peer' in event && event.peer ? keysOf(event.peer) : []

const isOfNobody = (event: GatewayEvent): boolean => addressesOf(event).length === 0 && !('waId' in event)

/**
 * Whether only its message tells whose it is. The handler locks that, so it comes first: an erasure that it
 * waits for has its effect by then.
 */
const isKnownByMessage = (event: GatewayEvent): boolean => addressesOf(event).length === 0 && 'waId' in event

/** Waits until nobody of whom the events are is being anonymized, and keeps that so. */
async function waitForErasure(db: Db, events: readonly GatewayEvent[]): Promise<void> {
  const names = events.flatMap(addressesOf).map(erasureName)
  if (names.length > 0) await shareNames(db, { names })
}

/** Leaves a tombstone of a message that is not stored, so that its edits are recognised as well. */
async function bury(db: Db, instanceId: number, waId: string, contactId: number | null): Promise<void> {
  if (contactId === null) return
  await db
    .insert(forgottenMessages)
    .values({
      instanceId,
      whatsappMessageId: waId,
      messageId: 0,
      contactId,
      messageType: 'text',
      content: '',
    })
    .onConflictDoNothing()
}

/** When what an event tells happened; null: at present, of nobody in particular. */
function timeOf(event: GatewayEvent): string | null {
  if (event.kind === 'call') return event.at?.toISOString() ?? 'infinity'
  if (event.kind !== 'message' && event.kind !== 'unreadable') return null
  return event.sentAt?.toISOString() ?? (event.isHistory ? '-infinity' : 'infinity')
}

const columnTypes = {
  n: 'int',
  waId: 'text',
  phone: 'text',
  former: 'text',
  lid: 'text',
  phoneNumber: 'text',
  lidNumber: 'text',
  sentAt: 'timestamptz',
  isOwn: 'bool',
} as const

const columnNames = Object.keys(columnTypes) as (keyof typeof columnTypes)[]

// Each is looked up alone, by its index, as in `findSeen`.
const selectErased = statement<Record<string, unknown>>()((db) =>
  db
    .select({
      n: sql<number>`a.n`,
      contactId: sql<number | null>`r.contact_id`,
      isStored: sql<boolean>`s.is_erased is not null`,
      // Without a time it is about the present: of somebody who is a contact again, or of nobody. WhatsApp's
      // times are whole seconds: of the same one is what they wrote afterwards, which must not be lost.
      isPast: sql<boolean>`s.is_erased is true
        or (s.is_erased is null and r.erased_at is not null
            and case when a."sentAt" is null
                     then not exists (
                       select 1 from contact_identities i
                        where (i.kind = 'phone' and i.value = a."phoneNumber")
                           or (i.kind = 'lid' and i.value = a."lidNumber"))
                     when a."isOwn" and a."sentAt" <= r.echoes_until then true
                     else a."sentAt" < date_trunc('second', r.erased_at) end)`,
    })
    .from(
      sql`${placeholderTable('a', columnTypes)}
          left join lateral (
            (select m.metadata ? 'isErased' as is_erased from messages m
              where m.instance_id = ${sql.placeholder('instanceId')} and m.whatsapp_message_id = a."waId")
            union all
            (select true from forgotten_messages f
               join contacts c on c.id = f.contact_id and c.erased_at is not null
              where f.instance_id = ${sql.placeholder('instanceId')} and f.whatsapp_message_id = a."waId")
            limit 1) s on true
          left join lateral (
            select max(p.created_at) as erased_at, max(p.echoes_until) as echoes_until,
                   max(p.contact_id) as contact_id
              from privacy_requests p
             where p.kind = 'anonymize'
               and p.fingerprints && array_remove(array[a.phone, a.former, a.lid], null)) r on true`,
    )
    .where(sql`s.is_erased or r.erased_at is not null`),
)

/**
 * Finds the events about people who were anonymized, and about their messages.
 * @returns for each event what is known; undefined for the usual one
 */
async function findErased(
  db: Db,
  secrets: Pick<Secrets, 'fingerprint'>,
  instanceId: number,
  events: readonly GatewayEvent[],
): Promise<(Told | undefined)[]> {
  const asked = events.map((event, n) => {
    const peer = 'peer' in event ? event.peer : undefined
    const former = peer?.phone ? formerForm(peer.phone) : undefined
    return {
      n,
      waId: 'waId' in event ? event.waId : event.kind === 'call' ? `call:${event.callId}` : null,
      phone: peer?.phone ? printOf(secrets, { kind: 'phone', value: peer.phone }) : null,
      former: former === undefined ? null : printOf(secrets, { kind: 'phone', value: former }),
      lid: peer?.lid ? printOf(secrets, { kind: 'lid', value: peer.lid }) : null,
      phoneNumber: peer?.phone ?? null,
      lidNumber: peer?.lid ?? null,
      sentAt: timeOf(event),
      isOwn:
        event.kind === 'unreadable' ? event.fromMe : event.kind === 'message' && event.origin !== 'contact',
    }
  })
  const found = await selectErased(db, { instanceId, ...toColumns(asked, columnNames) })
  const told: (Told | undefined)[] = events.map(() => undefined)
  for (const { n, ...what } of found) told[n] = what
  return told
}
