import { and, eq, isNull, ne, or, sql } from 'drizzle-orm'
import type { ContactChange } from '#shared/contacts.ts'
import { AppError } from '#shared/errors.ts'
import { normalizePhone } from '#shared/text/phone.ts'
import { record } from '#server/audit/audit.ts'
import { companyNames, expectOffered } from '#server/companies/companies.ts'
import { confirmRights, type Who } from '#server/platform/http/access.ts'
import { differences, laterThan } from '#server/platform/database/changes.ts'
import { type Db, lockName, rows } from '#server/platform/database/db.ts'
import { contactCategories, contactIdentities, contacts } from '#server/schema/contacts.ts'

type ContactRow = typeof contacts.$inferSelect
type Values = Partial<typeof contacts.$inferInsert>

/**
 * Changes the given fields of a contact on behalf of a person.
 * @returns whether anything changed
 * @throws AppError 404, 409 when somebody has changed it after `updatedAt` or the phone number belongs to
 *   somebody else, 422 for a company or category that is not offered
 */
export async function changeContact(
  db: Db,
  who: Who,
  id: number,
  { updatedAt, ...change }: ContactChange,
): Promise<boolean> {
  const phone = change.phone === undefined ? undefined : normalizePhone(change.phone)
  // Lock the number before the contact, as `contactOf` does: messages from the number wait.
  if (phone !== undefined) await lockName(db, `contact:phone:${phone}`)
  const before = await lockLivingContact(db, id)
  await confirmRights(who, db)
  if (updatedAt !== undefined && Date.parse(updatedAt) !== before.updatedAt.getTime())
    throw new AppError('contacts.changed')
  const values = differences(before, {
    ...(change.name !== undefined && { name: change.name }),
    ...(phone !== undefined && { phone }),
    ...(change.email !== undefined && { email: change.email || null }),
    ...(change.notes !== undefined && { notes: change.notes.trim() === '' ? null : change.notes }),
    ...(change.tags !== undefined && { tags: change.tags }),
    ...(change.companyId !== undefined && { companyId: change.companyId }),
    ...(change.category !== undefined && { category: await offeredCategory(db, before, change.category) }),
  })
  const fields = Object.keys(values)
  if (fields.length === 0) return false
  if (typeof values.companyId === 'number') await expectOffered(db, values.companyId)
  if (typeof values.phone === 'string') await changePhone(db, before, values.phone)
  await db
    .update(contacts)
    .set({
      ...values,
      // The gateway does not overwrite a name that a person typed.
      ...(values.name !== undefined && { hasGatewayName: false }),
      updatedAt: laterThan(contacts.updatedAt),
    })
    .where(eq(contacts.id, id))
  await recordChange(db, who, before, values)
  return true
}

/** What the notes say is not kept: they are the team's own text about the person. */
async function recordChange(db: Db, who: Who, before: ContactRow, values: Values): Promise<void> {
  const changed = (names: readonly (keyof ContactRow & keyof Values)[]) =>
    Object.fromEntries(
      names.filter((name) => values[name] !== undefined).map((name) => [name, [before[name], values[name]]]),
    )
  const company =
    values.companyId === undefined
      ? {}
      : { company: await companyNames(db, [before.companyId, values.companyId]) }
  await record(db, who, {
    action: 'contact.change',
    resourceId: before.id,
    details: { fields: Object.keys(values), changes: { ...changed(['category']), ...company } },
    personal: { changes: changed(['name', 'phone', 'email', 'tags']) },
  })
}

async function lockLivingContact(db: Db, id: number): Promise<ContactRow> {
  const [row] = await db
    .select()
    .from(contacts)
    .where(and(eq(contacts.id, id), isNull(contacts.deletedAt)))
    .for('no key update')
  if (!row) throw new AppError('contacts.not_found')
  return row
}

/**
 * The category's own spelling of the name. The contact's current category may stay even when it is no longer
 * offered.
 */
async function offeredCategory(db: Db, before: ContactRow, wanted: string): Promise<string> {
  if (wanted === '' || wanted.toLowerCase() === before.category.toLowerCase())
    return wanted && before.category
  const [found] = await db
    .select({ name: contactCategories.name })
    .from(contactCategories)
    .where(
      and(sql`lower(${contactCategories.name}) = lower(${wanted})`, eq(contactCategories.isActive, true)),
    )
  if (!found) throw new AppError('contacts.category_not_found')
  return found.name
}

/** Replies go to the new number; messages from the old one are from somebody else. */
async function changePhone(db: Db, before: ContactRow, phone: string): Promise<void> {
  const open = await rows(
    db,
    sql`select 1 from conversations where contact_id = ${before.id} and status <> 'completed' limit 1`,
  )
  if (open.length > 0) throw new AppError('contacts.phone_in_use')
  const [holder] = await db
    .select({ name: contacts.name })
    .from(contacts)
    .where(
      and(
        ne(contacts.id, before.id),
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
  const isPhone = eq(contactIdentities.kind, 'phone')
  await db.delete(contactIdentities).where(and(eq(contactIdentities.contactId, before.id), isPhone))
  await db
    .insert(contactIdentities)
    .values({ contactId: before.id, kind: 'phone', value: phone, jid: phone })
    // The number belonged to a deleted contact.
    .onConflictDoUpdate({
      target: [contactIdentities.kind, contactIdentities.value],
      set: { contactId: before.id, jid: phone },
    })
}
