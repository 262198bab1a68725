import { and, asc, eq, isNull, ne, sql } from 'drizzle-orm'
import type { CompanyChange, CompanyForm, CompanyOption } from '#shared/contacts/companies.ts'
import { AppError } from '#shared/errors.ts'
import { record } from '#server/audit/audit.ts'
import { confirmRights, type Who } from '#server/platform/http/access.ts'
import { differences, laterThan } from '#server/platform/database/changes.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import { lockName } from '#server/platform/database/locks.ts'
import { companies, contacts } from '#server/schema/contacts/contacts.ts'
import { keptName, keptPhone } from '#server/platform/phones/kept-phones.ts'
import { typedCompanyPhone } from '#server/settings/settings.ts'
import { insertCompany } from './queries.ts'

type CompanyRow = typeof companies.$inferSelect

/** @throws AppError 409 for a name that another company has */
export async function addCompany(db: Tx, who: Who, form: CompanyForm): Promise<CompanyOption> {
  const { name, phone, responsibleName, isActive = true } = form
  await reserveName(db, name)
  await confirmRights(who, db)
  const values = {
    name,
    phone: phone ? await typedCompanyPhone(db, phone) : null,
    responsibleName: responsibleName || null,
    isActive,
  }
  const made = await insertCompany(db, values)
  await record(db, who, { action: 'company.create', resourceId: made.id, details: { name } })
  return made
}

/**
 * Changes the given fields of a company.
 * @returns the company, and its contacts, living ones only, if they show something else now
 * @throws AppError 404, 409 when somebody has changed it after `updatedAt` or another one has the name
 */
export async function changeCompany(
  db: Tx,
  who: Who,
  id: number,
  { updatedAt, ...sent }: CompanyChange,
): Promise<{ company: CompanyOption; contactIds: number[] }> {
  const change = who.hidesPhones ? await unmasked(db, who, id, sent) : sent
  if (change.name !== undefined) await reserveName(db, change.name, id)
  const before = await lockCompany(db, id)
  await confirmRights(who, db)
  if (updatedAt !== undefined && Date.parse(updatedAt) !== before.updatedAt.getTime())
    throw new AppError('companies.changed')
  const values = differences(before, {
    ...(change.name !== undefined && { name: change.name }),
    ...(change.phone !== undefined && { phone: await chosenPhone(db, change.phone, before.phone) }),
    ...(change.responsibleName !== undefined && { responsibleName: change.responsibleName || null }),
    ...(change.isActive !== undefined && { isActive: change.isActive }),
  })
  const company = { id, name: before.name, isActive: before.isActive, ...values }
  if (Object.keys(values).length === 0) return { company: optionOf(company), contactIds: [] }
  await db
    .update(companies)
    .set({
      ...values,
      updatedAt: laterThan(companies.updatedAt),
    })
    .where(eq(companies.id, id))
  const changed = (names: readonly (keyof CompanyRow)[]) =>
    Object.fromEntries(
      names.filter((name) => name in values).map((name) => [name, [before[name], values[name]]]),
    )
  await record(db, who, {
    action: 'company.change',
    resourceId: id,
    details: { name: company.name, changes: changed(['name', 'isActive']) },
    personal: { changes: changed(['phone', 'responsibleName']) },
  })
  return { company: optionOf(company), contactIds: 'name' in values ? await listContactsOf(db, id) : [] }
}

/**
 * Deletes a company. Its contacts have none then.
 * @returns the contacts, living ones only
 * @throws AppError 404
 */
export async function deleteCompany(db: Tx, who: Who, id: number): Promise<number[]> {
  // Whoever gives a contact this company locks it too: from here on nobody does.
  const { name } = await lockCompany(db, id)
  await confirmRights(who, db)
  const contactIds = await listContactsOf(db, id)
  await db
    .update(contacts)
    .set({
      companyId: null,
      updatedAt: laterThan(contacts.updatedAt),
    })
    .where(eq(contacts.companyId, id))
  await db.delete(companies).where(eq(companies.id, id))
  await record(db, who, {
    action: 'company.delete',
    resourceId: id,
    details: { name, contacts: contactIds.length },
  })
  return contactIds
}

/** What somebody wants from whom numbers are hidden: what they send back as they see it stays as it was. */
async function unmasked<Change extends Omit<CompanyChange, 'updatedAt'>>(
  db: Db,
  who: Who,
  id: number,
  change: Change,
): Promise<Change> {
  const [held] = await db.select().from(companies).where(eq(companies.id, id))
  const { name, phone, responsibleName } = change
  return {
    ...change,
    ...(name !== undefined && { name: keptName(who, name, held?.name ?? null) }),
    ...(phone !== undefined && { phone: keptPhone(who, phone, held?.phone ?? null) }),
    ...(responsibleName !== undefined && {
      responsibleName: keptName(who, responsibleName, held?.responsibleName ?? null),
    }),
  }
}

/** One that an earlier version has stored may stay, though nobody could enter it now. */
async function chosenPhone(db: Db, typed: string, before: string | null): Promise<string | null> {
  if (typed === '') return null
  return typed === before ? before : typedCompanyPhone(db, typed)
}

async function lockCompany(db: Db, id: number): Promise<CompanyRow> {
  const [row] = await db.select().from(companies).where(eq(companies.id, id)).for('update')
  if (!row) throw new AppError('companies.not_found')
  return row
}

/**
 * Of two parallel requests for one name the second finds the company of the first.
 * @throws AppError 409 when another company than the given one has it
 */
async function reserveName(db: Tx, name: string, id = 0): Promise<void> {
  await lockName(db, `company:${name.toLowerCase()}`)
  const [other] = await db
    .select({ id: companies.id })
    .from(companies)
    .where(and(sql`lower(${companies.name}) = lower(${name})`, ne(companies.id, id)))
    .limit(1)
  if (other) throw new AppError('companies.duplicate')
}

/** Locks the living contacts of a company, in the order of their ids. */
export async function listContactsOf(db: Db, id: number): Promise<number[]> {
  const found = await db
    .select({ id: contacts.id })
    .from(contacts)
    .where(and(eq(contacts.companyId, id), isNull(contacts.deletedAt)))
    .orderBy(asc(contacts.id))
    .for('no key update')
  return found.map((contact) => contact.id)
}

const optionOf = ({ id, name, isActive }: CompanyOption): CompanyOption => ({ id, name, isActive })
