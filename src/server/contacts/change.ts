import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { type NewContact, restorableMs } from '#shared/contacts/contact-changes.ts'
import type { ContactChange } from '#shared/contacts/contacts.ts'
import { AppError } from '#shared/errors.ts'
import { record } from '#server/audit/audit.ts'
import { companyNames, expectOffered } from '#server/companies/companies.ts'
import { confirmRights, type Who } from '#server/platform/http/access.ts'
import { keptName, keptPhone } from '#server/platform/phones/kept-phones.ts'
import { differences, laterThan } from '#server/platform/database/changes.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import { lockName } from '#server/platform/database/locks.ts'
import { contactIdentities, contacts } from '#server/schema/contacts/contacts.ts'
import { expectActive, sectorNames, shareSector } from '#server/sectors/sectors.ts'
import { typedPhone } from '#server/settings/settings.ts'
import { offeredCategory } from './categories.ts'
import { expectInReach, hasUnended, isChoosing } from './under-way.ts'
import { expectFreeNumber, giveNumber, listIdentityIds, lockNumber } from './identity/numbers.ts'

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
  const phone = change.phone === undefined ? undefined : await chosenPhone(db, who, id, change.phone)
  if (phone !== undefined) await lockNumber(db, phone)
  // Before the contact, as whoever deletes the sector does.
  if (change.sectorId) await shareSector(db, change.sectorId)
  const before = await lockLivingContact(db, id)
  await confirmRights(who, db)
  if (updatedAt !== undefined && Date.parse(updatedAt) !== before.updatedAt.getTime())
    throw new AppError('contacts.changed')
  const values = differences(before, {
    ...(change.name !== undefined && { name: keptName(who, change.name, before.name) }),
    ...(phone !== undefined && { phone }),
    ...(change.email !== undefined && { email: change.email || null }),
    ...(change.notes !== undefined && { notes: change.notes.trim() === '' ? null : change.notes }),
    ...(change.tags !== undefined && { tags: change.tags }),
    ...(change.companyId !== undefined && { companyId: change.companyId }),
    ...(change.sectorId !== undefined && { sectorId: change.sectorId }),
    ...(change.category !== undefined && {
      category: await chosenCategory(db, change.category, before.category),
    }),
  })
  const fields = Object.keys(values)
  if (fields.length === 0) return false
  if (typeof values.companyId === 'number') await expectOffered(db, values.companyId)
  if (typeof values.sectorId === 'number') await expectActive(db, values.sectorId)
  if (typeof values.phone === 'string') await changePhone(db, who, before, values.phone)
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

/** One that an earlier version has stored may stay, though nobody could enter it now; and a masked one. */
async function chosenPhone(db: Db, who: Who, id: number, sent: string): Promise<string> {
  const [held] = await db.select({ phone: contacts.phone }).from(contacts).where(eq(contacts.id, id))
  const typed = keptPhone(who, sent, held?.phone ?? null)
  return typed.replace(/\D/g, '') === held?.phone ? held.phone : typedPhone(db, typed)
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
  const sector =
    values.sectorId === undefined ? {} : { sector: await sectorNames(db, [before.sectorId, values.sectorId]) }
  await record(db, who, {
    action: 'contact.change',
    resourceId: before.id,
    details: { fields: Object.keys(values), changes: { ...changed(['category']), ...company, ...sector } },
    personal: { changes: changed(['name', 'phone', 'email', 'tags']) },
  })
}

/**
 * Creates a contact on behalf of a person.
 * @returns its id
 * @throws AppError 409 when the phone number belongs to another one, 422 for a company or category that is
 *   not offered
 */
export async function addContact(db: Db, who: Who, form: NewContact): Promise<number> {
  const phone = await typedPhone(db, form.phone)
  await lockNumber(db, phone)
  await confirmRights(who, db)
  await expectFreeNumber(db, phone)
  const { name, email, category, notes = '', tags = [], companyId = null, sectorId = null } = form
  if (companyId !== null) await expectOffered(db, companyId)
  if (sectorId !== null) await expectActive(db, sectorId)
  const [made] = await db
    .insert(contacts)
    .values({
      name,
      phone,
      email: email || null,
      ...(category !== undefined && { category: await chosenCategory(db, category) }),
      notes: notes.trim() === '' ? null : notes,
      tags,
      companyId,
      sectorId,
    })
    .returning({ id: contacts.id })
  if (!made) throw new Error('contact not written')
  await giveNumber(db, made.id, phone)
  await record(db, who, { action: 'contact.create', resourceId: made.id, personal: { name, phone } })
  return made.id
}

/**
 * Deletes a contact. What it said stays; its number is free at once.
 * @throws AppError 404, 409 while it has an open conversation
 */
export async function deleteContact(db: Db, who: Who, id: number): Promise<void> {
  const { name, phone } = await lockLivingContact(db, id)
  await confirmRights(who, db)
  await expectInReach(db, who, id)
  if (await hasUnended(db, id)) throw new AppError('contacts.has_open_conversation')
  if (await isChoosing(db, id)) throw new AppError('contacts.is_choosing')
  await db
    .update(contacts)
    .set({ deletedAt: sql`app_now()`, updatedAt: laterThan(contacts.updatedAt) })
    .where(eq(contacts.id, id))
  const details = { identityIds: await listIdentityIds(db, id) }
  await record(db, who, { action: 'contact.delete', resourceId: id, details, personal: { name, phone } })
}

/**
 * Undoes a deletion.
 * @throws AppError 404 when it was not deleted within the last minute or has been merged into another one,
 *   409 when somebody else has its number, or another address of the same person, now
 */
export async function restoreContact(db: Db, who: Who, id: number): Promise<void> {
  const identities = await lockIdentitiesOfDeleted(db, id)
  const [row] = await db
    .select()
    .from(contacts)
    .where(
      and(
        eq(contacts.id, id),
        // Of two who undo the second finds it restored.
        sql`(${contacts.deletedAt} is null
             or ${contacts.deletedAt} > app_now() - ${restorableMs} * interval '1 millisecond')`,
      ),
    )
    .for('no key update')
  if (!row) throw new AppError('contacts.not_found')
  await confirmRights(who, db)
  if (row.deletedAt === null) return
  if (row.phone !== null) await expectFreeNumber(db, row.phone, id)
  if (row.phone === null && identities.length === 0) throw new AppError('contacts.not_found')
  await takeBack(db, id, identities)
  if (row.phone !== null) await giveNumber(db, id, row.phone)
  await db
    .update(contacts)
    .set({ deletedAt: null, updatedAt: laterThan(contacts.updatedAt) })
    .where(eq(contacts.id, id))
  const { name, phone } = row
  await record(db, who, { action: 'contact.restore', resourceId: id, personal: { name, phone } })
}

/**
 * Locks the addresses that a deleted contact had, LID before phone, as `contactOf` does.
 * @returns the ids of those identities that still exist
 */
async function lockIdentitiesOfDeleted(db: Db, id: number): Promise<number[]> {
  const had = await rows<{ id: number; kind: string; value: string }>(
    db,
    sql`select i.id, i.kind, i.value from contact_identities i
         where i.id in (
           select jsonb_array_elements_text(l.details -> 'identityIds')::int from (
             select details from audit_logs
              where action = 'contact.delete' and resource_type = 'contact' and resource_id = ${String(id)}
              order by id desc limit 1) l)
         order by i.kind, i.value`,
  )
  for (const { kind, value } of had) await lockName(db, `contact:${kind}:${value}`)
  return had.map((identity) => identity.id)
}

/** @throws AppError 409 when a living contact has one of them: the person has written meanwhile */
async function takeBack(db: Db, id: number, identities: readonly number[]): Promise<void> {
  const [holder] = await rows<{ name: string }>(
    db,
    sql`select c.name from contact_identities i join contacts c on c.id = i.contact_id
         where i.id = any(${sql.param(identities)}::int[]) and c.id <> ${id} and c.deleted_at is null
         limit 1`,
  )
  if (holder) throw new AppError('contacts.phone_taken', { values: { name: holder.name } })
  await db
    .update(contactIdentities)
    .set({ contactId: id })
    .where(inArray(contactIdentities.id, [...identities]))
}

/**
 * Blocks a contact, or ends that.
 * @returns whether anything changed
 * @throws AppError 404, 409 when blocking would end a conversation of a number that the person has not got
 */
export async function setBlocked(db: Db, who: Who, id: number, isBlocked: boolean): Promise<boolean> {
  const before = await lockLivingContact(db, id)
  await confirmRights(who, db)
  if (before.isBlocked === isBlocked) return false
  if (isBlocked) await expectInReach(db, who, id)
  await db
    .update(contacts)
    .set({ isBlocked, updatedAt: laterThan(contacts.updatedAt) })
    .where(eq(contacts.id, id))
  await record(db, who, { action: isBlocked ? 'contact.block' : 'contact.unblock', resourceId: id })
  return true
}

async function lockLivingContact(db: Db, id: number): Promise<ContactRow> {
  const [row] = await db
    .select()
    .from(contacts)
    .where(and(eq(contacts.id, id), isNull(contacts.deletedAt)))
    .for('no key update')
  if (!row) throw new AppError('contacts.not_found')
  if (row.erasedAt !== null) throw new AppError('contacts.erased')
  return row
}

/**
 * The category's own spelling of the name. The contact's current category may stay even when it is no longer
 * offered.
 */
async function chosenCategory(db: Db, wanted: string, current = ''): Promise<string> {
  if (wanted === '' || wanted.toLowerCase() === current.toLowerCase()) return wanted && current
  return offeredCategory(db, wanted)
}

/** Replies go to the new number; messages from the old one are from somebody else. */
async function changePhone(db: Db, who: Who, before: ContactRow, phone: string): Promise<void> {
  await expectInReach(db, who, before.id)
  if (await hasUnended(db, before.id)) throw new AppError('contacts.phone_in_use')
  await expectFreeNumber(db, phone, before.id)
  const isPhone = eq(contactIdentities.kind, 'phone')
  await db.delete(contactIdentities).where(and(eq(contactIdentities.contactId, before.id), isPhone))
  await giveNumber(db, before.id, phone)
}
