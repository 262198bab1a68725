import { sql } from 'drizzle-orm'
import { type Database, inTransaction, rows, type Tx } from '#server/platform/database/db.ts'
import { lockName, tryLockName } from '#server/platform/database/locks.ts'
import type { Log } from '#server/platform/log.ts'
import { createWorker, type Worker } from '#server/platform/work/worker.ts'
import { writeOpen } from './open-words.ts'
import { allWords, toParts } from './search-document.ts'
import { type Card, portions, readSearched } from './searched-messages.ts'
import { stemsOf } from './stems.ts'

/** Conversations that are indexed at once: few, since what comes meanwhile waits for the processor. */
const batchSize = 20
/**
 * Rows of `search_due` that are looked at for them: the newest, so that what is being said now is found soon
 * however much waits, as after a restore, and the oldest. There are often many for one conversation.
 */
const [newest, oldest] = [50, 2000]
/** Several messages that come within it are indexed together; found is wanted within five seconds. */
const pollMs = 2000
/** Only one process indexes at a time, so that nobody writes the words of an earlier moment. */
const lockedName = 'search-index'

/** Keeps the words of all conversations, in the background. */
export function startSearchIndex(database: Database, log: Log): Worker {
  return createWorker({
    name: 'search',
    database,
    log,
    pollMs,
    async work() {
      const began = performance.now()
      const hasMore = await indexSome(database, 'try')
      // Messages come first: while there is more, it rests as long as it worked.
      return hasMore ? performance.now() - began : 'idle'
    },
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
    const due = await rows<{ id: number; conversationId: number; messageId: number | null }>(
      db,
      sql`select id::float8 as id, conversation_id as "conversationId", message_id as "messageId" from (
            (select id, conversation_id, message_id from search_due order by id desc limit ${newest})
            union all
            (select id, conversation_id, message_id from search_due order by id limit ${oldest})) due`,
    )
    if (due.length === 0) return false
    // Of so many ids the planner reads the whole table rather than its index, dead rows and all.
    await db.execute(sql`select set_config('enable_seqscan', 'off', true)`)
    const byConversation = Map.groupBy(due, ({ conversationId }) => conversationId)
    const changed = new Map([...byConversation].slice(0, batchSize))
    const taken = [...changed.values()].flatMap((those) => those.map(({ id }) => id))
    await db.execute(sql`delete from search_due where id = any(${sql.param(taken)}::bigint[])`)
    // What was committed before the first statement is read by the next one.
    await writeWords(db, changed)
    return due.length > taken.length || due.length > oldest
  })
}

async function writeWords(
  db: Tx,
  changed: ReadonlyMap<number, readonly { messageId: number | null }[]>,
): Promise<void> {
  const ids = sql`${sql.param([...changed.keys()])}::int[]`
  // Whoever deletes a conversation locks it before its rows here, too. Open ones are left to those who work
  // on them: what they change meanwhile is due again.
  const completed = await rows<{ id: number }>(
    db,
    sql`select v.id from conversations v
         where v.id = any(${ids}) and v.status = 'completed'
           and v.pre_attendance_stage is distinct from 'waiting_option'
           and v.pre_attendance_stage is distinct from 'cancelled'
         order by v.id for key share of v`,
  )
  const locked = sql`${sql.param(completed.map(({ id }) => id))}::int[]`
  const cards = await rows<Card>(
    db,
    sql`select v.id, v.id = any(${locked}) as "isCompleted",
               array[c.name, k.name, v.protocol, v.notes] as texts, c.tags, v.message_count as "messageCount"
          from conversations v
          join contacts c on c.id = v.contact_id
          left join companies k on k.id = c.company_id
         where v.id = any(${locked}) or (v.id = any(${ids}) and v.status <> 'completed')
         order by v.id`,
  )
  await db.execute(sql`delete from conversation_search where conversation_id = any(${ids})`)
  for (const some of portions(cards.filter(({ isCompleted }) => isCompleted))) await writeCompleted(db, some)
  await writeOpen(
    db,
    cards.filter(({ isCompleted }) => !isCompleted),
    changed,
  )
}

async function writeCompleted(db: Tx, cards: readonly Card[]): Promise<void> {
  const searched = await readSearched(db, cards)
  const stems = await stemsOf(db, allWords(searched.values()))
  const parts = [...searched].flatMap(([conversationId, of]) =>
    toParts(of, stems).map((part, n) => ({ conversationId, part: n, ...part })),
  )
  await db.execute(
    sql`insert into conversation_search
          (conversation_id, part, completed_at, assigned_user_id, contact_id,
           first_message_id, last_message_id, words)
        select p."conversationId", p.part, v.completed_at, v.assigned_user_id, v.contact_id,
               p."firstMessageId", p."lastMessageId", p.words::tsvector
          from jsonb_to_recordset(${JSON.stringify(parts)}::jsonb) as p
                 ("conversationId" int, part smallint, "firstMessageId" int, "lastMessageId" int, words text)
          join conversations v on v.id = p."conversationId"
         where v.completed_at is not null`,
  )
}
