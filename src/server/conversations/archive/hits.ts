import { sql } from 'drizzle-orm'
import type { ArchivedHit } from '#shared/conversations/archive.ts'
import { type Word, wordsOf } from '#shared/text/words.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import { placeOf } from '#server/conversations/store/message-rows.ts'
import { excerptOf, findTerms, mayContain, type PreparedTerm, prepareTerms } from './excerpt.ts'
import { type PhoneReader, tellsOwnNumber } from '#server/platform/phones/searched-phones.ts'
import { type Looked, mayTellNumber } from './search.ts'
import { isSearched, searchedColumns, type SearchedRow, textsOf } from './searched-messages.ts'
import { readQuery, type Stems, type Term, toTsQuery } from './search-query.ts'
import { stemsOf, stemsOfTerms } from './stems.ts'

interface Where {
  /** Of which conversations. */
  of: 'open' | 'completed'
  /** Which of the messages with the most of it are shown, of more than are. */
  shown: 'oldest' | 'newest'
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
  { of, shown }: Where = { of: 'completed', shown: 'oldest' },
): Promise<Map<number, { hits: ArchivedHit[]; hitCount: number }>> {
  if (ids.length === 0) return new Map()
  const prepared = prepareTerms(terms, stems)
  const parts = await matchingParts(db, ids, terms, stems, of)
  const messages = withWords(await readMessages(db, parts), prepared)
  const known = await knownStems(db, messages, stems)
  const byConversation = Map.groupBy(messages, ({ row }) => row.conversationId)
  return new Map(
    [...byConversation].map(([id, rowsOf]) => {
      const scored = rowsOf.flatMap(({ row, texts }) => {
        const [best] = texts
          .map(({ text, words }) => ({ text, ...findTerms(words, prepared, known) }))
          .sort((a, b) => b.found - a.found)
        return best && best.found > 0 ? [{ row, ...best }] : []
      })
      const most = Math.max(0, ...scored.map(({ found }) => found))
      const those = scored.filter(({ found }) => found === most)
      const some = shown === 'oldest' ? those.slice(0, mostExcerpts) : those.slice(-mostExcerpts)
      const hits = some.map(({ row, text, marks }): ArchivedHit => ({
        messageId: row.id,
        sentAt: row.sentAt,
        isContact: row.senderType === 'contact',
        senderName: row.senderName,
        ...(row.messageType === 'note' && { isNote: true as const }),
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
  who: PhoneReader,
  id: number,
  search: string,
): Promise<{ ids: number[]; words: string[][] }> {
  const { terms } = readQuery(search, who)
  const isKept = terms.some(mayTellNumber) ? sql`not ${tellsOwnNumber}` : sql`true`
  if (terms.length === 0) return { ids: [], words: [] }
  const stems = await stemsOfTerms(db, terms)
  const prepared = prepareTerms(terms, stems)
  const scored: { id: number; found: number; words: string[][] }[] = []
  for (const part of await matchingParts(db, [id], terms, stems)) {
    const messages = withWords(await readPart(db, part, isKept), prepared)
    const known = await knownStems(db, messages, stems)
    for (const { row, texts } of messages) {
      const of = texts.map(({ text, words }) => ({ text, ...findTerms(words, prepared, known) }))
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

interface WithWords {
  row: HitRow
  texts: { text: string; words: Word[] }[]
}

/** Of each message the texts in which something of the terms may be. */
const withWords = (messages: readonly HitRow[], terms: readonly PreparedTerm[]): WithWords[] =>
  messages.flatMap((row) => {
    const texts = textsOf(row).filter((text) => mayContain(text, terms))
    return texts.length === 0 ? [] : [{ row, texts: texts.map((text) => ({ text, words: wordsOf(text) })) }]
  })

/** The stems of all words of the messages, besides those of what is looked for. */
async function knownStems(db: Db, messages: readonly WithWords[], stems: Stems): Promise<Stems> {
  const written = new Set<string>()
  for (const { texts } of messages)
    for (const { words } of texts) for (const { lower } of words) written.add(lower)
  return new Map([...(await stemsOf(db, written)), ...stems])
}

interface HitRow extends SearchedRow {
  sentAt: string
  senderType: string
  senderName: string | null
  messageType: string
}

interface Part extends Record<string, unknown> {
  id: number
  first: number | null
  last: number | null
}

/**
 * The parts of conversations that have something of the terms, in order. By `offset 0` the few parts are read
 * first and their words looked at then: the index of words would be read for a common word as a whole.
 */
function matchingParts(
  db: Db,
  ids: readonly number[],
  terms: readonly Term[],
  stems: Stems,
  of: Where['of'] = 'completed',
): Promise<Part[]> {
  const any = terms.map((term) => `(${toTsQuery([term], stems) ?? ''})`).join(' | ')
  return rows<Part>(
    db,
    sql`select conversation_id as id, first_message_id as first, last_message_id as last
          from (select * from ${of === 'open' ? sql`open_search` : sql`conversation_search`}
                 where conversation_id = any(${sql.param(ids)}::int[]) offset 0) those
         where words @@ ${any}::tsquery
         order by conversation_id, part`,
  )
}

const hitColumns = sql`${searchedColumns}, m.sent_at::text as "sentAt", m.sender_type as "senderType",
  m.message_type as "messageType",
  (select u.name from users u where u.id = m.sender_id) as "senderName"`

/** The messages of one part, in order. */
async function readPart(db: Db, { id, first, last }: Part, isKept = sql`true`): Promise<HitRow[]> {
  const ends =
    first === null || last === null
      ? sql``
      : sql`and (m.sort_at, m.id) >= ${placeOf(first, id, true)}
            and (m.sort_at, m.id) <= ${placeOf(last, id, true)}`
  const found = await rows<HitRow>(
    db,
    sql`select ${hitColumns} from messages m
         where m.conversation_id = ${id} and ${isSearched} and ${isKept} ${ends} order by m.sort_at, m.id`,
  )
  return found.map(withInstant)
}

/** The messages of short conversations, and of long ones those of the newest parts that have something. */
async function readMessages(db: Db, parts: readonly Part[]): Promise<HitRow[]> {
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
