import { sql } from 'drizzle-orm'
import { contactOf } from '#server/contacts/contacts.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import { statement } from '#server/platform/database/statement.ts'
import { messages } from '#server/schema/conversations/conversations.ts'
import type { IncomingMessage } from '#server/gateway/gateway.ts'
import { placeholderTable, toColumns } from '#server/platform/database/placeholder-table.ts'
import { mergeContacts } from './merge.ts'

/** A message that is stored, with its contact's addresses. */
export interface StoredMessage {
  id: number
  conversationId: number
  contactId: number
  /** Its conversation only keeps the past. */
  isHistory: boolean
  /** Its contact was anonymized: nothing that the gateway reports of it is stored. */
  isErased: boolean
  content: string
  sentAt: Date
  phone: string | undefined
  lid: string | undefined
}

/** What is known of a message before anything is locked; only a hint, which may be out of date. */
export interface Seen {
  now: Date
  stored: StoredMessage | undefined
  /** Its sender or recipient is a contact already, and every address of the message is known to be theirs. */
  isContactKnown: boolean
}

/** What a message is looked up by. */
export type Sighting = Pick<IncomingMessage, 'waId'> & { peer?: IncomingMessage['peer'] | undefined }

const columnTypes = { n: 'int', waId: 'text', phone: 'text', lid: 'text', jid: 'text' } as const
const columnNames = ['n', 'waId', 'phone', 'lid', 'jid'] as const

const addressOf = (kind: 'phone' | 'lid') =>
  sql<string | null>`(select i.value from contact_identities i
    where i.contact_id = v.contact_id and i.kind = ${sql.raw(`'${kind}'`)} order by i.id limit 1)`

/** The identity of the message's address of the kind. */
const identity = (kind: 'phone' | 'lid') =>
  sql`select i.contact_id, i.jid from contact_identities i
       where i.kind = ${sql.raw(`'${kind}'`)} and i.value = a.${sql.raw(kind)} limit 1`

// Each is looked up alone, by its index: the planner would read small tables whole, and they grow quickly.
const selectSeen = statement<Record<string, unknown>>()((db) =>
  db
    .select({
      n: sql<number>`a.n`,
      now: sql`app_now()`.mapWith(messages.sentAt),
      id: sql<number | null>`s.id`,
      conversationId: sql<number>`s.conversation_id`,
      contactId: sql<number>`s.contact_id`,
      isHistory: sql<boolean>`s.is_history`,
      isErased: sql<boolean>`s.is_erased`,
      content: sql<string>`s.content`,
      sentAt: sql`s.sent_at`.mapWith(messages.sentAt),
      phone: sql<string | null>`s.phone`,
      lid: sql<string | null>`s.lid`,
      isContactKnown: sql<boolean>`c.id is not null
        and (a.phone is null or (p.contact_id = c.id and c.phone is not null))
        and (a.lid is null or l.contact_id = c.id) and (a.jid = p.jid or a.jid = l.jid) is true`,
    })
    .from(
      sql`${placeholderTable('a', columnTypes)}
          left join lateral (
            select m.id, m.conversation_id, m.content, m.sent_at, v.contact_id, v.is_history,
                   m.metadata ? 'isErased' as is_erased,
                   ${addressOf('phone')} as phone, ${addressOf('lid')} as lid
              from messages m join conversations v on v.id = m.conversation_id
             where m.instance_id = ${sql.placeholder('instanceId')} and m.whatsapp_message_id = a."waId"
             limit 1) s on true
          left join lateral (${identity('phone')}) p on true
          left join lateral (${identity('lid')}) l on true
          left join lateral (
            select c.id, c.phone from contacts c
             where c.id = coalesce(p.contact_id, l.contact_id) and c.deleted_at is null limit 1) c on true`,
    )
    .orderBy(sql`a.n`),
)

/**
 * Looks up whether messages are stored and their contacts known, before any lock.
 * @returns one for each sighting, in their order
 */
export async function findSeen(db: Db, instanceId: number, sightings: readonly Sighting[]): Promise<Seen[]> {
  const asked = sightings.map(({ waId, peer }, n) => ({
    n,
    waId,
    phone: peer?.phone ?? null,
    lid: peer?.lid ?? null,
    jid: peer?.jid ?? null,
  }))
  const found = await selectSeen(db, { instanceId, ...toColumns(asked, columnNames) })
  return found.map(({ now, isContactKnown, id, phone, lid, ...stored }) => ({
    now,
    isContactKnown,
    stored: id === null ? undefined : { ...stored, id, phone: phone ?? undefined, lid: lid ?? undefined },
  }))
}

/** The stored message that has the id by now. */
export async function findStored(
  db: Db,
  instanceId: number,
  waId: string,
): Promise<StoredMessage | undefined> {
  const [seen] = await findSeen(db, instanceId, [{ waId }])
  return seen?.stored
}

/**
 * Joins to the contact of a stored message the address that the same message has now brought, and whoever had
 * it.
 */
export async function learnAddress(
  db: Tx,
  stored: StoredMessage,
  { phone, lid, jid }: IncomingMessage['peer'],
): Promise<void> {
  const both = { phone: phone ?? stored.phone, lid: lid ?? stored.lid, jid, name: undefined }
  const joined = await contactOf(db, both)
  if (joined.otherId !== undefined) await mergeContacts(db, joined.id, joined.otherId)
}

/** Who the message is from or to, as contacts are found by it. */
export const identityOf = ({ peer, name, sentAt, origin, isHistory }: IncomingMessage) => ({
  ...peer,
  name,
  namedAt: sentAt,
  isWriting: origin === 'contact' && !isHistory,
})
