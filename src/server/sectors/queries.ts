import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { pictureUrlOf } from '#shared/users/profile.ts'
import type { Inherited, ManagedSector } from '#shared/sectors/managed-sectors.ts'
import type { Sector } from '#shared/sectors/sectors.ts'
import { type SectorSettings, sectorSettings } from '#shared/settings/own-settings.ts'
import type { SystemSettings } from '#shared/settings/settings.ts'
import { isOpen, nextChange } from '#shared/settings/working-hours.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import { ofGivenNumber, type SessionPerson } from '#server/platform/http/access.ts'
import { evolutionApiConfig as numbersTable } from '#server/schema/gateway.ts'
import { sectors } from '#server/schema/sectors/sectors.ts'

export type SectorRow = typeof sectors.$inferSelect

/** The order in which sectors are shown, and offered to clients. */
const byPlace = [asc(sectors.place), asc(sectors.id)]

/** @param condition absent: all, those that were deleted last */
export function listSectorRows(db: Db, condition?: SQL): Promise<SectorRow[]> {
  return db
    .select()
    .from(sectors)
    .where(condition)
    .orderBy(sql`${sectors.deletedAt} is not null`, ...byPlace)
    .execute()
}

export const isLiving = isNull(sectors.deletedAt)

/** Locks a living sector; whoever puts a conversation into it waits. */
export async function lockSector(db: Db, id: number): Promise<SectorRow | undefined> {
  const [row] = await db
    .select()
    .from(sectors)
    .where(and(eq(sectors.id, id), isLiving))
    .for('update')
  return row
}

interface PersonRow extends Record<string, unknown> {
  sectorId: number
  userId: number
  name: string
  picture: string | null
  isLead: boolean
  open: number
  otherSectorIds: number[]
}

/** Who may sign in, of the sectors; the leads first, then by name. */
export function listPeopleRows(db: Db): Promise<PersonRow[]> {
  return rows<PersonRow>(
    db,
    sql`select p.sector_id as "sectorId", p.user_id as "userId", u.name, f.name as picture,
               p.is_lead as "isLead",
               (select count(*)::int from conversations v
                 where v.assigned_user_id = u.id and v.sector_id = p.sector_id
                   and v.status <> 'completed') as open,
               array(select o.sector_id from sector_people o
                      where o.user_id = u.id and o.sector_id <> p.sector_id order by 1) as "otherSectorIds"
          from sector_people p join users u on u.id = p.user_id left join files f on f.user_id = u.id
         where u.is_active and not u.is_blocked and u.deleted_at is null
         order by p.is_lead desc, lower(u.name), u.id`,
  )
}

interface Counts extends Record<string, unknown> {
  /** null: those without a sector. */
  sectorId: number | null
  open: number
  waiting: number
  waitingSince: string | null
}

/** How many conversations each sector has, and how many wait in its queue. */
export function countBySector(db: Db): Promise<Counts[]> {
  return rows<Counts>(
    db,
    sql`select sector_id as "sectorId", count(*)::int as open,
               count(*) filter (where sub_status = 'FILA' and waiting_for = 'operator')::int as waiting,
               to_json(min(coalesce(waiting_since, started_at)) filter (
                 where sub_status = 'FILA' and waiting_for = 'operator')) #>> '{}' as "waitingSince"
          from conversations where status <> 'completed' group by sector_id`,
  )
}

/**
 * What points to each sector: contacts whose sector it is, quick replies of its people, and numbers whose
 * conversations go to it.
 */
export function listPointers(
  db: Db,
): Promise<{ sectorId: number; contacts: number; quickReplies: number; numbers: number[] }[]> {
  return rows(
    db,
    sql`select s.id as "sectorId",
               (select count(*)::int from contacts c
                 where c.sector_id = s.id and c.deleted_at is null) as contacts,
               (select count(*)::int from quick_replies q where q.sector_id = s.id) as "quickReplies",
               array(select g.id from evolution_api_config g
                      where g.default_sector_id = s.id and g.deleted_at is null order by 1) as numbers
          from sectors s where s.deleted_at is null`,
  )
}

/** The hours that a sector has by itself; those of a number come between, where a conversation is at one. */
function hoursOf({ ownSettings }: SectorRow, settings: SystemSettings, now: Date) {
  const schedule = { ...settings, ...ownSettings }
  return {
    isOpenNow: isOpen(schedule, now),
    changesAt: nextChange(schedule, now)?.toISOString() ?? null,
  }
}

export function toSector(
  row: SectorRow,
  people: readonly PersonRow[],
  { settings, now }: { settings: SystemSettings; now: Date },
): Sector {
  const { id, name, color, description, isActive, numberIds, deletedAt } = row
  return {
    id,
    name,
    color,
    description,
    isActive,
    isDeleted: deletedAt !== null,
    numberIds,
    people: people
      .filter(({ sectorId }) => sectorId === id)
      .map(({ userId, isLead }) => ({ userId, isLead })),
    ...hoursOf(row, settings, now),
  }
}

export function toManaged(
  row: SectorRow,
  people: readonly PersonRow[],
  facts: {
    settings: SystemSettings
    now: Date
    isWhole: boolean
    counts: readonly Counts[]
    pointers: Awaited<ReturnType<typeof listPointers>>
  },
): ManagedSector {
  const { isDeleted: _, ...shown } = toSector(row, people, facts)
  const counts = facts.counts.find(({ sectorId }) => sectorId === row.id)
  const pointers = facts.pointers.find(({ sectorId }) => sectorId === row.id)
  return {
    ...shown,
    isWhole: facts.isWhole,
    maxActivePerOperator: row.maxActivePerOperator,
    own: row.ownSettings,
    people: people
      .filter(({ sectorId }) => sectorId === row.id)
      .map(({ userId, name, picture, isLead, open, otherSectorIds }) => ({
        userId,
        name,
        pictureUrl: pictureUrlOf(picture),
        isLead,
        open,
        otherSectorIds,
      })),
    waiting: counts?.waiting ?? 0,
    waitingSince: counts?.waitingSince ?? null,
    open: counts?.open ?? 0,
    contacts: pointers?.contacts ?? 0,
    quickReplies: pointers?.quickReplies ?? 0,
    defaultOf: pointers?.numbers ?? [],
    version: row.version,
  }
}

/** Everybody who may sign in, by name. */
export async function listCandidates(db: Db) {
  const found = await rows<{ userId: number; name: string; picture: string | null }>(
    db,
    sql`select u.id as "userId", u.name, f.name as picture
          from users u left join files f on f.user_id = u.id
         where u.is_active and not u.is_blocked and u.deleted_at is null
         order by lower(u.name), u.id`,
  )
  return found.map(({ userId, name, picture }) => ({ userId, name, pictureUrl: pictureUrlOf(picture) }))
}

/** What sectors have of the installation and of the given numbers; null: of all. */
export async function readInherited(
  db: Db,
  settings: SystemSettings,
  given: Pick<SessionPerson, 'numberIds'>,
): Promise<Inherited> {
  const numbers = await db
    .select({ id: numbersTable.id, name: numbersTable.instanceName, own: numbersTable.ownSettings })
    .from(numbersTable)
    .where(and(isNull(numbersTable.deletedAt), ofGivenNumber(given, numbersTable.id)))
    .orderBy(sql`not ${numbersTable.isActive}`, numbersTable.id)
  const { timezone, maxActivePerOperator } = settings
  return {
    installation: { ...ofSectors(settings), timezone, maxActivePerOperator },
    numbers: numbers.map(({ own, ...number }) => ({ ...number, own: ofSectors(own) })),
  }
}

const keys = Object.keys(sectorSettings.shape)

/** Of settings those that a sector may have. */
const ofSectors = <Settings extends object>(settings: Settings) =>
  Object.fromEntries(Object.entries(settings).filter(([key]) => keys.includes(key))) as Pick<
    Settings,
    keyof Settings & keyof SectorSettings
  >
