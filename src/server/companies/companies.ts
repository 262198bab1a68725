import { eq, inArray } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import type { Db } from '#server/platform/database/db.ts'
import { companies } from '#server/schema/contacts/contacts.ts'

/**
 * Checks that a contact may be assigned to the company, and locks the company until the transaction ends.
 * @throws AppError 422 when it does not exist or is inactive: an inactive one is shown where it is used, and
 *   not offered
 */
export async function expectOffered(db: Db, id: number): Promise<void> {
  const [company] = await db
    .select({ isActive: companies.isActive })
    .from(companies)
    .where(eq(companies.id, id))
    .for('key share')
  if (!company) throw new AppError('companies.unknown')
  if (!company.isActive) throw new AppError('companies.inactive')
}

/** The names of two companies, null for none. */
export async function companyNames(
  db: Db,
  ids: readonly [number | null, number | null],
): Promise<[string | null, string | null]> {
  const wanted = ids.filter((id) => id !== null)
  const found = await db
    .select({ id: companies.id, name: companies.name })
    .from(companies)
    .where(inArray(companies.id, wanted))
  const nameOf = (id: number | null) => found.find((company) => company.id === id)?.name ?? null
  return [nameOf(ids[0]), nameOf(ids[1])]
}

export { changeCompany, deleteCompany } from './change.ts'
export { mergeCompanies } from './merge.ts'
export { companiesNamed, countUnused, createNamed, deleteUnused, type NamedCompany } from './named.ts'
export {
  listWrongCompanyPhones,
  mendCompanyPhone,
  undoCompanyMending,
  type WrongCompanyPhone,
} from './mend-phones.ts'
