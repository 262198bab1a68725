import { isDeepStrictEqual } from 'node:util'
import { asc, eq, sql } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import { fold } from '#shared/text/fold.ts'
import {
  type ChosenPresence,
  pauseLimits,
  type PauseReason,
  type PauseReasonChange,
  type PauseReasonForm,
} from '#shared/workday/pauses.ts'
import { record } from '#server/audit/audit.ts'
import { type Db, rows, type Tx } from '#server/platform/database/db.ts'
import { lockName } from '#server/platform/database/locks.ts'
import { confirmRights, type Who } from '#server/platform/http/access.ts'
import { noteInput } from '#server/platform/live/presence.ts'
import { pauseReasons } from '#server/schema/workday/pause-reasons.ts'
import { setChosenPresence } from '#server/users/users.ts'
import { lockRecord, recordPresence } from './recorder.ts'

type ReasonRow = typeof pauseReasons.$inferSelect

const isUsed = sql<boolean>`(
  exists (select from work_periods w where w.reason_id = pause_reasons.id)
  or exists (select from work_corrections c where c.reason_id = pause_reasons.id)
  or exists (select from users u where u.pause_reason_id = pause_reasons.id))`

/** All of them, in their order. */
export async function listReasons(db: Db): Promise<PauseReason[]> {
  const { id, name, icon, color, limitMinutes, countsAsWork, isActive, version } = pauseReasons
  return db
    .select({ id, name, icon, color, limitMinutes, countsAsWork, isActive, version, isUsed })
    .from(pauseReasons)
    .orderBy(asc(pauseReasons.place), asc(pauseReasons.id))
}

/** @throws AppError 409 for a name that another one has, and when there are too many */
export async function addReasons(db: Tx, who: Who, forms: readonly PauseReasonForm[]): Promise<number[]> {
  await lockName(db, 'pause-reasons')
  await confirmRights(who, db)
  const before = await listReasons(db)
  if (before.length + forms.length > pauseLimits.reasons)
    throw new AppError('pauses.too_many', { values: { most: String(pauseLimits.reasons) } })
  for (const [n, { name }] of forms.entries()) expectFreeName([...before, ...forms.slice(0, n)], name)
  const made = await db
    .insert(pauseReasons)
    .values(
      forms.map((form, n) => ({
        ...form,
        color: form.color.toLowerCase(),
        place: sql<number>`(select coalesce(max(place), 0) from pause_reasons) + ${n + 1}::int`,
      })),
    )
    .returning({ id: pauseReasons.id })
  const ids = made.map(({ id }) => id)
  const details = { names: forms.map(({ name }) => name) }
  await record(db, who, { action: 'pause.create', ...(ids.length === 1 && { resourceId: ids[0] }), details })
  db.emit({ type: 'pauses_changed' })
  return ids
}

/**
 * Changes the given fields of a reason. Whoever is in such a pause has the new limit at once; pauses of
 * before keep theirs.
 * @throws AppError 404, 409 when somebody has changed it after the version, or another one has the name
 */
export async function changeReason(
  db: Tx,
  who: Who,
  id: number,
  { version, ...change }: PauseReasonChange,
): Promise<void> {
  await lockName(db, 'pause-reasons')
  await lockRecord(db)
  await confirmRights(who, db)
  const before = await lockReason(db, id)
  if (version !== undefined && version !== before.version) throw new AppError('pauses.changed')
  if (change.name !== undefined) expectFreeName(await listReasons(db), change.name, id)
  const wanted: Partial<ReasonRow> = Object.fromEntries(
    Object.entries({ ...change, color: change.color?.toLowerCase() }).filter(
      ([, value]) => value !== undefined,
    ),
  )
  const names = (Object.keys(wanted) as (keyof ReasonRow)[]).filter((name) => wanted[name] !== before[name])
  if (names.length === 0) return
  await db
    .update(pauseReasons)
    .set({ ...wanted, version: sql`${pauseReasons.version} + 1`, updatedAt: sql`app_now()` })
    .where(eq(pauseReasons.id, id))
  await db.execute(
    sql`update work_periods w set limit_minutes = r.limit_minutes, counts_as_work = r.counts_as_work
          from pause_reasons r where r.id = ${id} and w.reason_id = r.id and w.ended_at is null`,
  )
  await record(db, who, {
    action: 'pause.change',
    resourceId: id,
    details: {
      name: wanted.name ?? before.name,
      names,
      changes: Object.fromEntries(names.map((name) => [name, [before[name], wanted[name]] as const])),
    },
  })
  db.emit({ type: 'pauses_changed' })
}

/** @throws AppError 409 when there are others */
export async function orderReasons(db: Tx, who: Who, ids: readonly number[]): Promise<void> {
  await lockName(db, 'pause-reasons')
  await confirmRights(who, db)
  const before = (await listReasons(db)).map(({ id }) => id)
  const inOrder = (some: readonly number[]) => some.toSorted((a, b) => a - b)
  if (!isDeepStrictEqual(inOrder(ids), inOrder(before))) throw new AppError('pauses.order_changed')
  if (isDeepStrictEqual(ids, before)) return
  await db.execute(
    sql`update pause_reasons r set place = o.place, updated_at = app_now()
          from unnest(${sql.param(ids)}::int[]) with ordinality o(id, place)
         where r.id = o.id and r.place <> o.place`,
  )
  await record(db, who, { action: 'pause.order', details: { ids: [...ids] } })
  db.emit({ type: 'pauses_changed' })
}

/** @throws AppError 404, 409 for one that anybody has paused for */
export async function deleteReason(db: Tx, who: Who, id: number): Promise<void> {
  await lockName(db, 'pause-reasons')
  await confirmRights(who, db)
  const { name } = await lockReason(db, id)
  const found = (await listReasons(db)).find((one) => one.id === id)
  if (found?.isUsed) throw new AppError('pauses.used')
  await db.delete(pauseReasons).where(eq(pauseReasons.id, id))
  await record(db, who, { action: 'pause.delete', resourceId: id, details: { name } })
  db.emit({ type: 'pauses_changed' })
}

/**
 * What a person is from now on. A pause that is chosen again goes on.
 * @param device the User-Agent
 * @throws AppError 422 for a reason that is gone or inactive
 */
export async function choosePresence(
  db: Tx,
  userId: number,
  chosen: ChosenPresence,
  device: string,
): Promise<void> {
  await lockRecord(db)
  if (chosen.state === 'paused') {
    // Shared, so that it does not end meanwhile.
    const [reason] = await rows<{ isOffered: boolean }>(
      db,
      sql`select r.is_active or exists (select from users u
                                         where u.id = ${userId} and u.pause_reason_id = r.id) as "isOffered"
                 from pause_reasons r where r.id = ${chosen.reasonId} for key share`,
    )
    if (!reason?.isOffered) throw new AppError('pauses.unknown')
  }
  await setChosenPresence(db, userId, chosen.state, chosen.state === 'paused' ? chosen.reasonId : null)
  // Who says what they are is there.
  await noteInput(db, userId)
  // Also where no socket is open yet, so that this is not taken for what they were on another day.
  await db.execute(
    sql`update work_periods set input_at = app_now()
         where id = (select id from work_periods where user_id = ${userId} order by started_at desc limit 1)`,
  )
  await recordPresence(db, { userId, device })
}

async function lockReason(db: Tx, id: number): Promise<ReasonRow> {
  const [found] = await db.select().from(pauseReasons).where(eq(pauseReasons.id, id)).for('update')
  if (!found) throw new AppError('pauses.not_found')
  return found
}

function expectFreeName(all: readonly { id?: number; name: string }[], name: string, ownId?: number): void {
  const taken = all.find((one) => (ownId === undefined || one.id !== ownId) && fold(one.name) === fold(name))
  if (taken) throw new AppError('pauses.duplicate', { values: { name: taken.name } })
}
