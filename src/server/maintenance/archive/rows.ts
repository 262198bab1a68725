import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { BackupError } from './backup-error.ts'

// A row is written as a line with a JSON array: each value as PostgreSQL itself writes it, or null. So every
// value comes back as it was, also a JSON null, which is none in a row of JSON.

/** Which rows of which table, and the columns that are taken of them. */
export interface RowSource {
  name: string
  columns: readonly string[]
}

const listOf = (client: pg.ClientBase, columns: readonly string[]) =>
  columns.map((column) => client.escapeIdentifier(column)).join(', ')

const placeOf = (client: pg.ClientBase, schemaName: string, { name }: Pick<RowSource, 'name'>) =>
  `${client.escapeIdentifier(schemaName)}.${client.escapeIdentifier(name)}`

/** All rows of a table. */
export const rowsQuery = (client: pg.ClientBase, table: RowSource, schemaName = 'public'): string =>
  `select ${listOf(client, table.columns)} from ${placeOf(client, schemaName, table)}`

/**
 * The lines of a table, each with the hash of its row.
 * @param query which of its rows, with the columns; by default all
 */
export function linesQuery(
  client: pg.ClientBase,
  table: RowSource,
  query: string = rowsQuery(client, table),
): string {
  const texts = table.columns.map((column) => `r.${client.escapeIdentifier(column)}::text`).join(', ')
  return `select to_json(array[${texts}]::text[])::text as line, hashtextextended(r::text, 0)::text as hash
            from (${query}) r`
}

/** Deletes what a migration has put into a table. */
export async function deleteRows(
  client: pg.ClientBase,
  schemaName: string,
  table: Pick<RowSource, 'name'>,
): Promise<void> {
  await client.query(`delete from ${placeOf(client, schemaName, table)}`)
}

/**
 * Adds lines to a table.
 * @param batches of lines
 * @throws BackupError when one is not a row of the table
 */
export async function copyLines(
  client: pg.ClientBase,
  schemaName: string,
  table: RowSource,
  batches: AsyncIterable<readonly string[]>,
  onRows: (count: number) => Promise<void>,
): Promise<void> {
  async function* texts(): AsyncGenerator<string> {
    for await (const lines of batches) {
      yield lines.map((line) => copyText(line, table)).join('')
      await onRows(lines.length)
    }
  }
  const columns = listOf(client, table.columns)
  await pipeline(
    texts(),
    client.query(copyFrom(`copy ${placeOf(client, schemaName, table)} (${columns}) from stdin`)),
  )
}

const special = /[\\\n\r\t]/g
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** A line as COPY reads it. */
function copyText(line: string, { name, columns }: RowSource): string {
  const values = parseLine(line)
  if (values?.length !== columns.length)
    throw new BackupError(`O backup está danificado: uma linha da tabela ${name} não é das suas colunas`)
  return `${values.map((value) => (value === null ? '\\N' : escaped(value))).join('\t')}\n`
}

const escaped = (value: string) =>
  special.test(value) ? value.replaceAll(special, (sign) => escapes[sign] ?? sign) : value

/** The values of a line; undefined when it is none. */
export function parseLine(line: string): (string | null)[] | undefined {
  try {
    const values: unknown = JSON.parse(line)
    const isRow =
      Array.isArray(values) && values.every((value) => value === null || typeof value === 'string')
    return isRow ? (values as (string | null)[]) : undefined
  } catch {
    return undefined
  }
}
