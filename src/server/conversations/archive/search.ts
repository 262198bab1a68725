import { type SQL, sql } from 'drizzle-orm'
import { type ArchiveFilter, mostFound } from '#shared/conversations/archive.ts'
import { wordsOf } from '#shared/text/words.ts'
import { type Database, type Db, inTransaction, rows } from '#server/platform/database/db.ts'
import { hasPhone, isPhoneSearched, tellsOwnNumber } from '#server/platform/phones/searched-phones.ts'
import { archiveFilters, isUpTo, type Scope } from './archive-filters.ts'
import { readQuery, type Stems, type Term, toTsQuery } from './search-query.ts'
import { stemsOfTerms } from './stems.ts'

/** What was looked for, for the excerpts of what was found. */
export interface Looked {
  terms: readonly Term[]
  stems: Stems
}

interface Found extends Looked {
  /** Newest first, at most `mostFound` + 1. */
  ids: number[]
  /** Words of names that were taken instead of what was typed. */
  corrected: string[]
}

/**
 * The completed conversations in which all words are found: in the messages, or in name, company, tags,
 * telephone number, protocol or notes. When nothing is, names that are nearly the same.
 */
export async function searchArchive(
  db: Database,
  scope: Scope,
  filter: ArchiveFilter & { search: string },
): Promise<Found> {
  const { terms } = readQuery(filter.search, scope.who)
  const looked = await lookedFor(db, terms)
  const ids = await findCompleted(db, scope, filter, looked)
  const meant = ids.length > 0 ? undefined : await withNames(db, terms)
  if (!meant) return { ...looked, ids, corrected: [] }
  const corrected = [...new Set(meant.flatMap(({ alike = [] }) => alike))]
  const lookedAgain = { ...looked, terms: meant }
  return { ...lookedAgain, ids: await findCompleted(db, scope, filter, lookedAgain), corrected }
}

/** The terms with the stems of their words. */
export async function lookedFor(db: Db, terms: readonly Term[]): Promise<Looked> {
  return { terms, stems: await stemsOfTerms(db, terms) }
}

/** The completed conversations in which all terms are found, newest first, at most `mostFound` + 1. */
export async function findCompleted(
  db: Db,
  scope: Scope,
  filter: ArchiveFilter,
  { terms, stems }: Looked,
): Promise<number[]> {
  if (terms.length === 0) return []
  const filters = archiveFilters(scope, filter)
  const query = toTsQuery(terms, stems) ?? ''
  const isPlain =
    filters === undefined &&
    terms.every((term) => term.digits === '' && !mayTellNumber(term)) &&
    exactOf(terms).length < 2
  if (isPlain && (await isCommon(db, query))) {
    const ids = await newestOf(db, scope, query)
    if (ids.length > mostFound) return ids
  }
  const found = await rows<{ id: number }>(
    db,
    sql`with hits as materialized (${hitsOf(terms, stems)})
        select h.conversation_id as id from hits h ${
          filters === undefined
            ? sql``
            : sql`join conversations v on v.id = h.conversation_id join contacts c on c.id = v.contact_id`
        }
         where ${isUpTo(sql`h.completed_at`, scope)} ${filters === undefined ? sql`` : sql`and ${filters}`}
         order by h.completed_at desc, h.conversation_id desc limit ${mostFound + 1}`,
  )
  return found.map(({ id }) => id)
}

const exactOf = (terms: readonly Term[]) => terms.filter(({ isExact }) => isExact)

/**
 * The conversations that have all terms. One that is stored in parts has its phrases in different ones, so
 * each phrase is looked for on its own.
 */
function hitsOf(terms: readonly Term[], stems: Stems): SQL {
  const numbers = terms.filter(({ digits }) => digits !== '')
  const words = hitsOfWords(terms, stems)
  if (numbers.length === 0) return words
  // A number may be in a message, or it is the contact's.
  const others = terms.filter(({ digits }) => digits === '')
  const ofContact = sql.join(numbers.map(isContactOf), sql` and `)
  return sql`${words} union ${hitsOfWords(others, stems, ofContact)}`
}

/** Whether the contact has the number, or one of which it is a part. */
export function isContactOf({ digits, phone, hidesPhones }: Term): SQL {
  const who = { hidesPhones: hidesPhones === true }
  const searched = isPhoneSearched(who, sql`phone`, { digits: bareDigits(digits), whole: phone })
  // As an array, so that the few contacts are looked up and not the whole index read beside them.
  return sql`contact_id = any(array(select id from contacts
               where ${searched ?? sql`false`}))`
}

/** Whether somebody could find out by it which digits a hidden number has. */
export const mayTellNumber = ({ words, hidesPhones }: Term): boolean =>
  hidesPhones === true && words.some(({ folded }) => /\p{Nd}/u.test(folded))

/**
 * Whether the words of a conversation are without the client's number: it may be their name, or stand in an
 * automatic text that names them. By its protocol a conversation is found all the same.
 */
export function tellsNoNumber(terms: readonly Term[]): SQL {
  const typed = terms.flatMap(({ words }) => words.map(({ folded }) => folded))
  return sql`not exists (
    select from conversations t join contacts k on k.id = t.contact_id
     where t.id = conversation_id and t.protocol <> all(${sql.param(typed)}::text[])
       and (${hasPhone(sql`k.name_folded`)} or exists (
              select from messages m where m.conversation_id = t.id and ${tellsOwnNumber})))`
}

/** Without the zero of long-distance calls. */
const bareDigits = (digits: string) => digits.replace(/^0+(?=\d{8})/, '')

function hitsOfWords(terms: readonly Term[], stems: Stems, also?: SQL): SQL {
  const exact = exactOf(terms)
  const others = terms.filter(({ isExact }) => !isExact)
  const groups = exact.length < 2 ? [terms] : exact.map((one) => [...others, one])
  return sql.join(
    groups.map((group) => {
      const query = toTsQuery(group, stems)
      const conditions = [
        ...(query === undefined ? [] : [sql`words @@ ${query}::tsquery`]),
        ...(group.some(mayTellNumber) ? [tellsNoNumber(group)] : []),
        ...(also ? [also] : []),
      ]
      return sql`(select distinct conversation_id, completed_at from conversation_search
                   where ${sql.join(conditions, sql` and `)})`
    }),
    sql` intersect `,
  )
}

/** From this share of all conversations on, the newest ones are read instead of all hits. */
const commonShare = 0.2
const commonFrom = 5000
/** How many of the newest are read for a common word at most. */
const mostRead = 6000

/** What the last queries were found to be, and until when that is believed. */
const judged = new Map<string, { isCommon: boolean; until: number }>()
const judgedForMs = 60_000
const mostJudged = 1000

/** Whether the database expects a word in many conversations: either way finds the same. */
async function isCommon(db: Db, query: string): Promise<boolean> {
  const known = judged.get(query)
  if (known && performance.now() < known.until) return known.isCommon
  const isOne = await isExpectedOften(db, query)
  if (judged.size >= mostJudged) judged.clear()
  judged.set(query, { isCommon: isOne, until: performance.now() + judgedForMs })
  return isOne
}

async function isExpectedOften(db: Db, query: string): Promise<boolean> {
  const [plan] = await rows<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    db,
    sql.raw(
      `explain (format json) select 1 from conversation_search where words @@ '${literalOf(query)}'::tsquery`,
    ),
  )
  const expected = plan?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0
  if (expected < commonFrom) return false
  const [table] = await rows<{ count: number }>(
    db,
    sql`select reltuples::float8 as count from pg_class where oid = 'conversation_search'::regclass`,
  )
  return expected > commonShare * (table?.count ?? Infinity)
}

/** As a literal of a statement that takes no parameters. */
const literalOf = (text: string) => text.replaceAll("'", "''")

async function newestOf(db: Db, scope: Scope, query: string): Promise<number[]> {
  const found = await rows<{ id: number }>(
    db,
    sql`select id from (
          select conversation_id as id, completed_at, words from conversation_search
           where ${isUpTo(sql`completed_at`, scope)}
           order by completed_at desc, conversation_id desc limit ${mostRead}) newest
         where words @@ ${query}::tsquery limit ${mostFound + 100}`,
  )
  return [...new Set(found.map(({ id }) => id))]
}

/** Shorter names are like too many others. */
const minNameLength = 4
const mostAlike = 3
/** Words for which names are looked up: each takes a while. */
const mostNames = 4
const leastAlike = 0.4

/** The terms with the names that are nearly the same; undefined when there are none. */
function withNames(database: Database, terms: readonly Term[]): Promise<Term[] | undefined> {
  return inTransaction(database, async (db) => {
    // Less than the usual one, which misses two wrong letters.
    await db.execute(sql`set local pg_trgm.word_similarity_threshold = ${sql.raw(String(leastAlike))}`)
    return namesLike(db, terms)
  })
}

const mayBeName = ({ words: [word], isExact }: Term) =>
  !isExact && word !== undefined && /^\p{L}+$/u.test(word.folded) && word.folded.length >= minNameLength

async function namesLike(db: Db, terms: readonly Term[]): Promise<Term[] | undefined> {
  const meant: Term[] = []
  let asked = 0
  for (const term of terms) {
    const [word] = term.words
    if (!word || !mayBeName(term) || ++asked > mostNames) {
      meant.push(term)
      continue
    }
    const found = await rows<{ name: string }>(
      db,
      sql`select part as name
            from (select name_folded from contacts
                   where name_folded %> ${word.folded} and deleted_at is null and erased_at is null
                   limit 500) c,
                 lateral regexp_split_to_table(c.name_folded, '\\s+') as part
           where similarity(part, ${word.folded}) >= ${leastAlike}
           group by part order by similarity(part, ${word.folded}) desc, part limit ${mostAlike}`,
    )
    const alike = found
      .flatMap(({ name }) => wordsOf(name).map(({ folded }) => folded))
      .filter((name) => !(term.hidesPhones && /\p{Nd}/u.test(name)))
    meant.push(alike.length > 0 ? { ...term, alike } : term)
  }
  return meant.some(({ alike }) => alike) ? meant : undefined
}
