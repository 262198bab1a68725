import { type SQL, sql } from 'drizzle-orm'
import type { RestoreChoice } from '#shared/maintenance/maintenance.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import { backedList } from '#server/maintenance/archive/tables.ts'
import type { Part } from '#server/schema/declare/backup.ts'
import { type MapRule, mapOf } from '#server/schema/declare/restored.ts'
import { hasNewOwner } from '#server/schema/media.ts'

// Which row here each row of the backup is, or becomes. Built in the transaction that merges, in temporary
// tables that end with it: `map_TABLE (source, id, is_new)`.

/** What the maps are made for. */
export interface Merge {
  /** The schema with the rows of the backup. */
  scratch: string
  /** The backup's installation is this one: its rows are known by their ids. */
  isOwn: boolean
  choice: RestoreChoice
}

/** A table of the scratch schema. */
export const staged = ({ scratch }: Pick<Merge, 'scratch'>, table: string): SQL =>
  sql`${sql.identifier(scratch)}.${sql.identifier(table)}`
export const here = (table: string): SQL => sql`public.${sql.identifier(table)}`

/** A sector that is there: one that was deleted since the backup gets nothing new. */
export const livingSector = (source: SQL): SQL => sql`(
  select z.id from map_sectors m join public.sectors z on z.id = m.id
   where m.source = ${source} and z.deleted_at is null)`

/** The default sector of a number: a backup from before there were sectors says nothing of it. */
export const restoredDefault = (merge: Pick<Merge, 'scratch'>): SQL => sql`case
  when exists (select from ${staged(merge, 'sectors')}) then ${livingSector(sql`s.default_sector_id`)}
  else t.default_sector_id end`

const mapRules: ReadonlyMap<string, { part: Part; rule: MapRule }> = new Map(
  backedList.flatMap(({ name, part, restored }) =>
    restored.isAdded === undefined ? [] : [[name, { part, rule: restored }]],
  ),
)

/**
 * The tables that have a map in this merge, each after those that it refers to. What refers to a number needs
 * its map, whatever was chosen.
 */
export const mappedTables = ({ choice }: Pick<Merge, 'choice'>): string[] =>
  [...mapRules].flatMap(([table, { part }]) => (choice.restoreComplete || part === 'settings' ? table : []))

/**
 * Whether rows of this installation are still what they were: not in a copy of it that has gone its own way,
 * where the same id is another row.
 */
export async function isSameLine(db: Db, merge: Pick<Merge, 'scratch'>): Promise<boolean> {
  for (const table of ['users', 'contacts', 'conversations']) {
    const found = await rows(
      db,
      sql`select from ${staged(merge, table)} s join ${here(table)} t on t.id = s.id
           where t.created_at <> s.created_at limit 1`,
    )
    if (found.length > 0) return false
  }
  return true
}

/**
 * Builds the maps. `erased_contacts` and `stored_files` are there already.
 */
export async function buildMaps(db: Db, merge: Merge): Promise<void> {
  await prepareContacts(db, merge)
  const tables = mappedTables(merge)
  for (const [table, { rule }] of mapRules) if (tables.includes(table)) await buildMap(db, merge, table, rule)
  if (merge.choice.restoreComplete) await findReturningFiles(db, merge)
}

/** Files that are here without an owner, since theirs was deleted: they belong to the one that comes back. */
async function findReturningFiles(db: Db, merge: Merge): Promise<void> {
  await db.execute(
    sql.raw('create temp table returning_files (source int primary key, id int) on commit drop'),
  )
  await db.execute(
    sql`insert into returning_files
        select s.id, t.id
          from ${staged(merge, 'files')} s join map_files m on m.source = s.id and not m.is_new
          join public.files t on t.id = m.id
         where t.message_id is null and t.contact_id is null and t.user_id is null
           and not t.is_quick_response and not t.is_of_macro and ${hasNewOwner}`,
  )
}

/** Finds contacts that are others here, and those of ours that were deleted since and come back. */
async function prepareContacts(db: Db, merge: Merge): Promise<void> {
  await db.execute(sql.raw('create temp table same_contacts (source int primary key, id int) on commit drop'))
  await db.execute(
    sql.raw('create temp table returning_contacts (source int primary key, id int) on commit drop'),
  )
  if (!merge.choice.restoreComplete) return
  if (!merge.isOwn) return findByAddress(db, merge)
  await findMerged(db, merge)
  await findReturning(db, merge)
}

/** Of another installation, a contact is the one here with its address. */
async function findByAddress(db: Db, merge: Merge): Promise<void> {
  await db.execute(
    sql`insert into same_contacts
        select distinct on (s.id) s.id, t.id
          from ${staged(merge, 'contacts')} s
          join lateral (
            select i.contact_id as id, 1 as rank
              from ${staged(merge, 'contact_identities')} k
              join public.contact_identities i on i.kind = k.kind and i.value = k.value
             where k.contact_id = s.id
            union all
            select c.id, 2 from public.contacts c
             where s.deleted_at is null and c.phone = s.phone and c.deleted_at is null
            union all
            select c.id, 3 from public.contacts c
             where c.created_at = s.created_at and c.phone is not distinct from s.phone) t on true
         order by s.id, t.rank, t.id`,
  )
}

/**
 * A contact that was merged since is the one that has its addresses. Of what a merge leaves of it nothing
 * comes back: nobody could write to it.
 */
async function findMerged(db: Db, merge: Merge): Promise<void> {
  await db.execute(
    sql`insert into same_contacts
        select distinct on (s.id) s.id, o.id
          from ${staged(merge, 'contacts')} s
          join public.contacts t on t.id = s.id
          join ${staged(merge, 'contact_identities')} k on k.contact_id = s.id
          join public.contact_identities i on i.kind = k.kind and i.value = k.value
          join public.contacts o on o.id = i.contact_id
         where s.deleted_at is null and t.deleted_at is not null and t.phone is null and t.erased_at is null
           and o.id <> t.id and o.erased_at is null
         order by s.id, o.deleted_at nulls first, o.id`,
  )
}

/** Deleted here since. The number may belong to somebody else by now. */
async function findReturning(db: Db, merge: Merge): Promise<void> {
  await db.execute(
    sql`insert into returning_contacts
        select s.id, t.id from ${staged(merge, 'contacts')} s join public.contacts t on t.id = s.id
         where s.deleted_at is null and t.deleted_at is not null and t.erased_at is null
           and not exists (select from erased_contacts e where e.source = s.id)
           and not exists (select from same_contacts c where c.source = s.id)
           and not exists (select from public.contacts o
                            where o.phone in (s.phone, t.phone) and o.deleted_at is null)
           and not exists (select from ${staged(merge, 'contact_identities')} k
                             join public.contact_identities i on i.kind = k.kind and i.value = k.value
                             join public.contacts o on o.id = i.contact_id
                            where k.contact_id = s.id and o.id <> t.id and o.deleted_at is null)`,
  )
}

async function buildMap(
  db: Db,
  merge: Merge,
  table: string,
  { match, matchOwn, isAdded }: MapRule,
): Promise<void> {
  const map = mapOf(table)
  await db.execute(
    sql`create temp table ${map} (source int primary key, id int not null, is_new boolean not null)
          on commit drop`,
  )
  const join = merge.isOwn ? (matchOwn ?? sql`t.id = s.id`) : (match ?? sql`false`)
  await db.execute(
    sql`insert into ${map}
        select distinct on (s.id) s.id, t.id, false
          from ${staged(merge, table)} s join ${here(table)} t on ${join} order by s.id, t.id`,
  )
  const added = sql`from ${staged(merge, table)} s
    where ${isAdded} and not exists (select from ${map} m where m.source = s.id)`
  const [taken] = await rows<{ isTaken: boolean }>(
    db,
    sql`select exists (
          select ${added} and exists (select from ${here(table)} t where t.id = s.id)) as "isTaken"`,
  )
  const sequence = sql`pg_get_serial_sequence(${`public.${table}`}, 'id')`
  // Their ids, where none of them is taken; otherwise new ones, in the same order.
  await db.execute(
    taken?.isTaken
      ? sql`insert into ${map}
            select id, nextval(${sequence}), true from (select s.id ${added} order by s.id) n`
      : sql`insert into ${map} select s.id, s.id, true ${added}`,
  )
  await db.execute(sql`analyze ${map}`)
  if (table === 'messages') await dropEmptied(db, merge)
}

/** A conversation all of whose messages are here already, in others, is not added as an empty one. */
async function dropEmptied(db: Db, merge: Merge): Promise<void> {
  await db.execute(
    sql`delete from map_conversations c
         where c.is_new
           and exists (select from ${staged(merge, 'messages')} s where s.conversation_id = c.source)
           and not exists (select from ${staged(merge, 'messages')} s
                             join map_messages m on m.source = s.id and m.is_new
                            where s.conversation_id = c.source)`,
  )
}
