import { isDeepStrictEqual } from 'node:util'
import { eq, sql } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import { fold } from '#shared/text/fold.ts'
import { type NewSector, type SectorChange, sectorLimits } from '#shared/sectors/managed-sectors.ts'
import type { SectorSettings } from '#shared/settings/own-settings.ts'
import { neverOpens } from '#shared/settings/working-hours.ts'
import { record } from '#server/audit/audit.ts'
import { type Db, rows, type Tx } from '#server/platform/database/db.ts'
import { lockName } from '#server/platform/database/locks.ts'
import { confirmRights, type Who } from '#server/platform/http/access.ts'
import { sectorPeople, sectors } from '#server/schema/sectors/sectors.ts'
import { getSettings } from '#server/settings/settings.ts'
import { isLiving, listSectorRows, lockSector, type SectorRow } from './queries.ts'

type Person = NonNullable<SectorChange['people']>[number]

/** Lets the new conversations of these numbers go to a sector, and of no others. @throws AppError 404, 422 */
export type TakeNumbers = (db: Tx, who: Who, numberIds: readonly number[], sectorId: number) => Promise<void>

export const sectorNotFound = () => new AppError('sectors.not_found')

/** @throws AppError 409 for a name that another one has, 422 for people or numbers that are gone */
export async function addSector(db: Tx, who: Who, form: Omit<NewSector, 'defaultOf'>): Promise<number> {
  const { name, color, description = '', numberIds = null, people = [] } = form
  await lockName(db, 'sectors')
  await confirmRights(who, db)
  await expectFreeName(db, name)
  await expectRoom(db)
  await expectNumbers(db, numberIds)
  const [made] = await db
    .insert(sectors)
    .values({
      name,
      color: color.toLowerCase(),
      description,
      numberIds: inOrder(numberIds),
      place: sql`(select coalesce(max(place), 0) + 1 from sectors)`,
    })
    .returning({ id: sectors.id })
  if (!made) throw new Error('sector not written')
  await record(db, who, { action: 'sector.create', resourceId: made.id, details: { name } })
  await setPeople(db, who, { id: made.id, name }, people)
  db.emit({ type: 'sectors_changed' })
  return made.id
}

/**
 * Changes the given fields of a sector.
 * @returns the sector before and after
 * @throws AppError 404, 409 when somebody has changed it after the version or another one has the name, 422
 *   for people or numbers that are gone, or hours in which it would never be open
 */
export async function changeSector(
  db: Tx,
  who: Who,
  id: number,
  { version, people, own, defaultOf, ...change }: SectorChange,
  takeNumbers: TakeNumbers,
): Promise<{ before: SectorRow; after: SectorRow }> {
  if (change.name !== undefined) await lockName(db, 'sectors')
  const before = await lockSector(db, id)
  await confirmRights(who, db)
  if (!before) throw sectorNotFound()
  if (version !== undefined && version !== before.version) throw new AppError('sectors.changed')
  if (change.name !== undefined) await expectFreeName(db, change.name, id)
  await expectNumbers(db, change.numberIds, before.numberIds)
  const wanted: Partial<SectorRow> = {
    ...given(change),
    ...(change.color !== undefined && { color: change.color.toLowerCase() }),
    ...(change.numberIds !== undefined && { numberIds: inOrder(change.numberIds) }),
    ...(own && { ownSettings: ownAfter(before.ownSettings, own) }),
  }
  const changes = changesOf(before, wanted)
  const names = Object.keys(changes)
  const arePeopleOthers = people !== undefined && (await setPeople(db, who, before, people))
  if (names.length === 0 && !arePeopleOthers && !defaultOf) return { before, after: before }
  const [after] = await db
    .update(sectors)
    .set({ ...wanted, version: sql`${sectors.version} + 1`, updatedAt: sql`app_now()` })
    .where(eq(sectors.id, id))
    .returning()
  if (!after) throw new Error('sector not written')
  if (defaultOf) await takeNumbers(db, who, defaultOf, id)
  if ('workingHours' in changes || 'lunchBreak' in changes)
    if (neverOpens({ ...(await getSettings(db)), ...after.ownSettings }))
      throw new AppError('settings.never_opens')
  if (names.length > 0) {
    const details = { name: after.name, names, changes }
    await record(db, who, { action: 'sector.change', resourceId: id, details })
  }
  db.emit({ type: 'sectors_changed' })
  return { before, after }
}

/** @throws AppError 409 when there are others */
export async function setOrder(db: Tx, who: Who, ids: readonly number[]): Promise<void> {
  await lockName(db, 'sectors')
  await confirmRights(who, db)
  const living = await listSectorRows(db, isLiving)
  if (!isDeepStrictEqual(sorted(ids), sorted(living.map(({ id }) => id))))
    throw new AppError('sectors.order_changed')
  if (living.every(({ id }, index) => ids[index] === id)) return
  await db.execute(
    sql`update sectors s set place = o.place, updated_at = app_now()
          from unnest(${sql.param(ids)}::int[]) with ordinality o(id, place)
         where s.id = o.id and s.place <> o.place`,
  )
  await record(db, who, { action: 'sector.order', details: { ids: [...ids] } })
  db.emit({ type: 'sectors_changed' })
}

/**
 * Ends a sector whose conversations, contacts and numbers were moved.
 * @param moved where they went, and how many
 */
export async function endSector(
  db: Tx,
  who: Who,
  { id, name }: SectorRow,
  moved: { targetId: number | null; conversations: number; contacts: number; quickReplies: number },
): Promise<void> {
  await setPeople(db, who, { id, name }, [])
  await db.delete(sectorPeople).where(eq(sectorPeople.sectorId, id))
  await db
    .update(sectors)
    .set({ deletedAt: sql`app_now()`, isActive: false, ownSettings: {}, version: sql`version + 1` })
    .where(eq(sectors.id, id))
  await record(db, who, { action: 'sector.delete', resourceId: id, details: { name, ...moved } })
  db.emit({ type: 'sectors_changed' })
}

/**
 * Puts these people in place of those of before, who learn of it at once.
 * @returns whether they are others
 */
async function setPeople(
  db: Tx,
  who: Who,
  { id, name }: Pick<SectorRow, 'id' | 'name'>,
  wanted: readonly Person[],
): Promise<boolean> {
  const before = new Map((await listMembers(db, id)).map((row) => [row.userId, row]))
  const after = new Map(wanted.map((person) => [person.userId, person.isLead]))
  const added = [...after.keys()].filter((userId) => !before.has(userId))
  const removed = [...before.values()].flatMap(({ userId, isShown }) =>
    isShown && !after.has(userId) ? userId : [],
  )
  const others = [...after].filter(([userId, isLead]) => before.get(userId)?.isLead === !isLead)
  const affected = [...added, ...removed, ...others.map(([userId]) => userId)]
  if (affected.length === 0) return false
  await expectPeople(db, added)
  if (removed.length > 0)
    await db.execute(
      sql`delete from sector_people where sector_id = ${id} and user_id = any(${sql.param(removed)}::int[])`,
    )
  const kept = [...after].filter(([userId]) => affected.includes(userId))
  if (kept.length > 0)
    await db
      .insert(sectorPeople)
      .values(kept.map(([userId, isLead]) => ({ sectorId: id, userId, isLead })))
      .onConflictDoUpdate({
        target: [sectorPeople.sectorId, sectorPeople.userId],
        set: { isLead: sql`excluded.is_lead` },
      })
  const leads = [...after].flatMap(([userId, isLead]) => (isLead ? userId : [])).toSorted((a, b) => a - b)
  await record(db, who, {
    action: 'sector.people',
    resourceId: id,
    details: { name, added, removed, leads },
  })
  for (const userId of affected) {
    db.emit({ type: 'permissions_changed', userId })
    db.emit({ type: 'account_changed', userId })
  }
  return true
}

/** All people of a sector. Whoever is blocked is not shown, so those who save it do not name them. */
function listMembers(db: Db, sectorId: number) {
  return rows<{ userId: number; isLead: boolean; isShown: boolean }>(
    db,
    sql`select p.user_id as "userId", p.is_lead as "isLead",
               u.is_active and not u.is_blocked and u.deleted_at is null as "isShown"
          from sector_people p join users u on u.id = p.user_id where p.sector_id = ${sectorId}`,
  )
}

/** More could not be put into an order. @throws AppError 409 */
async function expectRoom(db: Db): Promise<void> {
  const living = await db.$count(sectors, isLiving)
  if (living >= sectorLimits.sectors)
    throw new AppError('sectors.too_many', { values: { most: String(sectorLimits.sectors) } })
}

/** Whoever blocks or deletes one of them meanwhile waits. @throws AppError 422 */
async function expectPeople(db: Db, ids: readonly number[]): Promise<void> {
  const found = await rows(
    db,
    sql`select id from users where id = any(${sql.param(ids)}::int[]) and is_active and not is_blocked
           and deleted_at is null for share`,
  )
  if (found.length < ids.length) throw new AppError('sectors.person_unavailable')
}

/** @param known those that need not exist any longer */
async function expectNumbers(
  db: Db,
  ids: readonly number[] | null | undefined,
  known: readonly number[] | null = [],
): Promise<void> {
  const wanted = (ids ?? []).filter((id) => !known?.includes(id))
  if (wanted.length === 0) return
  const found = await rows(
    db,
    sql`select id from evolution_api_config
         where id = any(${sql.param(wanted)}::int[]) and deleted_at is null`,
  )
  if (found.length < new Set(wanted).size) throw new AppError('sectors.unknown_number')
}

async function expectFreeName(db: Db, name: string, ownId?: number): Promise<void> {
  const living = await listSectorRows(db, isLiving)
  const other = living.find((row) => row.id !== ownId && row.nameFolded === fold(name))
  if (other) throw new AppError('sectors.duplicate', { values: { name: other.name } })
}

const sorted = (ids: Iterable<number>) => [...ids].toSorted((a, b) => a - b)
const inOrder = (ids: readonly number[] | null) => ids && sorted(new Set(ids))

/** The fields that are there. */
const given = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<SectorRow>

/** Absent: as before; null: no longer its own. */
function ownAfter(
  before: Partial<SectorSettings>,
  wanted: NonNullable<SectorChange['own']>,
): Partial<SectorSettings> {
  return Object.fromEntries(
    Object.entries({ ...before, ...given(wanted) }).filter(([, value]) => value !== null),
  )
}

/** Before and after of each field, and of each of its own settings, that is not the same. */
function changesOf({ ownSettings: ownBefore, ...before }: SectorRow, wanted: Partial<SectorRow>) {
  const { ownSettings = ownBefore, ...fields } = wanted
  const pairs = [
    ...Object.entries(fields).map(([name, value]) => [name, before[name as keyof typeof before], value]),
    ...[...new Set([...Object.keys(ownBefore), ...Object.keys(ownSettings)])].map((name) => [
      name,
      ownBefore[name as keyof SectorSettings] ?? null,
      ownSettings[name as keyof SectorSettings] ?? null,
    ]),
  ] as const
  return Object.fromEntries(
    pairs
      .filter(([, from, to]) => !isDeepStrictEqual(from, to))
      .map(([name, from, to]) => [name as string, [from, to] as [unknown, unknown]]),
  )
}
