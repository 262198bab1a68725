import type { Database } from '#server/platform/database/db.ts'
import { listOurTables } from '#server/platform/database/migrate.ts'

type Values = Readonly<Record<string, unknown>>
/** The rows of each table by their primary key. */
export type Stored = ReadonlyMap<string, ReadonlyMap<string, Values>>

/** Reads all rows of all tables of the product, of whatever version. */
export async function readStored({ pool }: Database): Promise<Stored> {
  const client = await pool.connect()
  try {
    const stored = new Map<string, Map<string, Values>>()
    for (const table of await listOurTables(client)) {
      const { rows } = await client.query<{ key: string; row: Values }>(
        `select (select string_agg(v.value #>> '{}', ' ' order by v.key)
                   from jsonb_each(to_jsonb(t)) v where v.key = any($1)) as key, to_jsonb(t) as row
           from "${table}" t`,
        [await keyOf(client, table)],
      )
      stored.set(table, new Map(rows.map(({ key, row }) => [key, row])))
    }
    return stored
  } finally {
    client.release()
  }
}

async function keyOf(
  client: { query: <Row extends object>(text: string, values: unknown[]) => Promise<{ rows: Row[] }> },
  table: string,
): Promise<string[]> {
  const { rows } = await client.query<{ column: string }>(
    `select attname as column from pg_constraint k
       join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any(k.conkey)
      where k.contype = 'p' and k.conrelid = $1::regclass`,
    [`public.${table}`],
  )
  return rows.map(({ column }) => column)
}

/** `contacts 3` is gone, or `contacts 3 name: "A" → "B"`. */
export interface Difference {
  table: string
  key: string
  /** Absent: the row is gone. */
  column?: string
  words: string
}

/** What of the rows of before is not as it was, in the columns that both versions have. */
export function differences(before: Stored, after: Stored): Difference[] {
  const found: Difference[] = []
  for (const [table, rows] of before)
    for (const [key, row] of rows) {
      const now = after.get(table)?.get(key)
      if (!now) found.push({ table, key, words: `${table} ${key} is gone` })
      else
        for (const [column, value] of Object.entries(row)) {
          const [was, is] = [JSON.stringify(value), JSON.stringify(now[column])]
          if (was !== is && column in now)
            found.push({ table, key, column, words: `${table} ${key} ${column}: ${was} → ${is}` })
        }
    }
  return found
}

/** The words of the differences, except of signing in anew, of an undone upgrade, and of the given tables. */
export const lasting = (before: Stored, after: Stored, quiet: readonly string[] = []): string[] =>
  differences(before, after)
    .filter(({ table }) => !signedInAnew.includes(table) && !quiet.includes(table))
    .filter(
      ({ table, column = '' }) => table !== 'installation' || !/^(epoch|sends_paused_until)$/.test(column),
    )
    .map(({ words }) => words)

const signedInAnew = ['events', 'presence', 'sessions', 'trusted_devices']

/** Columns that are gone, which are no difference above. */
export function removedColumns(before: Stored, after: Stored): string[] {
  const columnsOf = (stored: Stored) =>
    [...stored].flatMap(([table, rows]) => {
      const [row] = rows.values()
      return row ? Object.keys(row).map((column) => `${table}.${column}`) : []
    })
  const now = new Set(columnsOf(after))
  return columnsOf(before).filter((column) => !now.has(column))
}
