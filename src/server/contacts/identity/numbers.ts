import { and, eq, isNull, ne, or, sql } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import { lockName } from '#server/platform/database/locks.ts'
import { contactIdentities, contacts } from '#server/schema/contacts/contacts.ts'

/** The name of the lock of a phone number. */
export const numberName = (phone: string): string => `contact:phone:${phone}`

/**
 * Locks a phone number until the transaction ends: messages from it wait. Always before the contact, as in
 * `contactOf`.
 */
export const lockNumber = (db: Db, phone: string): Promise<void> => lockName(db, numberName(phone))

/** @throws AppError 409 when the locked number belongs to another living contact than the given one */
export async function expectFreeNumber(db: Db, phone: string, id = 0): Promise<void> {
  const [holder] = await db
    .select({ name: contacts.name })
    .from(contacts)
    .where(
      and(
        ne(contacts.id, id),
        isNull(contacts.deletedAt),
        or(
          eq(contacts.phone, phone),
          sql`exists (select 1 from contact_identities i where i.contact_id = contacts.id
                         and i.kind = 'phone' and i.value = ${phone})`,
        ),
      ),
    )
    .limit(1)
  if (holder) throw new AppError('contacts.phone_taken', { values: { name: holder.name } })
}

/** Makes the free number an identity of the contact. A deleted contact that had it loses it. */
export async function giveNumber(db: Db, contactId: number, phone: string): Promise<void> {
  await db
    .insert(contactIdentities)
    .values({ contactId, kind: 'phone', value: phone, jid: phone })
    .onConflictDoUpdate({
      target: [contactIdentities.kind, contactIdentities.value],
      set: { contactId, jid: phone },
    })
}

/**
 * Gives the locked number of somebody who is met its normal form, where an earlier version has stored the
 * digits of the address: those of other countries. Not when another contact has the normal form.
 */
export async function renewNumber(
  db: Db,
  { phone, jid, phoneJid }: { phone: string | undefined; jid: string; phoneJid?: string | undefined },
): Promise<void> {
  const stored = [jid, phoneJid].map((one) => /^\d{8,15}(?=@)/.exec(one ?? '')?.[0])
  const former = stored.find((digits) => digits !== undefined && digits !== phone)
  // Those of Brazil always had it.
  if (phone === undefined || former === undefined || former.startsWith('55')) return
  if ((await changeNumber(db, former, phone)) !== undefined)
    await db.execute(
      sql`update contacts set phone = ${phone}, updated_at = app_now()
           where phone = ${former} and deleted_at is null
             and not exists (select from contacts o where o.phone = ${phone} and o.deleted_at is null)`,
    )
}

async function changeNumber(db: Db, former: string, phone: string): Promise<number | undefined> {
  const [changed] = await rows<{ id: number }>(
    db,
    sql`update contact_identities set value = ${phone}
         where kind = 'phone' and value = ${former}
           and not exists (select from contact_identities o where o.kind = 'phone' and o.value = ${phone})
        returning id`,
  )
  return changed?.id
}

export async function listIdentityIds(db: Db, contactId: number): Promise<number[]> {
  const found = await db
    .select({ id: contactIdentities.id })
    .from(contactIdentities)
    .where(eq(contactIdentities.contactId, contactId))
  return found.map(({ id }) => id)
}
