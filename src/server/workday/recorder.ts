import { inArray, type SQL, sql } from 'drizzle-orm'
import { type Database, type Db, inTransaction, rows, type Tx } from '#server/platform/database/db.ts'
import { lockName } from '#server/platform/database/locks.ts'
import { idleAfterMs, isConnected } from '#server/platform/live/presence.ts'
import type { Log } from '#server/platform/log.ts'
import { createWorker, type Worker } from '#server/platform/work/worker.ts'
import { workPeriods } from '#server/schema/workday/work-periods.ts'
import { advance, type Chosen, type Period, type Seen } from './advance.ts'
import { beginDays } from './new-day.ts'

const everyMs = 30_000

/** Keeps the record of working days: whenever somebody comes, goes or changes, and by time. */
export const startWorkRecorder = (database: Database, log: Log): Worker =>
  createWorker({
    name: 'work-recorder',
    database,
    log,
    channel: 'presence',
    pollMs: everyMs,
    async work() {
      const { lookInMs, hasBegun } = await inTransaction(database, (db) => recordPresence(db))
      // Colleagues, and they themselves, are shown what they are now.
      if (hasBegun) database.signals.send('presence')
      return lookInMs
    },
  })

interface SeenRow extends Record<string, unknown>, Chosen {
  userId: number
  spans: Seen['spans']
  inputAt: number | null
  isIdle: boolean
  device: string
}

/** Whole seconds since 1970 in the product's clock, of a time of now(). */
const inAppTime = (time: SQL) => sql`floor(extract(epoch from ${time} + (app_now() - now())))::float8`

/** One at a time: each goes on where the other ended. Before any lock of a reason, to which periods refer. */
export const lockRecord = (db: Tx): Promise<void> => lockName(db, 'work-periods')

/**
 * Writes down what everybody is, and was since the last time.
 * @param by who has just changed what they are, by which device; absent: nobody
 * @returns in how many milliseconds to look again: when the next one may be idle, or the poll is due; and
 *   whether the day of somebody has begun with another presence than they had
 */
export async function recordPresence(
  db: Tx,
  by?: { userId: number; device: string },
): Promise<{ lookInMs: number; hasBegun: boolean }> {
  await lockRecord(db)
  const ofOne = by ? sql`and u.id = ${by.userId}` : sql``
  const idleSeconds = idleAfterMs / 1000
  const seen = await rows<SeenRow>(
    db,
    sql`select u.id as "userId",
               case when u.pause_reason_id is not null then 'paused' when u.is_away then 'away'
                    else 'available' end as state,
               r.id as "reasonId", floor(extract(epoch from u.paused_at))::float8 as "pausedAt",
               r.limit_minutes as "limitMinutes", coalesce(r.counts_as_work, false) as "countsAsWork",
               h.input as "inputAt",
               coalesce(h.input <= ${inAppTime(sql`now()`)} - ${idleSeconds}, false) as "isIdle",
               coalesce(h.spans, '[]') as spans, coalesce(h.device, '') as device
          from users u
          left join pause_reasons r on r.id = u.pause_reason_id
          left join lateral (
            select json_agg(json_build_object(
                     'from', ${inAppTime(sql`least(p.connected_at, now())`)},
                     'to', ${inAppTime(sql`least(case when ${isConnected} then now()
                                             else coalesce(p.left_at, p.heartbeat_at) end, now())`)},
                     'isOpen', ${isConnected})) as spans,
                   max(${inAppTime(sql`least(p.last_input_at, now())`)}) as input,
                   (array_agg(s.user_agent order by ${isConnected} desc, p.last_input_at desc))[1] as device
              from presence p left join sessions s on s.id = p.session_id
             where p.user_id = u.id) h on true
         where (h.spans is not null or exists (select from work_periods w
                                               where w.user_id = u.id and w.ended_at is null)) ${ofOne}`,
  )
  if (seen.length === 0) return { lookInMs: everyMs, hasBegun: false }
  const ids = seen.map(({ userId }) => userId)
  const [open, ends, [clock]] = await Promise.all([
    findOpen(db, ids),
    rows<{ userId: number; end: number; lastInput: number }>(
      db,
      // They do not overlap, so the last that began is the last that ended.
      sql`select u.id as "userId", floor(extract(epoch from w.ended_at))::float8 as end,
                 floor(extract(epoch from coalesce(w.input_at, w.ended_at)))::float8 as "lastInput"
            from unnest(${sql.param(ids)}::int[]) as u (id)
           cross join lateral (select ended_at, input_at from work_periods
                                where user_id = u.id and ended_at is not null
                                order by started_at desc limit 1) w`,
    ),
    rows<{ now: number }>(db, sql`select ${inAppTime(sql`now()`)} as now`),
  ])
  if (!clock) throw new Error('the database has no clock')
  const [openOf, endOf] = [
    new Map(open.map(({ userId, ...period }) => [userId, period])),
    new Map(ends.map((one) => [one.userId, one])),
  ]
  // Who says what they are has been there.
  const comers = seen.flatMap(({ userId, spans, inputAt, isIdle: _idle, device: _device, ...chosen }) => {
    if (by || inputAt === null || !spans.some(({ isOpen }) => isOpen)) return []
    const before = openOf.get(userId)
    const last = before ? (before.inputAt ?? before.seenAt) : endOf.get(userId)?.lastInput
    return [{ userId, chosen, last, input: inputAt }]
  })
  const begun = await beginDays(db, comers)
  const written = seen.flatMap(({ userId, spans, inputAt, isIdle, device, ...chosen }) => {
    const before = openOf.get(userId)
    const after = advance(
      before,
      endOf.get(userId)?.end,
      {
        spans,
        chosen: begun.get(userId) ?? chosen,
        idleSince: isIdle && inputAt !== null ? inputAt + idleSeconds : undefined,
        inputAt: inputAt ?? undefined,
        device: by?.device ?? device,
      },
      clock.now,
    )
    const lastInput = Math.max(inputAt ?? 0, before?.inputAt ?? 0) || null
    return after.map((period) => ({ userId, ...period, inputAt: lastInput }))
  })
  await write(db, written)
  const untilIdle = seen.flatMap(({ inputAt, isIdle }) =>
    inputAt === null || isIdle ? [] : inputAt + idleSeconds - clock.now,
  )
  const lookInMs = Math.min(everyMs, ...untilIdle.map((seconds) => Math.max(1, seconds) * 1000))
  return { lookInMs, hasBegun: begun.size > 0 }
}

/** A row: beside the period, the last input that is known. */
interface Row extends Period {
  userId: number
  inputAt: number | null
}

interface OpenRow extends Record<string, unknown>, Row {}

function findOpen(db: Db, userIds: number[]): Promise<OpenRow[]> {
  const seconds = (column: SQL) => sql`extract(epoch from ${column})::float8`
  return rows<OpenRow>(
    db,
    sql`select id, user_id as "userId", state, reason_id as "reasonId",
               ${seconds(sql`paused_at`)} as "pausedAt",
               limit_minutes as "limitMinutes", counts_as_work as "countsAsWork",
               ${seconds(sql`started_at`)} as "startedAt", null as "endedAt",
               ${seconds(sql`seen_at`)} as "seenAt", ${seconds(sql`input_at`)} as "inputAt",
               losses, device
          from work_periods where ended_at is null and user_id = any(${sql.param(userIds)}::int[])`,
  )
}

/** Those of a person come in their order, and all but the last have ended. */
async function write(db: Tx, periods: Row[]): Promise<void> {
  const isKept = ({ startedAt, endedAt }: Period) => endedAt === null || endedAt > startedAt
  const isWritten = (period: Period) => period.id !== undefined
  const gone = periods.flatMap((period) => (isKept(period) ? [] : (period.id ?? [])))
  if (gone.length > 0) await db.delete(workPeriods).where(inArray(workPeriods.id, gone))
  const kept = periods.filter(isKept)
  const changed = kept.filter(isWritten)
  if (changed.length > 0)
    await db.execute(
      sql`update work_periods w set seen_at = to_timestamp(p."seenAt"), ended_at = to_timestamp(p."endedAt"),
                 losses = p.losses, input_at = to_timestamp(p."inputAt")
            from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb)
                   as p (id int, "seenAt" float8, "endedAt" float8, losses int, "inputAt" float8)
           where w.id = p.id`,
    )
  const added = kept.filter((period) => !isWritten(period))
  if (added.length > 0)
    await db.insert(workPeriods).values(
      added.map(({ id: _new, pausedAt, startedAt, endedAt, seenAt, inputAt, ...period }) => ({
        ...period,
        pausedAt: dateOf(pausedAt),
        startedAt: new Date(startedAt * 1000),
        endedAt: dateOf(endedAt),
        seenAt: new Date(seenAt * 1000),
        inputAt: dateOf(inputAt),
      })),
    )
}

const dateOf = (seconds: number | null) => (seconds === null ? null : new Date(seconds * 1000))
