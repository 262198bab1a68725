import { type SQL, sql } from 'drizzle-orm'
import type { RestoreCounts } from '#shared/maintenance/maintenance.ts'
import type { FileLine, Manifest } from '#server/maintenance/archive/manifest.ts'
import { backedList } from '#server/maintenance/archive/tables.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import { type Merge, staged } from './maps.ts'
import { countMaps, type NumberKeys } from './merge.ts'

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
  const { choice } = merge
  const counts = (await countMaps(db, merge)).filter(({ table }) =>
    settingsTables.includes(table) ? choice.restoreSettings : choice.restoreComplete,
  )
  const tables = []
  for (const counted of counts) {
    const changed = await countChanged(db, merge, counted.table, keys)
    tables.push({ ...counted, changed, kept: counted.kept - changed })
  }
  if (choice.restoreSettings) {
    const changed = await countChanged(db, merge, 'system_settings', keys)
    tables.unshift({ table: 'system_settings', rows: 1, added: 0, changed, kept: 1 - changed, erased: 0 })
  }
  const files = await listNeededFiles(db, merge, stored)
  return {
    files,
    plan: {
      isOwn: merge.isOwn,
      madeAt: manifest.madeAt,
      tables,
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
      where not exists (select from public.system_settings t where t.values = s.values)`,
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
    contacts: sql`returning_contacts`,
  }
  const query = queries[table]
  if (!query) return 0
  const [row] = await rows<{ count: number }>(db, sql`select count(*)::int as count from ${query}`)
  return row?.count ?? 0
}
