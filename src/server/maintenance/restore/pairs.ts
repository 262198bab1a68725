import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '#server/platform/database/db.ts'
import { backedList } from '#server/maintenance/archive/tables.ts'
import { mapOf } from '#server/schema/declare/restored.ts'
import { here, type Merge, staged } from './maps.ts'

// Pairs of rows that somebody has declared not to be the same. They have no id, and so no map.

const pairTables = backedList.flatMap(({ name, restored }) =>
  restored.pairsOf === undefined ? [] : [{ name, of: restored.pairsOf }],
)

/** The pairs of the backup by their ids here; two that are one row by now are none. */
const pairsOf = (merge: Merge, { name, of }: (typeof pairTables)[number]): SQL =>
  sql`select least(a.id, b.id) as first_id, greatest(a.id, b.id) as second_id, u.id as declared_by,
             s.declared_at
        from ${staged(merge, name)} s
        join ${mapOf(of)} a on a.source = s.first_id join ${mapOf(of)} b on b.source = s.second_id
        join map_users u on u.source = s.declared_by
       where a.id <> b.id`

/** @returns how many were not here */
export async function addPairs(db: Db, merge: Merge): Promise<number> {
  let added = 0
  for (const table of pairTables) {
    const { rowCount } = await db.execute(
      sql`insert into ${here(table.name)} (first_id, second_id, declared_by, declared_at)
          ${pairsOf(merge, table)} on conflict do nothing`,
    )
    added += rowCount ?? 0
  }
  return added
}

/** Of each table of pairs, how many rows are what. */
export async function countPairs(
  db: Db,
  merge: Merge,
): Promise<{ table: string; rows: number; added: number; kept: number; erased: number }[]> {
  const counts = []
  for (const table of pairTables) {
    const [row] = await rows<{ rows: number; known: number; added: number }>(
      db,
      sql`with p as (${pairsOf(merge, table)})
          select (select count(*) from ${staged(merge, table.name)})::int as rows,
                 (select count(*) from p)::int as known,
                 (select count(distinct (p.first_id, p.second_id)) from p
                   where not exists (select from ${here(table.name)} t
                                      where (t.first_id, t.second_id) = (p.first_id, p.second_id)))::int
                   as added`,
    )
    if (!row) continue
    const { known, ...counted } = row
    const kept = known - counted.added
    counts.push({ table: table.name, ...counted, kept, erased: counted.rows - known })
  }
  return counts
}
