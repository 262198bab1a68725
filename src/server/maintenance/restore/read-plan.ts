import { type SQL, sql } from 'drizzle-orm'
import type { RestoreCounts } from '#shared/maintenance/restore-plan.ts'
import type { FileLine, Manifest } from '#server/maintenance/archive/manifest.ts'
import { backedList } from '#server/maintenance/archive/tables.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import { mapOf } from '#server/schema/declare/restored.ts'
import { countLinks } from './links.ts'
import { mappedTables, type Merge, staged } from './maps.ts'
import type { NumberKeys } from './merge.ts'
import { comesAlong } from './of-talks.ts'
import { countPairs } from './pairs.ts'

/** Tables whose rows here get the values of the backup. */
const settingsTables = backedList.flatMap(({ name, part }) => (part === 'settings' ? name : []))

/**
 * What a merge will do, by its maps.
 * @param stored the files of the backup, by their names
 * @returns also the files whose bytes it needs
 */
export async function readPlan(
  db: Db,
  { manifest, stored }: { manifest: Manifest; stored: ReadonlyMap<string, FileLine> },
  merge: Merge,
  keys: readonly NumberKeys[],
): Promise<{ plan: RestoreCounts; files: FileLine[] }> {
  const tables = []
  for (const counted of await countTables(db, merge)) {
    const changed = await countChanged(db, merge, counted.table, keys)
    tables.push({ ...counted, changed, kept: counted.kept - changed })
  }
  const files = await listNeededFiles(db, merge, stored)
  return {
    files,
    plan: {
      isOwn: merge.isOwn,
      madeAt: manifest.madeAt,
      tables,
      links: await countLinks(db),
      files: {
        rows: manifest.files.rows,
        added: files.length,
        sizeBytes: files.reduce((sum, { size }) => sum + size, 0),
      },
      // A number that is here keeps its key, and its address with it.
      keysToType: keys
        .filter(({ isReadable, isNew }) => isNew && !isReadable)
        .map(({ instanceName }) => instanceName),
    },
  }
}

type Counted = Omit<RestoreCounts['tables'][number], 'changed'>

/** Of each table that the merge touches, how many rows of the backup are added, here already, or left out. */
async function countTables(db: Db, merge: Merge): Promise<Counted[]> {
  const { restoreComplete, restoreSettings } = merge.choice
  const counts: Counted[] = []
  if (restoreSettings) counts.push(await countSettings(db, merge))
  for (const table of mappedTables(merge)) {
    const counted = await countMap(db, merge, table)
    // Added whatever was chosen: conversations are of one.
    const isAdded = (table === 'evolution_api_config' || comesAlong.has(table)) && counted.added > 0
    if (restoreSettings || isAdded || !settingsTables.includes(table)) counts.push(counted)
  }
  if (restoreComplete) counts.push(...(await countPairs(db, merge)))
  // Contacts that are in their categories again.
  else if ((await countChanged(db, merge, 'contacts', [])) > 0) {
    const [found] = await rows<{ rows: number }>(
      db,
      sql`select count(*)::int as rows from ${staged(merge, 'contacts')}`,
    )
    if (found) counts.push({ table: 'contacts', ...found, added: 0, kept: found.rows, erased: 0 })
  }
  return counts
}

/** Of the single row. */
async function countSettings(db: Db, merge: Merge): Promise<Counted> {
  const [row] = await rows<{ rows: number; kept: number }>(
    db,
    sql`select count(*)::int as rows, count(t.id)::int as kept
          from ${staged(merge, 'system_settings')} s left join public.system_settings t on t.id = s.id`,
  )
  const { rows: all, kept } = row ?? { rows: 0, kept: 0 }
  return { table: 'system_settings', rows: all, added: all - kept, kept, erased: 0 }
}

async function countMap(db: Db, merge: Merge, table: string): Promise<Counted> {
  const [row] = await rows<{ rows: number; added: number; kept: number }>(
    db,
    sql`select (select count(*) from ${staged(merge, table)})::int as rows,
               count(*) filter (where is_new)::int as added, count(*) filter (where not is_new)::int as kept
          from ${mapOf(table)}`,
  )
  if (!row) throw new Error(`the rows of ${table} were not counted`)
  return { table, ...row, erased: row.rows - row.added - row.kept }
}

async function listNeededFiles(
  db: Db,
  merge: Merge,
  stored: ReadonlyMap<string, FileLine>,
): Promise<FileLine[]> {
  if (!merge.choice.restoreComplete) return []
  const wanted = await rows<{ name: string }>(
    db,
    sql`select s.name from ${staged(merge, 'files')} s join map_files m on m.source = s.id
         where m.is_new or exists (select from returning_files r where r.source = s.id)`,
  )
  return wanted.flatMap(({ name }) => stored.get(name) ?? [])
}

/** How many rows that are here will have other values: as `mergeRows` changes them. */
async function countChanged(
  db: Db,
  merge: Merge,
  table: string,
  keys: readonly NumberKeys[],
): Promise<number> {
  const queries: Readonly<Record<string, SQL>> = {
    system_settings: sql`
      ${staged(merge, 'system_settings')} s
      join public.system_settings t on t.id = s.id where t.values <> s.values`,
    contact_categories: sql`
      ${staged(merge, 'contact_categories')} s
      join map_contact_categories m on m.source = s.id join public.contact_categories t on t.id = m.id
      where (t.description, t.priority, t.color, t.is_active)
            is distinct from (s.description, s.priority, s.color, s.is_active)`,
    evolution_api_config: sql`
      ${staged(merge, 'evolution_api_config')} s
      join map_evolution_api_config m on m.source = s.id join public.evolution_api_config t on t.id = m.id
      where s.deleted_at is null
        and (t.deleted_at is null and t.own_settings <> s.own_settings
             or s.instance_name = any(${sql.param(
               keys.filter(({ isReadable }) => isReadable).map(({ instanceName }) => instanceName),
             )}::text[])
            and (t.api_key_encrypted, t.base_url, t.webhook_url, t.is_active, t.pace_per_second,
                 t.own_settings, t.deleted_at)
                is distinct from
                (s.api_key_encrypted, s.base_url, s.webhook_url, s.is_active, s.pace_per_second,
                 s.own_settings, null::timestamptz))`,
    contacts: sql`(select id from returning_contacts union select id from lost_links where is_back) c`,
    files: sql`returning_files`,
  }
  const query = queries[table]
  const isSettings = settingsTables.includes(table)
  if (!query || (isSettings && !merge.choice.restoreSettings)) return 0
  const [row] = await rows<{ count: number }>(db, sql`select count(*)::int as count from ${query}`)
  return row?.count ?? 0
}
