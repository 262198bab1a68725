import { and, eq, inArray, ne, or, sql } from 'drizzle-orm'
import type { GatewayEvent } from '#server/gateway/gateway.ts'
import { type Db, rows, tableOf, type Tx } from '#server/platform/database/db.ts'
import { conversations } from '#server/schema/conversations.ts'
import { getSettings } from '#server/settings/settings.ts'
import { holdKnown, type KnownContact } from '#server/contacts/contacts.ts'
import { recordPlainDeliveries } from './batch-deliveries.ts'
import { type Arrived, appendPlain } from './batch-messages.ts'
import { type Locked, lockConversations } from '#server/conversations/store/lock.ts'

type Delivery = Extract<GatewayEvent, { kind: 'delivery' }>

/** What the database holds of an event's message. */
export interface KnownMessage extends Record<string, unknown> {
  waId: string
  conversationId: number
  isHistory: boolean
  /** Whether its contact is known by a telephone number. */
  hasPhone: boolean
}

/**
 * Many events at once, of different people: whatever is usual among them (a known client writes, an acknowledgement, an
 * echo of what we have) is done with a few statements for all of them together. Everything else is left to
 * `handleGatewayEvent`, which comes to the same end for every event; a test holds the two against each other.
 *
 * Locks are taken in the order that everybody keeps: contacts, then conversations, each by id, then ids of messages.
 * @returns for each event whether it is done; of the others nothing is left behind
 */
export async function handlePlainEvents(
  db: Tx,
  instanceId: number,
  events: GatewayEvent[],
): Promise<boolean[]> {
  const done = events.map((event) => event.kind === 'ignored')
  const waIds = events.flatMap((event) => ('waId' in event ? [event.waId] : []))
  const known = new Map((await findKnown(db, instanceId, waIds)).map((row) => [row.waId, row]))
  const isOnce = (waId: string) => waIds.indexOf(waId) === waIds.lastIndexOf(waId)
  const written: { n: number; event: Arrived }[] = []
  const ticked: { n: number; event: Delivery }[] = []
  for (const [n, event] of events.entries()) {
    if (event.kind === 'message') {
      const row = known.get(event.waId)
      if (row) done[n] = isEcho(event, row)
      else if (event.origin === 'contact' && !event.isHistory && isOnce(event.waId))
        written.push({ n, event })
    } else if (event.kind === 'delivery' && known.has(event.waId) && isOnce(event.waId))
      ticked.push({ n, event })
  }
  if (written.length + ticked.length === 0) return done
  // Locked for a tick, a conversation may be over, or of another number.
  const isOpenHere = (one: Locked) => one.status !== 'completed' && one.instanceId === instanceId
  const held = await holdContacts(
    db,
    written.map(({ event }) => event),
  )
  const locked = await lockOpenOrNamed(db, instanceId, {
    contactIds: held.flatMap((contact) => (contact ? [contact.id] : [])),
    ids: ticked.flatMap(({ event }) => known.get(event.waId)?.conversationId ?? []),
  })
  const appended = await appendPlain(db, instanceId, {
    events: written.map(({ event }) => event),
    contacts: held,
    open: new Map(locked.filter(isOpenHere).map((conversation) => [conversation.contactId, conversation])),
    settings: await getSettings(db),
  })
  for (const [at, { n }] of written.entries()) done[n] = appended[at] ?? false
  const found = await recordPlainDeliveries(
    db,
    instanceId,
    ticked.map(({ event }) => event),
  )
  for (const [at, { n }] of ticked.entries()) done[n] = found[at] ?? false
  return done
}

/** Each looked up alone, by its index: what the planner takes for a small table may be one that grows quickly. */
function findKnown(db: Db, instanceId: number, waIds: string[]): Promise<KnownMessage[]> {
  return rows<KnownMessage>(
    db,
    sql`select a."waId", k.* from ${tableOf(
      'a',
      waIds.map((waId) => ({ waId })),
      { waId: 'text' },
    )}
          cross join lateral (
            select m.conversation_id as "conversationId", c.is_history as "isHistory",
                   (select true from contact_identities i where i.contact_id = c.contact_id and i.kind = 'phone' limit 1)
                     is not null as "hasPhone"
              from messages m join conversations c on c.id = m.conversation_id
             where m.instance_id = ${instanceId} and m.whatsapp_message_id = a."waId" limit 1) k`,
  )
}

/** Told again, and nothing new in it: neither the first live word of what a sync brought, nor an address. */
function isEcho({ origin, isHistory, peer }: Arrived, known: KnownMessage): boolean {
  if (known.isHistory && origin === 'contact' && !isHistory) return false
  return peer.phone !== undefined && (peer.lid !== undefined || known.hasPhone)
}

/** Each contact once: of two events of one person the second one waits for the first. */
async function holdContacts(db: Db, events: Arrived[]): Promise<(KnownContact | undefined)[]> {
  const held = await holdKnown(
    db,
    events.map((event) => ({ ...event.peer, name: event.name, namedAt: event.sentAt })),
  )
  return held.map((contact, n) =>
    contact && held.findIndex((other) => other?.id === contact.id) === n ? contact : undefined,
  )
}

function lockOpenOrNamed(
  db: Tx,
  instanceId: number,
  { contactIds, ids }: { contactIds: number[]; ids: number[] },
): Promise<Locked[]> {
  const isOpenOf = and(
    inArray(conversations.contactId, contactIds),
    eq(conversations.instanceId, instanceId),
    ne(conversations.status, 'completed'),
  )
  return lockConversations(db, or(isOpenOf, inArray(conversations.id, ids)))
}
