import { type SQL, sql } from 'drizzle-orm'
import type { RestoreChoice } from '#shared/maintenance/maintenance.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import type { BackedName } from '#server/maintenance/archive/tables.ts'

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
export const mapOf = (table: string): SQL => sql`${sql.identifier(`map_${table}`)}`

interface MapRule {
  /**
   * Joins a row `s` of the backup with the row `t` here that it is. Absent: of another installation none is
   * one of ours.
   */
  match?: SQL
  /** The same for rows of this installation; by default the row with the same id. */
  matchOwn?: SQL
  /** Whether a row that is none of ours is added. */
  isAdded: SQL
}

const isNewIn = (table: string, source: SQL) =>
  sql`exists (select from ${mapOf(table)} m where m.source = ${source} and m.is_new)`
const isMapped = (table: string, source: SQL) =>
  sql`exists (select from ${mapOf(table)} m where m.source = ${source})`
const mapped = (table: string, source: SQL) =>
  sql`(select m.id from ${mapOf(table)} m where m.source = ${source})`
const isNotErased = sql`not exists (select from erased_contacts e where e.source = s.contact_id)`

/** Of a file whose bytes the backup has. */
const hasNewOwner = sql`exists (select from stored_files f where f.name = s.name)
  and (${isNewIn('messages', sql`s.message_id`)} or ${isNewIn('contacts', sql`s.contact_id`)}
       or ${isNewIn('users', sql`s.user_id`)} or s.is_quick_response)`

/** One row of settings, and pairs of rows without an id. */
type BroughtInOtherwise = 'system_settings' | 'company_distinctions' | 'contact_distinctions'

/** In their order: a rule may ask the maps of the ones before. */
const mapRules: Readonly<Record<Exclude<BackedName, BroughtInOtherwise>, MapRule>> = {
  users: {
    match: sql`lower(t.username) = lower(s.username) and t.deleted_at is null and s.deleted_at is null`,
    isAdded: sql`true`,
  },
  companies: { match: sql`lower(t.name) = lower(s.name)`, isAdded: sql`true` },
  contact_categories: {
    match: sql`lower(t.name) = lower(s.name)`,
    matchOwn: sql`lower(t.name) = lower(s.name)`,
    isAdded: sql`true`,
  },
  evolution_api_config: {
    match: sql`t.instance_name = s.instance_name`,
    matchOwn: sql`t.instance_name = s.instance_name`,
    isAdded: sql`true`,
  },
  contacts: {
    match: sql`t.id = (select c.id from same_contacts c where c.source = s.id)`,
    isAdded: sql`not exists (select from erased_contacts e where e.source = s.id)`,
  },
  conversations: {
    match: sql`t.contact_id = ${mapped('contacts', sql`s.contact_id`)}
      and t.instance_id = ${mapped('evolution_api_config', sql`s.instance_id`)}
      and t.started_at = s.started_at`,
    isAdded: sql`${isNotErased} and ${isMapped('contacts', sql`s.contact_id`)}`,
  },
  messages: {
    match: sql`t.instance_id = ${mapped('evolution_api_config', sql`s.instance_id`)}
      and t.whatsapp_message_id = s.whatsapp_message_id`,
    isAdded: isNewIn('conversations', sql`s.conversation_id`),
  },
  message_versions: { isAdded: isNewIn('messages', sql`s.message_id`) },
  message_reactions: { isAdded: isNewIn('messages', sql`s.message_id`) },
  message_votes: { isAdded: isNewIn('messages', sql`s.message_id`) },
  conversation_ratings: { isAdded: isNewIn('conversations', sql`s.conversation_id`) },
  contact_identities: {
    match: sql`t.kind = s.kind and t.value = s.value`,
    matchOwn: sql`t.kind = s.kind and t.value = s.value`,
    isAdded: sql`(${isNewIn('contacts', sql`s.contact_id`)}
      or exists (select from returning_contacts r where r.source = s.contact_id))`,
  },
  files: {
    match: sql`t.name = s.name`,
    matchOwn: sql`t.name = s.name`,
    isAdded: hasNewOwner,
  },
  forgotten_messages: {
    match: sql`t.instance_id = ${mapped('evolution_api_config', sql`s.instance_id`)}
      and t.whatsapp_message_id = s.whatsapp_message_id`,
    isAdded: sql`${isMapped('contacts', sql`s.contact_id`)}
      and not exists (select from public.messages m
                       where m.instance_id = ${mapped('evolution_api_config', sql`s.instance_id`)}
                         and m.whatsapp_message_id = s.whatsapp_message_id)`,
  },
  saved_reports: {
    match: sql`t.user_id = ${mapped('users', sql`s.user_id`)} and t.name = s.name`,
    matchOwn: sql`t.user_id = s.user_id and t.name = s.name`,
    isAdded: isMapped('users', sql`s.user_id`),
  },
  privacy_requests: {
    match: sql`t.created_at = s.created_at and t.kind = s.kind`,
    isAdded: sql`${isMapped('contacts', sql`s.contact_id`)} and ${isMapped('users', sql`s.user_id`)}`,
  },
}

const settingsTables = new Set(['contact_categories', 'evolution_api_config'])

/** The tables that have a map in this merge. What refers to a number needs it, whatever was chosen. */
export const mappedTables = ({ choice }: Pick<Merge, 'choice'>): string[] =>
  Object.keys(mapRules).filter((table) => choice.restoreComplete || settingsTables.has(table))

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
  if (merge.choice.restoreComplete) await prepareContacts(db, merge)
  const tables = mappedTables(merge)
  for (const [table, rule] of Object.entries(mapRules))
    if (tables.includes(table)) await buildMap(db, merge, table, rule)
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
           and not t.is_quick_response and ${hasNewOwner}`,
  )
}

/** Finds contacts of another installation by their addresses, and those of ours that were deleted since. */
async function prepareContacts(db: Db, merge: Merge): Promise<void> {
  await db.execute(sql.raw('create temp table same_contacts (source int primary key, id int) on commit drop'))
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
         where ${merge.isOwn ? sql`false` : sql`true`}
         order by s.id, t.rank, t.id`,
  )
  await db.execute(
    sql.raw('create temp table returning_contacts (source int primary key, id int) on commit drop'),
  )
  // Deleted here since; the number may belong to somebody else by now.
  await db.execute(
    sql`insert into returning_contacts
        select s.id, t.id from ${staged(merge, 'contacts')} s join public.contacts t on t.id = s.id
         where ${merge.isOwn ? sql`true` : sql`false`} and s.deleted_at is null and t.deleted_at is not null
           and t.erased_at is null
           and not exists (select from erased_contacts e where e.source = s.id)
           and not exists (select from public.contacts o where o.phone = t.phone and o.deleted_at is null)`,
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
