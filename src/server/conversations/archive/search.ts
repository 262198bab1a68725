import { type SQL, sql } from 'drizzle-orm'
import type { ArchivedHit, ArchiveFilter } from '#shared/conversations/archive.ts'
import { mostFound } from '#shared/conversations/archive.ts'
import { wordsOf } from '#shared/text/words.ts'
import { type Database, type Db, inTransaction, literal, rows } from '#server/platform/database/db.ts'
import { placeOf } from '#server/conversations/store/message-rows.ts'
import { archiveFilters, type Scope } from './archive-filters.ts'
import { excerptOf, findTerms } from './excerpt.ts'
import { isSearched, searchedColumns, type SearchedRow, textsOf } from './search-index.ts'
import { readQuery, type Stems, type Term, toTsQuery, withAccents } from './search-query.ts'
import { stemsOf } from './stems.ts'

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
  const { terms } = readQuery(filter.search)
  const found = await findByTerms(db, scope, filter, terms)
  if (found.ids.length > 0) return { ...found, corrected: [] }
  const meant = await withNames(db, terms)
  if (!meant) return { ...found, corrected: [] }
  const corrected = [...new Set(meant.flatMap(({ alike = [] }) => alike))]
  return { ...(await findByTerms(db, scope, filter, meant)), corrected }
}

async function findByTerms(
  db: Db,
  scope: Scope,
  filter: ArchiveFilter,
  terms: readonly Term[],
): Promise<Looked & { ids: number[] }> {
  const stems = await stemsOf(
    db,
    terms.flatMap(({ words }) => words.flatMap(({ lower }) => withAccents(lower))),
  )
  const looked = { terms, stems }
  if (terms.length === 0) return { ...looked, ids: [] }
  const filters = archiveFilters(scope, filter)
  const query = toTsQuery(terms, stems) ?? ''
  const isPlain =
    filters === undefined && terms.every(({ digits }) => digits === '') && exactOf(terms).length < 2
  if (isPlain && (await isCommon(db, query))) {
    const ids = await newestOf(db, query)
    if (ids.length > mostFound) return { ...looked, ids }
  }
  const found = await rows<{ id: number }>(
    db,
    sql`with hits as materialized (${hitsOf(terms, stems)})
        select h.conversation_id as id from hits h
          ${
            filters === undefined
              ? sql``
              : sql`join conversations v on v.id = h.conversation_id
          join contacts c on c.id = v.contact_id
         where ${filters}`
          }
         order by h.completed_at desc, h.conversation_id desc limit ${mostFound + 1}`,
  )
  return { ...looked, ids: found.map(({ id }) => id) }
}

const exactOf = (terms: readonly Term[]) => terms.filter(({ isExact }) => isExact)

/**
 * The conversations that have all terms. One that is stored in parts has its phrases in different ones, so
 * each phrase is looked for by itself.
 */
function hitsOf(terms: readonly Term[], stems: Stems): SQL {
  const numbers = terms.filter(({ digits }) => digits !== '')
  const words = hitsOfWords(terms, stems)
  if (numbers.length === 0) return words
  // A number may be in a message, or it is the contact's.
  const others = terms.filter(({ digits }) => digits === '')
  const ofContact = sql.join(
    numbers.map(
      ({ digits }) =>
        sql`contact_id in (select id from contacts where phone like ${`%${literal(bareDigits(digits))}%`})`,
    ),
    sql` and `,
  )
  return sql`${words} union ${hitsOfWords(others, stems, ofContact)}`
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

/** Whether the database expects a word in many conversations. */
async function isCommon(db: Db, query: string): Promise<boolean> {
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

async function newestOf(db: Db, query: string): Promise<number[]> {
  const found = await rows<{ id: number }>(
    db,
    sql`select id from (
          select conversation_id as id, completed_at, words from conversation_search
           order by completed_at desc, conversation_id desc limit ${mostRead}) newest
         where words @@ ${query}::tsquery limit ${mostFound + 100}`,
  )
  return [...new Set(found.map(({ id }) => id))]
}

/** Shorter names are like too many others. */
const minNameLength = 4
const mostAlike = 3
const leastAlike = 0.4

/** The terms with the names that are nearly the same; undefined when there are none. */
function withNames(database: Database, terms: readonly Term[]): Promise<Term[] | undefined> {
  return inTransaction(database, async (db) => {
    // Less than the usual one, which misses two wrong letters.
    await db.execute(sql`set local pg_trgm.word_similarity_threshold = ${sql.raw(String(leastAlike))}`)
    return namesLike(db, terms)
  })
}

async function namesLike(db: Db, terms: readonly Term[]): Promise<Term[] | undefined> {
  const meant: Term[] = []
  for (const term of terms) {
    const [word] = term.words
    if (!word || term.isExact || !/^\p{L}+$/u.test(word.folded) || word.folded.length < minNameLength) {
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
    const alike = found.flatMap(({ name }) => wordsOf(name).map(({ folded }) => folded))
    meant.push(alike.length > 0 ? { ...term, alike } : term)
  }
  return meant.some(({ alike }) => alike) ? meant : undefined
}

/** Excerpts that are shown of a conversation. */
const mostExcerpts = 2
/** Parts of a long conversation that are looked through for them. */
const mostParts = 2

/**
 * The messages of conversations in which something was found, of each those with the most of it.
 * @returns by conversation, with the number of such messages
 */
export async function hitsIn(
  db: Db,
  ids: readonly number[],
  { terms, stems }: Looked,
): Promise<Map<number, { hits: ArchivedHit[]; hitCount: number }>> {
  const messages = await readMessages(db, ids, terms, stems)
  const all = await stemsOf(db, writtenIn(messages))
  const known: Stems = new Map([...all, ...stems])
  const byConversation = Map.groupBy(messages, ({ conversationId }) => conversationId)
  return new Map(
    [...byConversation].map(([id, rowsOf]) => {
      const scored = rowsOf.flatMap((row) => {
        const [best] = textsOf(row)
          .map((text) => ({ text, ...findTerms(text, terms, known) }))
          .sort((a, b) => b.found - a.found)
        return best && best.found > 0 ? [{ row, ...best }] : []
      })
      const most = Math.max(0, ...scored.map(({ found }) => found))
      const those = scored.filter(({ found }) => found === most)
      const hits = those.slice(0, mostExcerpts).map(({ row, text, marks }): ArchivedHit => ({
        messageId: row.id,
        sentAt: row.sentAt,
        isContact: row.senderType === 'contact',
        senderName: row.senderName,
        isFile: text === row.fileName && text !== row.content,
        ...excerptOf(text, marks),
      }))
      return [id, { hits, hitCount: those.length }]
    }),
  )
}

/** Messages of a conversation that a search returns at most. */
const mostMessages = 1000

/**
 * The messages of one conversation in which something is found, oldest first, of those with the most of it.
 * @returns also the words, as they are written there, each a sequence of folded words
 */
export async function hitsOfOne(
  db: Db,
  id: number,
  search: string,
): Promise<{ ids: number[]; words: string[][] }> {
  const { terms } = readQuery(search)
  if (terms.length === 0) return { ids: [], words: [] }
  const stems = await stemsOf(
    db,
    terms.flatMap(({ words }) => words.flatMap(({ lower }) => withAccents(lower))),
  )
  const scored: { id: number; found: number; words: string[][] }[] = []
  for (const part of await matchingParts(db, [id], terms, stems)) {
    const messages = await readPart(db, part)
    const all = await stemsOf(db, writtenIn(messages))
    const known: Stems = new Map([...all, ...stems])
    for (const row of messages) {
      const of = textsOf(row).map((text) => ({ text, ...findTerms(text, terms, known) }))
      const found = Math.max(0, ...of.map((one) => one.found))
      if (found === 0) continue
      const words = of.flatMap(({ text, marks }) =>
        marks.map(([from, to]) => wordsOf(text.slice(from, to)).map(({ folded }) => folded)),
      )
      scored.push({ id: row.id, found, words })
    }
  }
  const most = Math.max(0, ...scored.map(({ found }) => found))
  const those = scored.filter(({ found }) => found === most).slice(0, mostMessages)
  const words = new Map(those.flatMap((one) => one.words).map((sequence) => [sequence.join(' '), sequence]))
  return { ids: those.map((one) => one.id), words: [...words.values()] }
}

const writtenIn = (messages: readonly SearchedRow[]) =>
  messages.flatMap((row) => textsOf(row).flatMap((text) => wordsOf(text).map(({ lower }) => lower)))

interface HitRow extends SearchedRow {
  sentAt: string
  senderType: string
  senderName: string | null
}

interface Part extends Record<string, unknown> {
  id: number
  first: number | null
  last: number | null
}

/** The parts of conversations that have something of the terms, in order. */
function matchingParts(
  db: Db,
  ids: readonly number[],
  terms: readonly Term[],
  stems: Stems,
): Promise<Part[]> {
  const any = terms.map((term) => `(${toTsQuery([term], stems) ?? ''})`).join(' | ')
  return rows<Part>(
    db,
    sql`select conversation_id as id, first_message_id as first, last_message_id as last
          from conversation_search
         where conversation_id = any(${sql.param(ids)}::int[]) and words @@ ${any}::tsquery
         order by conversation_id, part`,
  )
}

const hitColumns = sql`${searchedColumns}, m.sent_at::text as "sentAt", m.sender_type as "senderType",
  (select u.name from users u where u.id = m.sender_id) as "senderName"`

/** The messages of one part, in order. */
async function readPart(db: Db, { id, first, last }: Part): Promise<HitRow[]> {
  const ends =
    first === null || last === null
      ? sql``
      : sql`and (m.sort_at, m.id) >= ${placeOf(first, id, true)}
            and (m.sort_at, m.id) <= ${placeOf(last, id, true)}`
  const found = await rows<HitRow>(
    db,
    sql`select ${hitColumns} from messages m
         where m.conversation_id = ${id} and ${isSearched} ${ends} order by m.sort_at, m.id`,
  )
  return found.map(withInstant)
}

/** The messages of short conversations, and of long ones those of the newest parts that have something. */
async function readMessages(
  db: Db,
  ids: readonly number[],
  terms: readonly Term[],
  stems: Stems,
): Promise<HitRow[]> {
  const parts = await matchingParts(db, ids, terms, stems)
  const short = parts.filter(({ first }) => first === null).map(({ id }) => id)
  const found = await rows<HitRow>(
    db,
    sql`select ${hitColumns} from messages m
         where m.conversation_id = any(${sql.param(short)}::int[]) and ${isSearched}
         order by m.conversation_id, m.sort_at, m.id`,
  )
  const messages = found.map(withInstant)
  const long = Map.groupBy(
    parts.filter(({ first }) => first !== null),
    ({ id }) => id,
  )
  for (const of of long.values())
    for (const part of of.slice(-mostParts)) messages.push(...(await readPart(db, part)))
  return messages
}

const withInstant = (row: HitRow): HitRow => ({ ...row, sentAt: new Date(row.sentAt).toISOString() })
