import { setImmediate } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { targetOf } from '#shared/sla/sla.ts'
import type { SystemSettings } from '#shared/settings/settings.ts'
import { isCountedHere, isReplyHere } from '#server/conversations/conversations.ts'
import { type Database, inTransaction, rows, type Tx } from '#server/platform/database/db.ts'
import { lockName, tryLockName } from '#server/platform/database/locks.ts'
import type { Log } from '#server/platform/log.ts'
import { createWorker, type Worker } from '#server/platform/work/worker.ts'
import { getSettings, settingsOfNumber } from '#server/settings/settings.ts'
import { type Clock, type Course, endClock, replyClock, type Span } from './clocks.ts'
import { seenNow } from './seen-now.ts'
import { listTargets } from './targets.ts'
import { tellNear } from './tell.ts'

/** Conversations whose clocks are computed at once. */
const batchSize = 200
const pollMs = 1000
/** How often all open ones are compared, though triggers name each that changes. */
const wholeEveryMs = 5 * 60_000
const lockedName = 'sla-clocks'

/** Keeps the clocks of conversations, and tells of those that are near their end. */
export function startSlaClocks(database: Database, log: Log): Worker {
  const keep = createClockKeeper(database)
  return createWorker({
    name: 'sla',
    database,
    log,
    pollMs,
    work: async () => ((await keep('try')) ? 'more' : 'idle'),
  })
}

/**
 * Computes anew the clocks of conversations of which something is other than when they were computed, and
 * tells of those that are near their end. Only one process does so at a time.
 * @returns a pass, which says whether there may be more
 */
export function createClockKeeper(database: Database): (lock: 'try' | 'wait') => Promise<boolean> {
  /** What all open ones were compared by last, and when; by other rules, or after a while, they are again. */
  let whole = { rules: '', atMs: -Infinity }
  return async (lock) => {
    const pass = await inTransaction(database, async (db): Promise<Pass> => {
      if (lock === 'wait') await lockName(db, lockedName)
      else if (!(await tryLockName(db, lockedName))) return { isMore: false }
      // Before the targets and the hours are read: what changes meanwhile is computed anew by the next pass.
      const [now] = await rows<{ rules: string }>(db, sql`select ${rules} as rules`)
      const rulesNow = now?.rules ?? ''
      const { targets } = await listTargets(db)
      if (targets.length === 0) return { isMore: await dropRunning(db), whole: '' }
      const isWhole = rulesNow !== whole.rules || performance.now() - whole.atMs > wholeEveryMs
      const named = isWhole ? undefined : await takeDue(db)
      const found = named?.length === 0 ? [] : await listDue(db, rulesNow, named)
      if (found.length > 0) await writeClocks(db, found, targets)
      const isMore = (named ?? found).length === batchSize
      return { isMore, ...(isWhole && !isMore && { whole: rulesNow }) }
    })
    if (pass.whole !== undefined) whole = { rules: pass.whole, atMs: performance.now() }
    await tellNear(database)
    return pass.isMore
  }
}

interface Pass {
  isMore: boolean
  /** By which rules all open ones are known to be compared now. */
  whole?: string
}

/** What triggers have named since. A change that is not committed yet is named when it is. */
async function takeDue(db: Tx): Promise<number[]> {
  const taken = await rows<{ id: number }>(
    db,
    // As an array, so that they are looked up, and not the whole table read beside them.
    sql`delete from sla_due where id = any(array(select id from sla_due order by id limit ${batchSize}))
        returning conversation_id as id`,
  )
  return taken.map(({ id }) => id)
}

/** Without targets nothing runs; what has ended stays. @returns whether there may be more */
async function dropRunning(db: Tx): Promise<boolean> {
  const isDue = (await takeDue(db)).length === batchSize
  const dropped = await rows<{ id: number }>(
    db,
    sql`delete from sla_clocks where conversation_id = any(array(
          select conversation_id from sla_clocks where not is_over limit ${batchSize}))
        returning conversation_id as id`,
  )
  for (const { id } of dropped) db.emit({ type: 'conversation_updated', conversationId: id })
  return isDue || dropped.length === batchSize
}

/** What all clocks depend on, in short: the targets, and whose hours there are. */
const hoursIn = (values: string) =>
  sql.raw(
    ['workingHours', 'lunchBreak', 'timezone', 'scheduleExceptions', 'phoneAnswersCount']
      .map((name) => `${values} -> '${name}'`)
      .join(', '),
  )
const rules = sql`(select md5(concat(
  (select jsonb_build_array(${hoursIn('s.values')})::text from system_settings s where s.id = 1),
  (select string_agg(jsonb_build_array(${hoursIn('g.own_settings')})::text, ' ' order by g.id)
     from evolution_api_config g),
  (select string_agg(jsonb_build_array(${hoursIn('z.own_settings')})::text, ' ' order by z.id)
     from sectors z),
  (select string_agg(concat_ws(' ', coalesce(p.sector_id, 0), coalesce(p.category_id, 0),
            coalesce(p.reply_minutes, 0), coalesce(p.end_minutes, 0)), ',' order by p.id)
     from sla_targets p))))`

interface Due extends Record<string, unknown> {
  id: number
  seen: string
}

/** @param named only these, of which something has changed; undefined: all of which something is other */
async function listDue(db: Tx, rulesNow: string, named?: readonly number[]): Promise<Due[]> {
  const isDue = named
    ? sql`v.id = any(${sql.param(named)}::int[])`
    : sql`s.seen is distinct from concat(${seenNow}, r.rules)`
  const isOver = named ? isDue : sql`true`
  return rows<Due>(
    db,
    sql`with r as (select ${rulesNow}::text as rules)
        (select v.id, concat(${seenNow}, r.rules) as seen
           from r, conversations v left join sla_clocks s on s.conversation_id = v.id
          where v.status <> 'completed' and not v.is_history and ${isDue}
          limit ${batchSize})
        union all
        (select v.id, concat(${seenNow}, r.rules) as seen
           from r, sla_clocks s join conversations v on v.id = s.conversation_id
          where not s.is_over and v.status = 'completed' and ${isOver}
          limit ${batchSize})
        limit ${batchSize}`,
  )
}

interface Row extends Record<string, unknown> {
  id: number
  instanceId: number
  sectorId: number | null
  categoryId: number | null
  startedAt: number
  completedAt: number | null
  isFromContact: boolean
  firstReplyAt: number | null
  turns: [at: number, isClient: boolean][] | null
  holds: Span[] | null
}

/** An instant in milliseconds, like a Date of JavaScript. */
const ms = (column: string) => sql.raw(`floor(extract(epoch from ${column}) * 1000)::float8`)

async function readCourses(db: Tx, ids: number[], phoneAnswersCount: boolean): Promise<Row[]> {
  const isReply = isReplyHere(phoneAnswersCount)
  const isClient = sql`(m.sender_type = 'contact' and ${isCountedHere}
    and m.metadata #>> '{call,outcome}' is distinct from 'answered')`
  return rows<Row>(
    db,
    sql`select v.id, v.instance_id as "instanceId", v.sector_id as "sectorId", c.id as "categoryId",
               ${ms('v.started_at')} as "startedAt", ${ms('v.completed_at')} as "completedAt",
               v.initiated_by = 'contact' as "isFromContact", r.at as "firstReplyAt", t.turns, h.holds
          from conversations v
          join contacts k on k.id = v.contact_id
          left join contact_categories c on lower(c.name) = lower(k.category)
          left join lateral (
            select ${ms('m.sort_at')} as at from messages m
             where m.conversation_id = v.id and m.sort_at >= v.started_at and ${isReply}
             order by m.sort_at, m.id limit 1) r on true
          left join lateral (
            select json_agg(json_build_array(${ms('s.sort_at')}, s.is_client)
                            order by s.sort_at, s.id) as turns
              from (select m.id, m.sort_at, ${isClient} as is_client,
                           lag(${isClient}) over (order by m.sort_at, m.id) as before
                      from messages m
                     where m.conversation_id = v.id and (${isClient} or ${isReply})) s
             where s.is_client is distinct from s.before) t on true
          left join lateral (
            select json_agg(json_build_object('from', ${ms('z.started_at')}, 'to', ${ms('z.ended_at')})
                            order by z.started_at) as holds
              from snoozes z where z.conversation_id = v.id) h on true
         where v.id = any(${sql.param(ids)}::int[])
         order by v.id`,
  )
}

/** When the client waited: from their first word of a turn until the answer. */
function waitsOf(turns: readonly [at: number, isClient: boolean][], startedAt: number): Span[] {
  const waits: Span[] = []
  for (const [n, [at, isClient]] of turns.entries()) {
    if (!isClient) continue
    const to = turns[n + 1]?.[0] ?? null
    if (to !== null && to <= startedAt) continue
    waits.push({ from: Math.max(at, startedAt), to })
  }
  return waits
}

async function writeClocks(
  db: Tx,
  due: readonly Due[],
  targets: Awaited<ReturnType<typeof listTargets>>['targets'],
): Promise<void> {
  const settings = await getSettings(db)
  const seen = new Map(due.map(({ id, seen: text }) => [id, text]))
  const found = await readCourses(db, [...seen.keys()], settings.phoneAnswersCount)
  const [now] = await rows<{ ms: number }>(db, sql`select ${ms('app_now()')} as ms`)
  const hoursOf = schedules(db)
  const computed = []
  for (const [n, row] of found.entries()) {
    // Requests are served in between.
    if (n % 10 === 9) await setImmediate()
    const { id, startedAt, completedAt, isFromContact, firstReplyAt, turns, holds } = row
    const course: Course = {
      startedAt,
      completedAt,
      isFromContact,
      firstReplyAt,
      waits: waitsOf(turns ?? [], startedAt),
      holds: holds ?? [],
    }
    const schedule = await hoursOf(row.instanceId, row.sectorId)
    const [reply, end] = [targetOf(targets, 'reply', row), targetOf(targets, 'end', row)]
    const at = now?.ms ?? startedAt
    computed.push({
      id,
      seen: seen.get(id),
      isOver: completedAt !== null,
      ...columns('reply', reply === null ? undefined : replyClock(course, reply * 60_000, schedule, at)),
      ...columns('end', end === null ? undefined : endClock(course, end * 60_000, schedule, at)),
    })
  }
  const changed = await rows<{ id: number }>(
    db,
    sql`with w as (select * from jsonb_to_recordset(${JSON.stringify(computed)}::jsonb) as w
            (id int, seen text, "isOver" bool, "replyTarget" bigint, "replyRun" bigint, "replyDue" float8,
             "replyNear" float8, "replyKept" bool, "endTarget" bigint, "endRun" bigint, "endDue" float8,
             "endNear" float8, "endKept" bool)),
          before as (select s.* from sla_clocks s join w on w.id = s.conversation_id),
          written as (
            insert into sla_clocks as s (conversation_id, seen, is_over, reply_target_ms, reply_run_ms,
                   reply_due_at, reply_near_at, reply_kept, end_target_ms, end_run_ms, end_due_at,
                   end_near_at, end_kept)
            select id, seen, "isOver", "replyTarget", "replyRun", to_timestamp("replyDue" / 1000),
                   to_timestamp("replyNear" / 1000), "replyKept", "endTarget", "endRun",
                   to_timestamp("endDue" / 1000), to_timestamp("endNear" / 1000), "endKept" from w
             where exists (select from conversations v where v.id = w.id)
            on conflict (conversation_id) do update
               set seen = excluded.seen, is_over = excluded.is_over,
                   reply_target_ms = excluded.reply_target_ms, reply_run_ms = excluded.reply_run_ms,
                   reply_due_at = excluded.reply_due_at, reply_near_at = excluded.reply_near_at,
                   reply_kept = excluded.reply_kept, end_target_ms = excluded.end_target_ms,
                   end_run_ms = excluded.end_run_ms, end_due_at = excluded.end_due_at,
                   end_near_at = excluded.end_near_at, end_kept = excluded.end_kept
            returning s.*)
        select n.conversation_id as id from written n left join before b using (conversation_id)
         where (n.reply_due_at, n.reply_kept, n.end_due_at, n.end_kept, n.is_over)
               is distinct from (b.reply_due_at, b.reply_kept, b.end_due_at, b.end_kept, b.is_over)
           and num_nonnulls(n.reply_due_at, b.reply_due_at, n.end_due_at, b.end_due_at) > 0`,
  )
  for (const { id } of changed) db.emit({ type: 'conversation_updated', conversationId: id })
}

const columns = <Name extends string>(name: Name, clock: Clock | undefined) => ({
  [`${name}Target`]: clock?.targetMs ?? null,
  [`${name}Run`]: clock && Math.round(clock.runMs),
  [`${name}Due`]: clock?.dueAt ?? null,
  [`${name}Near`]: clock?.nearAt ?? null,
  [`${name}Kept`]: clock?.isKept ?? null,
})

/** Whose hours count for a conversation, read once for each sector of a number. */
function schedules(db: Tx): (instanceId: number, sectorId: number | null) => Promise<SystemSettings> {
  const known = new Map<string, SystemSettings>()
  return async (instanceId, sectorId) => {
    const key = `${instanceId} ${sectorId}`
    const settings = known.get(key) ?? (await settingsOfNumber(db, instanceId, sectorId))
    known.set(key, settings)
    return settings
  }
}
