import { count, inArray, or, type SQL, sql } from 'drizzle-orm'
import { searchedDigits } from '#shared/text/phone.ts'
import { readCompanyPhone } from '#shared/text/phones/read-phone.ts'
import type { Db } from '#server/platform/database/db.ts'
import { byName, contains } from '#server/platform/database/folded.ts'
import { plannedEachTime } from '#server/platform/database/prepared-statements.ts'
import { isNameSearched, isPhoneSearched, type PhoneReader } from '#server/platform/phones/searched-phones.ts'
import { isInReach, reachColumns, type Reader } from '#server/platform/http/reach.ts'
import { companies } from '#server/schema/contacts/contacts.ts'

const optionColumns = { id: companies.id, name: companies.name, isActive: companies.isActive }
const inOrder = byName(companies.name, companies.id)

/** Lists all companies, including inactive ones: a contact may belong to one. */
export function listCompanyOptions(db: Db) {
  return db.select(optionColumns).from(companies).orderBy(inOrder).execute()
}

/** @param withFacts without it the phone number is not searched, because the person may not read it */
function matches(who: PhoneReader, search: string, withFacts: boolean): SQL | undefined {
  const words = search.trim()
  if (words === '') return undefined
  const names = withFacts ? [companies.name, companies.responsibleName] : [companies.name]
  return plannedEachTime(
    or(
      ...names.map((name) => isNameSearched(who, name, words, contains(name, words))),
      withFacts && !who.hidesPhones ? contains(companies.phone, words) : undefined,
      withFacts ? hasNumber(who, words) : undefined,
    ),
  )
}

/** However it was written when it was stored. */
function hasNumber(who: PhoneReader, search: string): SQL | undefined {
  const read = readCompanyPhone(search)
  const whole = 'phone' in read ? read.phone : searchedDigits(search)
  const digits = whole.replace(/\D/g, '').replace(/^55(?=\d{10})/, '')
  if (digits === '') return undefined
  const stored = sql`regexp_replace(${companies.phone}, '[^0-9]', '', 'g')`
  if (!who.hidesPhones) return sql`${stored} like ${`%${digits}%`}`
  if (!('phone' in read)) return isPhoneSearched(who, stored, { digits, whole: undefined })
  return sql`regexp_replace(${stored}, '^55(?=[0-9]{10})', '') = ${digits}`
}

interface Page {
  limit: number
  offset: number
  search: string
}

export function listOptionPage(db: Db, who: PhoneReader, { limit, offset, search }: Page) {
  return db
    .select(optionColumns)
    .from(companies)
    .where(matches(who, search, false))
    .orderBy(inOrder)
    .limit(limit)
    .offset(offset)
    .execute()
}

/** Contacts, but those who have only conversations of which the person does not know. */
function contactCount(who: Reader): SQL<number> {
  const isGiven = isInReach(who, reachColumns('v'))
  const isKnown = isGiven
    ? sql`and (not exists (select from conversations v where v.contact_id = c.id)
               or exists (select from conversations v where v.contact_id = c.id and ${isGiven}))`
    : sql``
  return sql<number>`(select count(*)::int from contacts c
    where c.company_id = companies.id and c.deleted_at is null ${isKnown})`
}

const lastContactAt = (who: Reader) => sql<Date | null>`(select max(v.last_activity_at) from conversations v
  join contacts c on c.id = v.contact_id where c.company_id = companies.id and c.deleted_at is null
   and ${isInReach(who, reachColumns('v')) ?? sql`true`})`

const selectWithFacts = (db: Db, who: Reader) =>
  db
    .select({
      ...optionColumns,
      phone: companies.phone,
      responsibleName: companies.responsibleName,
      contactCount: contactCount(who),
      lastContactAt: lastContactAt(who).mapWith(companies.createdAt),
      updatedAt: companies.updatedAt,
    })
    .from(companies)

export const listCompaniesById = (db: Db, who: Reader, ids: number[]) =>
  selectWithFacts(db, who).where(inArray(companies.id, ids)).execute()

export function listCompanyPage(db: Db, who: Reader & PhoneReader, { limit, offset, search }: Page) {
  return selectWithFacts(db, who)
    .where(matches(who, search, true))
    .orderBy(inOrder)
    .limit(limit)
    .offset(offset)
    .execute()
}

export async function countCompanies(
  db: Db,
  who: PhoneReader,
  search: string,
  withFacts: boolean,
): Promise<number> {
  const [row] = await db
    .select({ n: count() })
    .from(companies)
    .where(matches(who, search, withFacts))
  return row?.n ?? 0
}

export async function insertCompany(db: Db, values: typeof companies.$inferInsert) {
  const [row] = await db.insert(companies).values(values).returning(optionColumns)
  if (!row) throw new Error('company not written')
  return row
}
