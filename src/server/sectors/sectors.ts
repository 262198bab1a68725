import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import { fold } from '#shared/text/fold.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import { sectors } from '#server/schema/sectors/sectors.ts'
import { isLiving, listSectorRows, type SectorRow } from './queries.ts'

export { readMenu } from './menu.ts'
export type { SectorRow }
export type { TakeNumbers } from './change.ts'
export type { LeaveSector } from './routes.ts'

/** The sectors that are not deleted, in their order. */
export const listLivingSectors = (db: Db): Promise<SectorRow[]> => listSectorRows(db, isLiving)

interface NewConversation {
  contactId: number | SQL
  instanceId: number | SQL
  /** Who begins it, on our side. */
  assignedUserId?: number | null | undefined
}

/**
 * The sector of a new conversation, as the value of a column: that of the contact; else that of their last
 * conversation, if it has ended within a day; else the only sector of whoever begins it; else that of the
 * number; else none. A sector that is inactive or does not serve the number is passed over.
 */
export function sectorOfNew({ contactId, instanceId, assignedUserId }: NewConversation): SQL {
  const serves = sql`s.is_active and (s.number_ids is null or ${instanceId} = any(s.number_ids))`
  // Left out where nobody begins it: for a null value the planner would make a plan for each execution.
  const ofWhoBegins = assignedUserId
    ? sql`(select min(s.id) from sector_people p join sectors s on s.id = p.sector_id
            where p.user_id = ${assignedUserId} and ${serves} having count(*) = 1),`
    : sql``
  return sql`case when exists (select from sectors where is_active) then coalesce(
    (select s.id from contacts c join sectors s on s.id = c.sector_id
      where c.id = ${contactId} and ${serves}),
    (select s.id from (
       select v.sector_id, v.completed_at from conversations v
        where v.contact_id = ${contactId} and not v.is_history
        order by v.started_at desc, v.id desc limit 1) v
       join sectors s on s.id = v.sector_id
      where v.completed_at > app_now() - interval '24 hours' and ${serves}),
    ${ofWhoBegins}
    (select s.id from evolution_api_config g join sectors s on s.id = g.default_sector_id
      where g.id = ${instanceId} and ${serves})) end`
}

/**
 * A living sector, locked: whoever deletes or deactivates it meanwhile waits. Who also locks a number or a
 * contact locks the sector first, as its deletion does.
 */
export async function shareSector(db: Db, id: number): Promise<SectorRow | undefined> {
  const [row] = await db
    .select()
    .from(sectors)
    .where(and(eq(sectors.id, id), isLiving))
    .for('share')
  return row
}

/**
 * Whether a sector takes new conversations of a number. Locked as by a reference to it: whoever deletes or
 * deactivates it meanwhile waits, and moves what was put into it.
 */
export async function takesNew(db: Db, id: number, instanceId: number): Promise<boolean> {
  const found = await rows(
    db,
    sql`select from sectors where id = ${id} and is_active and deleted_at is null
           and (number_ids is null or ${instanceId} = any(number_ids)) for key share`,
  )
  return found.length > 0
}

/** The living ones of these sectors, locked as by `shareSector`. */
export async function shareSectors(db: Db, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const found = await db
    .select({ id: sectors.id })
    .from(sectors)
    .where(and(inArray(sectors.id, [...new Set(ids)]), isLiving))
    .orderBy(sectors.id)
    .for('share')
  return new Set(found.map(({ id }) => id))
}

export type NamedSector = Pick<SectorRow, 'id' | 'name' | 'isActive'>

/** The living sectors with these names, by the folded name; locked as by `shareSector`. */
export async function sectorsNamed(db: Db, names: readonly string[]): Promise<Map<string, NamedSector>> {
  if (names.length === 0) return new Map()
  const found = await db
    .select({ id: sectors.id, name: sectors.name, isActive: sectors.isActive, folded: sectors.nameFolded })
    .from(sectors)
    .where(and(inArray(sectors.nameFolded, [...new Set(names.map(fold))]), isLiving))
    .orderBy(sectors.id)
    .for('share')
  return new Map(found.map(({ folded, ...sector }) => [folded, sector]))
}

/**
 * A sector that may be chosen.
 * @throws AppError 422 for one that does not exist or is inactive
 */
export async function expectActive(db: Db, id: number): Promise<SectorRow> {
  const row = await shareSector(db, id)
  if (!row) throw new AppError('sectors.unknown')
  if (!row.isActive) throw new AppError('sectors.inactive', { values: { name: row.name } })
  return row
}

/**
 * A sector that takes conversations of a number.
 * @throws AppError 422 for one that does not exist, is inactive or does not serve the number
 */
export async function expectReceiving(db: Db, id: number, instanceId: number): Promise<SectorRow> {
  const row = await expectActive(db, id)
  if (row.numberIds && !row.numberIds.includes(instanceId))
    throw new AppError('sectors.other_number', { values: { name: row.name } })
  return row
}

/**
 * The sector of a conversation once the person has it: the wanted one of theirs; else its own if they are in
 * it, or in none; else the first of theirs that serves the number.
 * @returns undefined where they are not in the wanted one
 */
export async function sectorWith(
  db: Db,
  { sectorId, instanceId }: { sectorId: number | null; instanceId: number },
  userId: number,
  wanted?: number,
): Promise<number | null | undefined> {
  const found = await rows<{ id: number; isOffered: boolean }>(
    db,
    sql`select s.id,
               s.is_active and (s.number_ids is null or ${instanceId} = any(s.number_ids)) as "isOffered"
          from sector_people p join sectors s on s.id = p.sector_id
         where p.user_id = ${userId} and s.deleted_at is null order by s.place, s.id`,
  )
  if (wanted !== undefined) return found.find(({ id, isOffered }) => id === wanted && isOffered)?.id
  if (sectorId !== null && found.some(({ id }) => id === sectorId)) return sectorId
  return found.find(({ isOffered }) => isOffered)?.id ?? sectorId
}

/** Whether there is any sector: without, nothing of sectors is told. */
export async function areSectors(db: Db): Promise<boolean> {
  return (await rows(db, sql`select from sectors where deleted_at is null limit 1`)).length > 0
}

/** The names of two sectors, also of deleted ones; null for none. */
export async function sectorNames(
  db: Db,
  ids: readonly [number | null, number | null],
): Promise<[string | null, string | null]> {
  const wanted = ids.filter((id) => id !== null)
  const found = await db
    .select({ id: sectors.id, name: sectors.name })
    .from(sectors)
    .where(inArray(sectors.id, wanted))
  const nameOf = (id: number | null) => found.find((sector) => sector.id === id)?.name ?? null
  return [nameOf(ids[0]), nameOf(ids[1])]
}
