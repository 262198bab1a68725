import type pg from 'pg'
import type { WholeTable } from './whole-tables.ts'

// A row of a whole copy is a line with a JSON array: each value as PostgreSQL itself writes it, or null. So
// every value comes back as it was, also a JSON null, which is none in a row of JSON.

/** Text of rows that is sent to the database at once. */
const batchChars = 1_000_000
const batchRows = 2000

const listOf = (client: pg.ClientBase, { columns }: WholeTable) =>
  columns.map((column) => client.escapeIdentifier(column)).join(', ')

const placeOf = (client: pg.ClientBase, schemaName: string, { name }: WholeTable) =>
  `${client.escapeIdentifier(schemaName)}.${client.escapeIdentifier(name)}`

/** All rows of a table. */
export const rowsQuery = (client: pg.ClientBase, table: WholeTable, schemaName = 'public'): string =>
  `select ${listOf(client, table)} from ${placeOf(client, schemaName, table)}`

/** The lines of a table, each with the hash of its row. */
export function linesQuery(client: pg.ClientBase, table: WholeTable): string {
  const texts = table.columns.map((column) => `r.${client.escapeIdentifier(column)}::text`).join(', ')
  return `select to_json(array[${texts}]::text[])::text as line, hashtextextended(r::text, 0)::text as hash
            from (${rowsQuery(client, table)}) r`
}

/** Deletes what a migration has put into a table. */
export async function deleteRows(
  client: pg.ClientBase,
  schemaName: string,
  table: WholeTable,
): Promise<void> {
  await client.query(`delete from ${placeOf(client, schemaName, table)}`)
}

/** Adds lines to a table. */
export async function insertLines(
  client: pg.ClientBase,
  schemaName: string,
  table: WholeTable,
  lines: AsyncIterable<string>,
  onRows: (count: number) => Promise<void>,
): Promise<void> {
  const { rows: typed } = await client.query<{ name: string; type: string }>(
    `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
      where attrelid = to_regclass($1) and attnum > 0 and not attisdropped`,
    [placeOf(client, schemaName, table)],
  )
  const types = new Map(typed.map(({ name, type }) => [name, type]))
  const values = table.columns.map((column, n) => {
    const type = types.get(column)
    if (type === undefined) throw new Error(`no column ${column} in ${table.name}`)
    return `(e ->> ${n})::${type}`
  })
  const insert = `insert into ${placeOf(client, schemaName, table)} (${listOf(client, table)})
    overriding system value select ${values.join(', ')} from jsonb_array_elements($1::jsonb) e`
  let batch: string[] = []
  let chars = 0
  const write = async () => {
    if (batch.length === 0) return
    await client.query(insert, [`[${batch.join(',')}]`])
    await onRows(batch.length)
    batch = []
    chars = 0
  }
  for await (const line of lines) {
    batch.push(line)
    chars += line.length
    if (batch.length >= batchRows || chars >= batchChars) await write()
  }
  await write()
}
