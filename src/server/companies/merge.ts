import { asc, eq, inArray, sql } from 'drizzle-orm'
import type { CompanyOption } from '#shared/contacts/companies.ts'
import { AppError } from '#shared/errors.ts'
import { record } from '#server/audit/audit.ts'
import { confirmRights, type Who } from '#server/platform/http/access.ts'
import { laterThan } from '#server/platform/database/changes.ts'
import { type Db, rows, type Tx } from '#server/platform/database/db.ts'
import { companies, companyDistinctions, contacts } from '#server/schema/contacts/contacts.ts'
import { listContactsOf } from './change.ts'

type CompanyRow = typeof companies.$inferSelect

const mostPairs = 10
/** Without the country code, with which it may be written or not. */
const digitsOf = (column: string) => sql.raw(`right(regexp_replace(${column}, '[^0-9]', '', 'g'), 10)`)

/** Ids of pairs of companies with the same phone number, however it is written. */
export function listDuplicatePairs(db: Db): Promise<{ a: number; b: number }[]> {
  return rows(
    db,
    sql`with numbered as (
          select id, ${digitsOf('phone')} as phone from companies
           where length(${digitsOf('phone')}) >= 8)
        select a.id as a, b.id as b from numbered a join numbered b on b.phone = a.phone and b.id > a.id
         where not exists (select from company_distinctions d
                            where d.first_id = a.id and d.second_id = b.id)
         order by a.id, b.id limit ${mostPairs}`,
  )
}

/**
 * Merges another company into one. Nothing that was entered is lost but the other's name.
 * @returns the company, and the contacts, living ones only, that have it now
 * @throws AppError 404
 */
export async function mergeCompanies(
  db: Tx,
  who: Who,
  keptId: number,
  otherId: number,
): Promise<{ company: CompanyOption; contactIds: number[] }> {
  const [kept, other] = await lockPair(db, keptId, otherId)
  await confirmRights(who, db)
  const contactIds = await listContactsOf(db, otherId)
  await db
    .update(contacts)
    .set({ companyId: keptId, updatedAt: laterThan(contacts.updatedAt) })
    .where(eq(contacts.companyId, otherId))
  await db
    .update(companies)
    .set({
      phone: kept.phone ?? other.phone,
      responsibleName: kept.responsibleName ?? other.responsibleName,
      isActive: kept.isActive || other.isActive,
      updatedAt: laterThan(companies.updatedAt),
    })
    .where(eq(companies.id, keptId))
  await db.delete(companies).where(eq(companies.id, otherId))
  await record(db, who, {
    action: 'company.merge',
    resourceId: keptId,
    details: { name: kept.name, otherId, otherName: other.name, contacts: contactIds.length },
  })
  const company = { id: keptId, name: kept.name, isActive: kept.isActive || other.isActive }
  return { company, contactIds }
}

/** @throws AppError 404 */
export async function keepCompaniesApart(db: Tx, who: Who, one: number, other: number): Promise<void> {
  const [{ name }] = await lockPair(db, one, other)
  await confirmRights(who, db)
  const pair = { firstId: Math.min(one, other), secondId: Math.max(one, other) }
  await db
    .insert(companyDistinctions)
    .values({ ...pair, declaredBy: who.id })
    .onConflictDoNothing()
  await record(db, who, { action: 'company.distinct', resourceId: one, details: { name, otherId: other } })
}

/** Locks two companies, in the order of their ids. */
async function lockPair(db: Db, one: number, other: number): Promise<[CompanyRow, CompanyRow]> {
  const locked = await db
    .select()
    .from(companies)
    .where(inArray(companies.id, [one, other]))
    .orderBy(asc(companies.id))
    .for('update')
  const [first, second] = [one, other].map((id) => locked.find((row) => row.id === id))
  if (!first || !second || one === other) throw new AppError('companies.not_found')
  return [first, second]
}
