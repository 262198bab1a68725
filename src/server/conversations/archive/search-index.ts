import { type SQL, sql } from 'drizzle-orm'
import type { MessageMetadata } from '#shared/messages/message-metadata.ts'
import { type Database, inTransaction, rows, type Tx } from '#server/platform/database/db.ts'
import { lockName, tryLockName } from '#server/platform/database/locks.ts'
import type { Log } from '#server/platform/log.ts'
import { createWorker, type Worker } from '#server/platform/work/worker.ts'
import { trackingTypes } from '#server/conversations/store/message-rows.ts'
import { type SearchedConversation, toParts, writtenWords } from './search-document.ts'
import { stemsOf } from './stems.ts'

/** Conversations that are indexed at once. */
const batchSize = 100
/**
 * Rows of `search_due` that are looked at for them: the newest, so that what is being said now is found soon
 * however much waits, as after a restore, and the oldest. There are often many for one conversation.
 */
const [newest, oldest] = [50, 2000]
/** Messages that are read at once: a conversation may have tens of thousands. */
const mostMessages = 5000
const pollMs = 1000
/** Only one process indexes at a time, so that nobody writes the words of an earlier moment. */
const lockedName = 'search-index'

/** Keeps the words of all conversations, in the background. */
export function startSearchIndex(database: Database, log: Log): Worker {
  return createWorker({
    name: 'search',
    database,
    log,
    pollMs,
    work: async () => ((await indexSome(database, 'try')) ? 'more' : 'idle'),
  })
}

/** Brings the index up to date with all that is committed. */
export async function indexAll(database: Database): Promise<void> {
  while (await indexSome(database, 'wait'));
}

/** @returns whether there may be more */
async function indexSome(database: Database, lock: 'try' | 'wait'): Promise<boolean> {
  return inTransaction(database, async (db) => {
    if (lock === 'wait') await lockName(db, lockedName)
    else if (!(await tryLockName(db, lockedName))) return false
    const due = await rows<{ id: number; conversationId: number }>(
      db,
      sql`select id::float8 as id, conversation_id as "conversationId" from (
            (select id, conversation_id from search_due order by id desc limit ${newest})
            union all
            (select id, conversation_id from search_due order by id limit ${oldest})) due`,
    )
    if (due.length === 0) return false
    const ids = [...new Set(due.map(({ conversationId }) => conversationId))].slice(0, batchSize)
    const isTaken = new Set(ids)
    const taken = due.filter(({ conversationId }) => isTaken.has(conversationId)).map(({ id }) => id)
    // As an array, so that they are looked up, and not the whole table read beside them.
    await db.execute(sql`delete from search_due where id = any(${sql.param(taken)}::bigint[])`)
    // What was committed before the first statement is read by the next one.
    await writeParts(db, ids)
    return due.length > taken.length || due.length > oldest
  })
}

interface Card extends Record<string, unknown> {
  id: number
  isCompleted: boolean
  texts: (string | null)[]
  tags: string[]
  messageCount: number
}

async function writeParts(db: Tx, ids: number[]): Promise<void> {
  // Whoever deletes a conversation locks it before its rows here, too. Open ones are left to those who work
  // on them: what they change meanwhile is due again.
  const completed = await rows<{ id: number }>(
    db,
    sql`select v.id from conversations v
         where v.id = any(${sql.param(ids)}::int[]) and v.status = 'completed'
           and v.pre_attendance_stage is distinct from 'waiting_option'
           and v.pre_attendance_stage is distinct from 'cancelled'
         order by v.id for key share of v`,
  )
  const locked = sql.param(completed.map(({ id }) => id))
  const cards = await rows<Card>(
    db,
    sql`select v.id, v.id = any(${locked}::int[]) as "isCompleted",
               array[c.name, k.name, v.protocol, v.notes] as texts, c.tags, v.message_count as "messageCount"
          from conversations v
          join contacts c on c.id = v.contact_id
          left join companies k on k.id = c.company_id
         where v.id = any(${locked}::int[])
            or (v.id = any(${sql.param(ids)}::int[]) and v.status <> 'completed')
         order by v.id`,
  )
  for (const { table } of [wordsOfCompleted, wordsOfOpen])
    await db.execute(sql`delete from ${table} where conversation_id = any(${sql.param(ids)}::int[])`)
  let some: Card[] = []
  let count = 0
  for (const card of cards) {
    if (count > 0 && count + card.messageCount > mostMessages) {
      await writeSome(db, some)
      some = []
      count = 0
    }
    some.push(card)
    count += card.messageCount
  }
  await writeSome(db, some)
}

async function writeSome(db: Tx, cards: readonly Card[]): Promise<void> {
  if (cards.length === 0) return
  const searched = new Map(
    cards.map(({ id, texts, tags }) => [
      id,
      {
        card: [...texts, ...tags].filter((text) => text !== null),
        messages: [] as { id: number; texts: string[] }[],
      },
    ]),
  )
  const found = await rows<SearchedRow>(
    db,
    sql`select ${searchedColumns} from messages m
         where m.conversation_id = any(${sql.param([...searched.keys()])}::int[]) and ${isSearched}
         order by m.conversation_id, m.sort_at, m.id`,
  )
  for (const row of found)
    searched.get(row.conversationId)?.messages.push({ id: row.id, texts: textsOf(row) })
  const stems = await stemsOf(db, allWords(searched.values()))
  const isCompleted = new Map(cards.map((card) => [card.id, card.isCompleted]))
  const parts = [...searched].flatMap(([conversationId, of]) =>
    toParts(of, stems).map((part, n) => ({
      conversationId,
      isCompleted: isCompleted.get(conversationId),
      part: n,
      ...part,
    })),
  )
  const written = sql`jsonb_to_recordset(${JSON.stringify(parts)}::jsonb) as p
    ("conversationId" int, "isCompleted" boolean, part smallint, "firstMessageId" int, "lastMessageId" int,
     words text)
    join conversations v on v.id = p."conversationId"`
  await db.execute(
    sql`insert into conversation_search
          (conversation_id, part, completed_at, assigned_user_id, contact_id,
           first_message_id, last_message_id, words)
        select p."conversationId", p.part, v.completed_at, v.assigned_user_id, v.contact_id,
               p."firstMessageId", p."lastMessageId", p.words::tsvector
          from ${written} where p."isCompleted" and v.completed_at is not null`,
  )
  await db.execute(
    sql`insert into open_search
          (conversation_id, part, contact_id, last_message_at, first_message_id, last_message_id, words)
        select p."conversationId", p.part, v.contact_id, l.sort_at,
               p."firstMessageId", p."lastMessageId", p.words::tsvector
          from ${written},
               lateral (select m.sort_at from messages m
                         where m.conversation_id = v.id and ${isSearched}
                         order by m.sort_at desc limit 1) l
         where not p."isCompleted"`,
  )
}

function* allWords(searched: Iterable<SearchedConversation>): Iterable<string> {
  for (const one of searched) yield* writtenWords(one)
}

/** Where words are kept, and the time by which what is found there is ordered. */
export interface WordTable {
  table: SQL
  at: SQL
}
export const wordsOfCompleted: WordTable = { table: sql`conversation_search`, at: sql`completed_at` }
export const wordsOfOpen: WordTable = { table: sql`open_search`, at: sql`last_message_at` }

/** What of a message is searched, of a message 'm'. */
export const searchedColumns = sql`m.id, m.conversation_id as "conversationId", m.content,
  m.file_name as "fileName", m.metadata`

/** Not deleted, and of a kind that everybody sees, of a message 'm'. */
export const isSearched = sql`m.deleted_at is null and m.message_type not in (${trackingTypes})`

export interface SearchedRow extends Record<string, unknown> {
  id: number
  conversationId: number
  content: string
  fileName: string | null
  metadata: MessageMetadata
}

/** The texts that a message shows. */
export function textsOf({
  content,
  fileName,
  metadata,
}: Pick<SearchedRow, 'content' | 'fileName' | 'metadata'>): string[] {
  const { poll, location, contacts = [] } = metadata
  return [
    content,
    fileName,
    ...(poll?.options ?? []),
    location?.name,
    location?.address,
    ...contacts.flatMap(({ name, organization }) => [name, organization]),
  ].filter((text): text is string => typeof text === 'string' && text !== '')
}
