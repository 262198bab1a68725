import { and, asc, count, eq, ilike, isNull, or, type SQL, sql } from 'drizzle-orm'
import { type Db, literal } from '#server/platform/database/db.ts'
import { foldedContains } from '#server/platform/database/folded.ts'
import { plannedEachTime } from '#server/platform/database/prepared-statements.ts'
import { companies, contactCategories, contacts } from '#server/schema/contacts.ts'
import { contactColumns, ofCategory, ofCompany } from './queries.ts'

interface Asked {
  page: number
  limit: number
  search?: string | undefined
  category?: string | undefined
}

/** Lists a page of the contacts by name, with their total number. */
export async function listContactPage(db: Db, { page, limit, search = '', category }: Asked) {
  const where = and(
    isNull(contacts.deletedAt),
    plannedEachTime(matches(search.trim())),
    category === undefined
      ? undefined
      : plannedEachTime(eq(sql`lower(${contacts.category})`, category.toLowerCase())),
  )
  const [rows, [counted]] = await Promise.all([
    db
      .select(contactColumns)
      .from(contacts)
      .leftJoin(contactCategories, ofCategory)
      .leftJoin(companies, ofCompany)
      .where(where)
      .orderBy(asc(contacts.nameFolded), asc(contacts.id))
      .limit(limit)
      .offset((page - 1) * limit),
    db.select({ n: count() }).from(contacts).where(where),
  ])
  return { rows, total: counted?.n ?? 0 }
}

/**
 * Matches every word in the name, or the whole text in the e-mail address or, as digits, in the phone number.
 */
function matches(search: string): SQL | undefined {
  if (search === '') return undefined
  const words = search.split(/\s+/)
  const digits = /^[\d\s()+.-]+$/.test(search) ? search.replace(/\D/g, '') : ''
  return or(
    and(...words.map((word) => foldedContains(contacts.nameFolded, word))),
    ilike(contacts.email, `%${literal(search)}%`),
    digits === '' ? undefined : ilike(contacts.phone, `%${digits}%`),
  )
}
