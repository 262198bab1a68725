import { and, arrayContains, asc, count, eq, ilike, isNull, or, type SQL, sql } from 'drizzle-orm'
import { mostFound } from '#shared/contacts/contacts.ts'
import { fold } from '#shared/text/fold.ts'
import { searchedDigits } from '#shared/text/phone.ts'
import { readPhone } from '#shared/text/phones/read-phone.ts'
import { type Db, literal, rows } from '#server/platform/database/db.ts'
import { foldedContains } from '#server/platform/database/folded.ts'
import {
  isNameSearched,
  isPhoneSearched,
  orderOfName,
  type PhoneReader,
} from '#server/platform/phones/searched-phones.ts'
import { plannedEachTime } from '#server/platform/database/prepared-statements.ts'
import { contacts } from '#server/schema/contacts/contacts.ts'
import { selectContacts } from './queries.ts'

interface Filter {
  search?: string | undefined
  /** Its name, ignoring case. */
  category?: string | undefined
  tag?: string | undefined
}

interface Asked extends Filter {
  page: number
  limit: number
}

/**
 * Lists a page of the contacts by name.
 * @returns with their number: of a search, `mostFound` with `hasMore` when it finds more
 */
export async function listContactPage(db: Db, who: PhoneReader, { page, limit, ...filter }: Asked) {
  const isSearch = (filter.search ?? '').trim() !== ''
  const where = contactsOf(who, filter)
  const [found, counted] = await Promise.all([
    selectContacts(db)
      .where(where)
      .orderBy(asc(orderOfName(who, contacts.nameFolded)), asc(contacts.id))
      .limit(limit)
      .offset((page - 1) * limit),
    isSearch ? countUpTo(db, where, mostFound + 1) : db.$count(contacts, where),
  ])
  const hasMore = isSearch && counted > mostFound
  return { rows: found, total: hasMore ? mostFound : counted, hasMore }
}

/** The condition of the living contacts that a filter shows. */
export function contactsOf(who: PhoneReader, { search = '', category, tag }: Filter): SQL | undefined {
  return and(
    isNull(contacts.deletedAt),
    isNull(contacts.erasedAt),
    plannedEachTime(matches(who, search.trim())),
    category === undefined || category.toLowerCase() === 'all'
      ? undefined
      : plannedEachTime(eq(sql`lower(${contacts.category})`, category.toLowerCase())),
    tag === undefined ? undefined : plannedEachTime(hasTag(tag)),
  )
}

async function countUpTo(db: Db, where: SQL | undefined, most: number): Promise<number> {
  const some = db.select({ id: contacts.id }).from(contacts).where(where).limit(most).as('some')
  const [row] = await db.select({ n: count() }).from(some)
  return row?.n ?? 0
}

/**
 * Matches every word in the name, or the whole text in the e-mail address or, as digits, in the phone number,
 * which is found by each of its spellings, too.
 */
function matches(who: PhoneReader, search: string): SQL | undefined {
  if (search === '') return undefined
  const words = search.split(/\s+/)
  const digits = searchedDigits(search)
  const read = readPhone(search)
  const name = contacts.nameFolded
  return or(
    and(...words.map((word) => isNameSearched(who, name, word, foldedContains(name, word)))),
    ilike(contacts.email, `%${literal(search)}%`),
    isPhoneSearched(who, contacts.phone, { digits, whole: 'phone' in read ? read.phone : undefined }),
  )
}

const hasTag = (tag: string): SQL => arrayContains(contacts.tagsFolded, [fold(tag)])

const mostTags = 50

/** The tags in use that contain the text, whatever its case and accents; the most frequent first. */
export function listTagCounts(db: Db, search = ''): Promise<{ tag: string; count: number }[]> {
  return rows(
    db,
    sql`select min(t.tag) as tag, count(*)::int as count
          from contacts c cross join unnest(c.tags, c.tags_folded) as t (tag, folded)
         where c.deleted_at is null and c.tags <> '{}' and ${foldedContains(sql`t.folded`, search.trim())}
         group by t.folded order by count(*) desc, t.folded limit ${mostTags}`,
  )
}
