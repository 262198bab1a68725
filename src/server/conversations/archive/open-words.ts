import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows, type Tx } from '#server/platform/database/db.ts'
import { isInReach, reachColumns, type Reader } from '#server/platform/http/reach.ts'
import { placeOf } from '#server/conversations/store/message-rows.ts'
import { isContactOf, type Looked, mayTellNumber, tellsNoNumber } from './search.ts'
import { allWords, type SearchPart, toParts } from './search-document.ts'
import { toTsQuery } from './search-query.ts'
import { type Card, portions, readSearched } from './searched-messages.ts'
import { stemsOf } from './stems.ts'

// The words of open conversations: how they are written, and found.

/** The last part of a long conversation. */
interface End extends Record<string, unknown> {
  id: number
  part: number
  /** Its first message. */
  first: number
}

/**
 * Writes the words of open conversations anew: of a long one only those of its end, when nothing has changed
 * before that.
 * @param changed what has changed in each of the conversations that are due, also of those that are not open
 */
export async function writeOpen(
  db: Tx,
  cards: readonly Card[],
  changed: ReadonlyMap<number, readonly { messageId: number | null }[]>,
): Promise<void> {
  const ends = await findEnds(db, changed)
  const endOf = new Map(ends.map((end) => [end.id, end]))
  const others = [...changed.keys()].filter((id) => !endOf.has(id))
  await db.execute(sql`delete from open_search where conversation_id = any(${sql.param(others)}::int[])`)
  for (const some of portions(cards.filter(({ id }) => !endOf.has(id)))) await writeWhole(db, some)
  for (const card of cards) {
    const end = endOf.get(card.id)
    if (end) await writeEnd(db, card, end)
  }
}

/** The ends of the long conversations in which only messages of these ends have come or changed. */
function findEnds(
  db: Tx,
  changed: ReadonlyMap<number, readonly { messageId: number | null }[]>,
): Promise<End[]> {
  const messages = [...changed].flatMap(([id, those]) =>
    those.every(({ messageId }) => messageId !== null) ? those.map(({ messageId }) => [id, messageId]) : [],
  )
  const ids = sql`${sql.param([...new Set(messages.map(([id]) => id))])}::int[]`
  const messageIds = sql`${sql.param(messages.map(([, messageId]) => messageId))}::int[]`
  return rows<End>(
    db,
    sql`select p.conversation_id as id, p.part, f.id as first
          from (select distinct on (conversation_id) conversation_id, part, first_message_id
                  from open_search where conversation_id = any(${ids})
                 order by conversation_id, part desc) p
          join conversations v on v.id = p.conversation_id and v.status <> 'completed'
          join messages f on f.id = p.first_message_id and f.conversation_id = p.conversation_id
                         and f.deleted_at is null
         where not exists (select from messages m
                            where m.id = any(${messageIds}) and m.conversation_id = p.conversation_id
                              and (m.sort_at, m.id) < (f.sort_at, f.id))`,
  )
}

async function writeWhole(db: Tx, cards: readonly Card[]): Promise<void> {
  const searched = await readSearched(db, cards)
  const stems = await stemsOf(db, allWords(searched.values()))
  await insertParts(
    db,
    [...searched].flatMap(([id, of]) =>
      // One in which nothing was said is found by its card in the list.
      of.messages.length === 0 ? [] : toParts(of, stems, 'open').map((part, n) => ({ id, part: n, ...part })),
    ),
  )
}

async function writeEnd(db: Tx, card: Card, { id, part: from, first }: End): Promise<void> {
  const searched = await readSearched(db, [card], sql`(m.sort_at, m.id) >= ${placeOf(first, id, true)}`)
  const stems = await stemsOf(db, allWords(searched.values()))
  await db.execute(sql`delete from open_search where conversation_id = ${id} and part >= ${from}`)
  await insertParts(
    db,
    [...searched.values()].flatMap((of) =>
      toParts(of, stems, 'end').map((part, n) => ({ id, part: from + n, ...part })),
    ),
  )
}

async function insertParts(db: Tx, parts: readonly ({ id: number; part: number } & SearchPart)[]) {
  await db.execute(
    sql`insert into open_search
          (conversation_id, part, contact_id, last_message_at, first_message_id, last_message_id, words)
        select p.id, p.part, v.contact_id, l.sort_at, p."firstMessageId", p."lastMessageId", p.words::tsvector
          from jsonb_to_recordset(${JSON.stringify(parts)}::jsonb) as p
                 (id int, part smallint, "firstMessageId" int, "lastMessageId" int, "newestId" int,
                  words text)
          join conversations v on v.id = p.id
          join messages l on l.id = p."newestId"`,
  )
}

/**
 * The open conversations in which all terms are found, the one with the newest messages first.
 * @param who only what is within their reach
 */
export async function findOpen(db: Db, who: Reader, looked: Looked, limit: number): Promise<number[]> {
  if (looked.terms.length === 0) return []
  const conditions = looked.terms.map((term) => {
    const said = sql`words @@ ${toTsQuery([term], looked.stems)}::tsquery`
    const words = mayTellNumber(term) ? sql`(${said} and ${tellsNoNumber([term])})` : said
    return term.digits === '' ? words : sql`(${words} or ${isContactOf(term)})`
  })
  const isReached = isInReach(who, reachColumns('v'))
  const reached = isReached ? sql`join conversations v on v.id = h.conversation_id and ${isReached}` : sql``
  const found = await rows<{ id: number }>(
    db,
    sql`with hits as materialized (
          select conversation_id, last_message_at from open_search where ${sql.join(conditions, sql` and `)}
          ${conditions.length > 1 ? sql`union all ${apart(conditions)}` : sql``})
        select h.conversation_id as id from hits h ${reached}
         group by h.conversation_id
         order by max(h.last_message_at) desc, h.conversation_id desc limit ${limit}`,
  )
  return found.map(({ id }) => id)
}

/** The conversations in several parts that meet each condition in one of them. */
const apart = (conditions: readonly SQL[]) =>
  sql`select conversation_id, last_message_at from open_search
       where first_message_id is not null and conversation_id in (${sql.join(
         conditions.map(
           (one) =>
             sql`select conversation_id from open_search where first_message_id is not null and ${one}`,
         ),
         sql` intersect `,
       )})`
