import { wholeTables } from '#server/maintenance/copy/whole-tables.ts'
import { type Database, inSnapshot, rows } from '#server/platform/database/db.ts'
import type { Purpose } from '#server/schema/declare/backup.ts'
import { sql } from 'drizzle-orm'

/** Every row as PostgreSQL writes it, by table, of what a copy or a move takes. */
export function everyRow(database: Database, purpose: Purpose): Promise<Record<string, string[]>> {
  return inSnapshot(database, async (db) => {
    const found: Record<string, string[]> = {}
    for (const { name, columns } of wholeTables(purpose)) {
      const list = columns.map((column) => `"${column}"`).join(', ')
      const all = await rows<{ row: string }>(
        db,
        sql.raw(`select r::text as row from (select ${list} from public."${name}") r order by 1`),
      )
      found[name] = all.map(({ row }) => row)
    }
    return found
  })
}

/** The tables in which two such findings differ. */
export const differing = (a: Record<string, string[]>, b: Record<string, string[]>): string[] =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])]
    .filter((name) => a[name]?.join('\n') !== b[name]?.join('\n'))
    .toSorted()
