import { tablesFor } from '#server/maintenance/copy/whole-tables.ts'
import type { Database } from '#server/platform/database/db.ts'
import type { Purpose } from '#server/schema/declare/backup.ts'

/** Every row as PostgreSQL writes it, by table, of what a copy or a move takes. */
export async function everyRow({ pool }: Database, purpose: Purpose): Promise<Record<string, string[]>> {
  const client = await pool.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    const found: Record<string, string[]> = {}
    for (const { name, columns } of await tablesFor(client, purpose)) {
      const list = columns.map((column) => `"${column}"`).join(', ')
      const { rows } = await client.query<{ row: string }>(
        `select r::text as row from (select ${list} from public."${name}") r order by 1`,
      )
      found[name] = rows.map(({ row }) => row)
    }
    await client.query('rollback')
    return found
  } finally {
    client.release()
  }
}

/** The tables in which two such findings differ. */
export const differing = (a: Record<string, string[]>, b: Record<string, string[]>): string[] =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])]
    .filter((name) => a[name]?.join('\n') !== b[name]?.join('\n'))
    .toSorted()
