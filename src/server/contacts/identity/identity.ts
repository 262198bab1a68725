import { and, asc, eq, inArray, isNull, ne, or, sql } from 'drizzle-orm'
import { formatPhone } from '#shared/text/phone.ts'
import { phoneOfAddress } from '#shared/text/phones/read-phone.ts'
import { hiddenNumber } from '#shared/text/text.ts'
import type { Db } from '#server/platform/database/db.ts'
import { lockName } from '#server/platform/database/locks.ts'
import { contactIdentities, contacts } from '#server/schema/contacts/contacts.ts'
import { renewNumber } from './numbers.ts'

/** A person as the gateway identifies them: by phone number, by LID, or by both. */
export interface Identity {
  /** The normal form of shared/text/phones. */
  phone: string | undefined
  /** The digits of a LID. */
  lid: string | undefined
  /** The sender or recipient address of this message; the digits of a number that a person entered. */
  jid: string
  /** The address of the phone number as the gateway gives it, when `jid` is another. */
  phoneJid?: string | undefined
  /** The name that the contact has set for themselves; blank counts as none. */
  name: string | undefined
  /** Time of the message that brought the name. */
  namedAt?: Date | undefined
  /** The contact writes now, from this address. */
  isWriting?: boolean | undefined
}

interface FoundContact {
  id: number
  isBlocked: boolean
  /**
   * Set when the identity belongs to two contacts. `id` is the one that wrote last; merge this one into it.
   */
  otherId: number | undefined
}

interface Key {
  kind: 'phone' | 'lid'
  value: string
}

/** The keys that an identity is found by, LID before phone. */
export function keysOf(identity: Pick<Identity, 'phone' | 'lid'>): Key[] {
  const keys: Key[] = []
  if (identity.lid) keys.push({ kind: 'lid', value: identity.lid })
  if (identity.phone) keys.push({ kind: 'phone', value: identity.phone })
  return keys
}

/**
 * Finds or creates the contact of an identity and stores every address of it. Parallel calls for the same
 * identity wait for this transaction: ten parallel first messages create one contact.
 */
export async function contactOf(db: Db, identity: Identity): Promise<FoundContact> {
  const keys = keysOf(identity)
  // Always in the same order, LID before phone, so that two identities with the same keys cannot deadlock.
  for (const key of keys) await lockName(db, `contact:${key.kind}:${key.value}`)
  await renewNumber(db, identity)
  const [first, second] = await findAndHold(db, keys)
  if (!first) {
    const id = await insertContact(db, identity)
    await remember(db, id, identity, keys)
    return { id, isBlocked: false, otherId: undefined }
  }
  await remember(db, first.id, identity, keys)
  await nameByGateway(db, first, identity)
  return { id: first.id, isBlocked: first.isBlocked, otherId: second?.id }
}

/**
 * Finds the contacts of the keys and locks them for the rest of the transaction. All code that works on a
 * contact's conversations locks the contact first, whichever address was used. They are read again once they
 * are locked: in the meantime one may have been blocked, named, merged or anonymized.
 */
async function findAndHold(db: Db, keys: Key[]) {
  let locked: number[] = []
  for (;;) {
    const found = await findByKeys(db, keys)
    if (found.every(({ id }) => locked.includes(id))) return found
    locked = found.map(({ id }) => id)
    await db
      .select({ id: contacts.id })
      .from(contacts)
      .where(inArray(contacts.id, locked))
      .orderBy(asc(contacts.id))
      .for('no key update')
  }
}

/** The contact with the phone number comes first: people know contacts by it. */
function findByKeys(db: Db, keys: Key[]) {
  return db
    .selectDistinct({
      id: contacts.id,
      isBlocked: contacts.isBlocked,
      phone: contacts.phone,
      name: contacts.name,
      hasGatewayName: contacts.hasGatewayName,
      gatewayNamedAt: contacts.gatewayNamedAt,
      isLid: isNull(contacts.phone),
    })
    .from(contactIdentities)
    .innerJoin(contacts, eq(contacts.id, contactIdentities.contactId))
    .where(
      and(
        isNull(contacts.deletedAt),
        isNull(contacts.erasedAt),
        or(
          ...keys.map((key) =>
            and(eq(contactIdentities.kind, key.kind), eq(contactIdentities.value, key.value)),
          ),
        ),
      ),
    )
    .orderBy(asc(isNull(contacts.phone)), asc(contacts.id))
}

async function insertContact(db: Db, identity: Identity): Promise<number> {
  const [made] = await db
    .insert(contacts)
    .values({
      name: identity.name || (identity.phone ? formatPhone(identity.phone) : hiddenNumber),
      phone: identity.phone ?? null,
      hasGatewayName: true,
      gatewayNamedAt: identity.name ? (identity.namedAt ?? sql`app_now()`) : null,
    })
    .returning({ id: contacts.id })
  if (!made) throw new Error('contact not written')
  return made.id
}

/**
 * Stores the addresses of the identity. One that belongs to another contact stays there: merging is a later
 * step with its own rules.
 */
async function remember(db: Db, contactId: number, identity: Identity, keys: Key[]): Promise<void> {
  for (const key of keys)
    await db
      .insert(contactIdentities)
      .values({ contactId, ...key, jid: jidFor(key, identity) })
      .onConflictDoUpdate({
        target: [contactIdentities.kind, contactIdentities.value],
        // A deleted contact gives its identities to the one who writes now.
        set: {
          jid: betterJid,
          contactId: sql`case when exists (select 1 from contacts d
                         where d.id = ${contactIdentities.contactId} and d.deleted_at is not null)
                              then excluded.contact_id else ${contactIdentities.contactId} end`,
        },
        setWhere: sql`${contactIdentities.jid} <> ${betterJid}
          or ${contactIdentities.contactId} <> excluded.contact_id`,
      })
  if (identity.phone)
    await db
      .update(contacts)
      .set({ phone: identity.phone, updatedAt: sql`app_now()` })
      .where(
        and(
          eq(contacts.id, contactId),
          // Of two numbers of a contact the one that is written from is the one that is answered.
          or(isNull(contacts.phone), identity.isWriting ? isNumberOf(contactId, identity.phone) : undefined),
          sql`not exists (select 1 from contacts o
               where o.phone = ${identity.phone} and o.deleted_at is null)`,
        ),
      )
}

const isNumberOf = (contactId: number, phone: string) =>
  sql`exists (select 1 from contact_identities i
       where i.contact_id = ${contactId} and i.kind = 'phone' and i.value = ${phone})`

/** Digits never replace an address that the gateway gave. */
const betterJid = sql`case when excluded.jid like '%@%' then excluded.jid else ${contactIdentities.jid} end`

/**
 * The address to store for a key. A number without an address of its own stays digits: WhatsApp may know a
 * Brazilian mobile without its 9, and only for digits does the gateway try both forms.
 */
export function jidFor(key: Key, identity: Identity): string {
  const { jid, phoneJid } = identity
  if (key.kind === 'lid') return jid.endsWith('@lid') ? jid : `${key.value}@lid`
  return [jid, phoneJid].find((one) => one?.endsWith('@s.whatsapp.net')) ?? key.value
}

/**
 * Learns the address of a contact's phone number from the gateway's answer to a message that was sent to its
 * digits. Takes no other lock.
 */
export async function learnPhoneJid(db: Db, contactId: number, jid: string): Promise<void> {
  const digits = /^(\d+)@s\.whatsapp\.net$/.exec(jid)?.[1]
  const phone = digits === undefined ? undefined : phoneOfAddress(digits)
  if (phone === undefined) return
  await db
    .update(contactIdentities)
    .set({ jid })
    .where(
      and(
        eq(contactIdentities.contactId, contactId),
        eq(contactIdentities.kind, 'phone'),
        eq(contactIdentities.value, phone),
        sql`${contactIdentities.jid} not like '%@%'`,
      ),
    )
}

/** Whether an address is one that the gateway gave, and not the digits that a person entered. */
export const isGivenAddress = (address: string): boolean => address.includes('@')

/**
 * Updates a name from the gateway to a newer one; a name that a person typed stays. The times of the messages
 * decide, so an old message that arrives late does not bring back an old name.
 */
async function nameByGateway(
  db: Db,
  contact: {
    id: number
    name: string
    isBlocked: boolean
    hasGatewayName: boolean
    gatewayNamedAt: Date | null
  },
  identity: Identity,
): Promise<void> {
  // Nothing is learned from a blocked contact.
  if (!contact.hasGatewayName || contact.isBlocked || !identity.name) return
  const isNewer = !identity.namedAt || !contact.gatewayNamedAt || identity.namedAt > contact.gatewayNamedAt
  if (!isNewer) return
  await db
    .update(contacts)
    .set({
      name: identity.name,
      gatewayNamedAt: identity.namedAt ?? sql`app_now()`,
      ...(identity.name !== contact.name && { updatedAt: sql`app_now()` }),
    })
    .where(eq(contacts.id, contact.id))
}

/** Finds the contact with a phone number. @param phone in its normal form */
export async function findByPhone(db: Db, phone: string): Promise<number | undefined> {
  const [found] = await findByKeys(db, [{ kind: 'phone', value: phone }])
  return found?.id
}

/**
 * Applies a name from the gateway's address book. It never creates a contact and gives way to names from
 * messages: only a contact without a name gets one.
 * @returns the contact's id when it was named
 */
export async function nameByBook(
  db: Db,
  identity: Pick<Identity, 'phone' | 'lid'> & { name: string },
): Promise<number | undefined> {
  const [contact] = await findByKeys(db, keysOf(identity))
  if (!contact) return undefined
  // Asked by the update itself: somebody may be typing a name for them.
  const [named] = await db
    .update(contacts)
    .set({ name: identity.name, updatedAt: sql`app_now()` })
    .where(
      and(
        eq(contacts.id, contact.id),
        contacts.hasGatewayName,
        isNull(contacts.gatewayNamedAt),
        ne(contacts.name, identity.name),
      ),
    )
    .returning({ id: contacts.id })
  return named?.id
}

/**
 * The address for messages to a contact: that of the phone number as the gateway gave it, its digits until
 * then, or else the LID. Of several numbers the one that the contact shows, which wrote last.
 */
export async function addressOf(db: Db, contactId: number): Promise<string | undefined> {
  const found = await db
    .select({ jid: contactIdentities.jid })
    .from(contactIdentities)
    .innerJoin(contacts, eq(contacts.id, contactIdentities.contactId))
    .where(eq(contactIdentities.contactId, contactId))
    .orderBy(
      asc(sql`${contactIdentities.kind} = 'lid'`),
      asc(sql`${contactIdentities.value} is distinct from ${contacts.phone}`),
      asc(contactIdentities.id),
    )
    .limit(1)
  return found[0]?.jid
}

/**
 * The jid of the chat with a contact, which is part of the key of a message.
 * @param address as `addressOf` returns it
 */
export const chatJid = (address: string): string =>
  isGivenAddress(address) ? address : `${address}@s.whatsapp.net`

/** Locks a contact. All code that works on its conversations does so first. */
export async function lockContact(db: Db, contactId: number): Promise<void> {
  await db.select({ id: contacts.id }).from(contacts).where(eq(contacts.id, contactId)).for('no key update')
}
