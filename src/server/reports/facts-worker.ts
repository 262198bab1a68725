import { sql } from 'drizzle-orm'
import type { ConversationAct } from '#shared/messages/message-metadata.ts'
import { isReplyHere } from '#server/conversations/conversations.ts'
import { type Database, type Db, inTransaction, rows, type Tx } from '#server/platform/database/db.ts'
import { lockName, tryLockName } from '#server/platform/database/locks.ts'
import type { Log } from '#server/platform/log.ts'
import { createWorker, type Worker } from '#server/platform/work/worker.ts'
import { getSettings } from '#server/settings/settings.ts'
import { factsOf, type History } from './facts.ts'
import { openTime } from './open-time.ts'

/** Conversations whose facts are computed at once. */
const batchSize = 500
const pollMs = 1000
/** Only one process computes at a time, so that nobody writes the facts of an earlier moment. */
const lockedName = 'conversation-facts'

/** Keeps the facts of the reports, in the background. */
export function startFacts(database: Database, log: Log): Worker {
  return createWorker({
    name: 'facts',
    database,
    log,
    pollMs,
    work: async () => ((await computeSome(database, 'try')) ? 'more' : 'idle'),
  })
}

/** Brings the facts up to date with all that is committed. */
export async function computeFacts(database: Database): Promise<void> {
  while (await computeSome(database, 'wait'));
}

/** @returns whether there may be more */
async function computeSome(database: Database, lock: 'try' | 'wait'): Promise<boolean> {
  return inTransaction(database, async (db) => {
    if (lock === 'wait') await lockName(db, lockedName)
    else if (!(await tryLockName(db, lockedName))) return false
    const due = await rows<{ conversationId: number | null }>(
      db,
      // As an array, so that they are looked up, and not the whole table read beside them.
      sql`delete from facts_due
           where id = any(array(select id from facts_due order by id limit ${batchSize}))
          returning conversation_id as "conversationId"`,
    )
    if (due.length === 0) return false
    if (due.some(({ conversationId }) => conversationId === null))
      await db.execute(sql`insert into facts_due (conversation_id) select id from conversations order by id`)
    // What was committed before this statement is read by the next one.
    const ids = new Set(due.flatMap(({ conversationId }) => conversationId ?? []))
    if (ids.size > 0) await writeFacts(db, [...ids])
    return true
  })
}

/** Conversations that reports count, of a conversation 'v'. */
export const isReported = sql`not v.is_history
  and v.pre_attendance_stage is distinct from 'waiting_option'
  and v.pre_attendance_stage is distinct from 'cancelled'`

/** An instant in milliseconds, like a Date of JavaScript. */
const ms = (column: string) => sql.raw(`floor(extract(epoch from ${column}) * 1000)::float8`)

interface Row extends Record<string, unknown> {
  id: number
  startedAt: number
  completedAt: number | null
  initiatedBy: History['initiatedBy']
  replyAt: number | null
  replyId: number | null
  events: [at: number, id: number, act: ConversationAct][] | null
  holds: History['holds'] | null
}

async function readHistories(db: Db, ids: number[], phoneAnswersCount: boolean): Promise<Row[]> {
  return rows<Row>(
    db,
    sql`select v.id, ${ms('v.started_at')} as "startedAt", ${ms('v.completed_at')} as "completedAt",
               v.initiated_by as "initiatedBy", ${ms('r.sort_at')} as "replyAt", r.id as "replyId",
               e.events, h.holds
          from conversations v
          left join lateral (
            select m.id, m.sort_at from messages m
             where m.conversation_id = v.id and m.sort_at >= v.started_at
               and ${isReplyHere(phoneAnswersCount)}
             order by m.sort_at, m.id limit 1) r on true
          left join lateral (
            select json_agg(json_build_array(${ms('m.sort_at')}, m.id, m.metadata #>> '{event,act}')
                            order by m.sort_at, m.id) as events
              from messages m where m.conversation_id = v.id and m.message_type = 'event') e on true
          left join lateral (
            select json_agg(json_build_object('from', ${ms('z.started_at')}, 'to', ${ms('z.ended_at')})
                            order by z.started_at) as holds
              from snoozes z where z.conversation_id = v.id) h on true
         where v.id = any(${sql.param(ids)}::int[]) and ${isReported}
         order by v.id
           -- Before its rows here: whoever deletes a conversation locks it first, too.
           for key share of v`,
  )
}

async function writeFacts(db: Tx, ids: number[]): Promise<void> {
  const settings = await getSettings(db)
  const found = await readHistories(db, ids, settings.phoneAnswersCount)
  await db.execute(sql`delete from conversation_facts where conversation_id = any(${sql.param(ids)}::int[])`)
  if (found.length === 0) return
  const instants = found.flatMap(({ startedAt, completedAt, replyAt, events }) =>
    [startedAt, completedAt, replyAt, ...(events ?? []).map(([at]) => at)].filter((at) => at !== null),
  )
  const open = openTime(
    settings,
    instants.reduce((a, b) => Math.min(a, b)),
    instants.reduce((a, b) => Math.max(a, b)),
  )
  const facts = found.map(({ id, replyAt, replyId, events, holds, ...row }) => {
    const firstReply = replyAt === null || replyId === null ? null : { at: replyAt, id: replyId }
    const told = (events ?? []).map(([at, n, act]) => ({ at, id: n, act }))
    const history = { ...row, firstReply, events: told, holds: holds ?? [] }
    return { id, replyAt, ...factsOf(history, open) }
  })
  await db.execute(
    sql`insert into conversation_facts
          (conversation_id, started_at, first_reply_at, first_reply_ms, open_first_reply_ms,
           queue_ms, open_queue_ms, handling_ms, open_handling_ms, ended_by)
        select v.id, v.started_at, to_timestamp(f."replyAt" / 1000), f."firstReplyMs",
               f."openFirstReplyMs", f."queueMs", f."openQueueMs", f."handlingMs", f."openHandlingMs",
               f."endedBy"
          from jsonb_to_recordset(${JSON.stringify(facts)}::jsonb) as f
                 (id int, "replyAt" float8, "firstReplyMs" bigint, "openFirstReplyMs" bigint,
                  "queueMs" bigint, "openQueueMs" bigint, "handlingMs" bigint, "openHandlingMs" bigint,
                  "endedBy" text)
          join conversations v on v.id = f.id`,
  )
}
