import { eq, sql } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import { workStateNames } from '#shared/text/reports/timesheet-texts.ts'
import type { WorkCorrection } from '#shared/workday/timesheets.ts'
import type { WorkState } from '#shared/workday/work-states.ts'
import { record } from '#server/audit/audit.ts'
import { rows, type Tx } from '#server/platform/database/db.ts'
import { confirmRights, type Who } from '#server/platform/http/access.ts'
import { pauseReasons } from '#server/schema/workday/pause-reasons.ts'
import { workCorrections } from '#server/schema/workday/work-periods.ts'

interface Known extends Record<string, unknown> {
  userId: number
  state: WorkState
  reasonId: number | null
  reasonName: string | null
  startedAt: string
  endedAt: string | null
}

/**
 * Says what an ended period was. It stays as it was written, and what was said before of it, too.
 * @returns the correction's id
 * @throws AppError 404, 409 for one that goes on, 403 for one's own, 422 for a reason that is
 *   gone, or no other state than it has
 */
export async function correctPeriod(db: Tx, who: Who, id: number, form: WorkCorrection): Promise<number> {
  const [period] = await rows<Known>(
    db,
    sql`select w.user_id as "userId", coalesce(k.state, w.state) as state, r.id as "reasonId",
               r.name as "reasonName", w.started_at::text as "startedAt", w.ended_at::text as "endedAt"
          from (select * from work_periods where id = ${id} for update) w
          left join lateral (select * from work_corrections k where k.period_id = w.id
                              order by k.id desc limit 1) k on true
          left join pause_reasons r
            on r.id = case when k.id is not null then k.reason_id else w.reason_id end`,
  )
  await confirmRights(who, db)
  if (!period) throw new AppError('timesheets.not_found')
  if (period.userId === who.id) throw new AppError('timesheets.own')
  if (period.endedAt === null) throw new AppError('timesheets.under_way')
  const reasonId = form.state === 'paused' ? form.reasonId : null
  const [reason] =
    reasonId === null ? [] : await db.select().from(pauseReasons).where(eq(pauseReasons.id, reasonId))
  if (reasonId !== null && !reason) throw new AppError('pauses.unknown')
  if (form.state === period.state && reasonId === period.reasonId) throw new AppError('timesheets.no_change')
  const [made] = await db
    .insert(workCorrections)
    .values({
      periodId: id,
      state: form.state,
      reasonId,
      limitMinutes: reason?.limitMinutes ?? null,
      countsAsWork: reason?.countsAsWork ?? false,
      why: form.why,
      byUserId: who.id,
    })
    .returning({ id: workCorrections.id })
  if (!made) throw new Error('correction not written')
  await record(db, who, {
    action: 'timesheet.correct',
    resourceId: id,
    details: {
      userId: period.userId,
      startedAt: new Date(period.startedAt).toISOString(),
      endedAt: new Date(period.endedAt).toISOString(),
      from: period.reasonName ?? workStateNames[period.state],
      to: reason?.name ?? workStateNames[form.state],
      why: form.why,
    },
  })
  return made.id
}
