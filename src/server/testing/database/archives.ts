import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { type Archive, placeAt, readLines } from '#server/maintenance/archive/archive.ts'
import { seal } from '#server/maintenance/archive/cipher.ts'
import type { Contents, TableEntry } from '#server/maintenance/archive/manifest.ts'
import { copyLines, parseLine, rowsQuery } from '#server/maintenance/archive/rows.ts'
import { measureRows, openClient } from '#server/maintenance/archive/scratch.ts'
import { tablesThere } from '#server/maintenance/copy/whole-tables.ts'
import { firstVersion, migrateInTransaction } from '#server/platform/database/migrate.ts'
import { emptyDatabase } from './empty-database.ts'

/** Changes the text of the manifest in the folder of a backup or a copy. */
export function rewriteManifest(dir: string, change: (text: string) => string): void {
  const path = join(dir, 'manifest.json')
  writeFileSync(path, change(readFileSync(path, 'utf8')))
}

/** Changes the version of the schema of which a manifest says that it is. */
export const claimVersion = (dir: string, version: number): void =>
  rewriteManifest(dir, (text) => text.replace(/"schema":\d+/, `"schema":${version}`))

/**
 * Rewrites a backup or a copy as version 0.1.0 would have made it: without the tables and the columns that
 * later migrations have added. It must not be encrypted.
 * @returns the tables of which it has less now
 */
export async function makeFirstArchive(dir: string): Promise<string[]> {
  const manifest = JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8')) as Contents
  const archive = { ...placeAt(dir, undefined), manifest }
  const empty = await emptyDatabase()
  const client = await openClient(empty.database)
  try {
    await client.query('begin')
    await migrateInTransaction(client, { upTo: firstVersion })
    const known = new Map((await tablesThere(client)).map(({ name, columns }) => [name, columns]))
    const tables: TableEntry[] = []
    for (const table of manifest.tables) {
      const columns = table.columns.filter((column) => known.get(table.name)?.includes(column))
      if (columns.length === table.columns.length) {
        tables.push(table)
        continue
      }
      if (columns.length > 0) tables.push(await narrow(client, archive, table, columns))
      for (const { name } of table.members) rmSync(join(dir, name))
    }
    rewriteManifest(dir, () => JSON.stringify({ ...manifest, schema: firstVersion, tables }))
    await client.query('rollback')
    return manifest.tables.filter((table) => !tables.includes(table)).map(({ name }) => name)
  } finally {
    await client.end()
    await empty.close()
  }
}

/** Leaves only these columns of a table. */
async function narrow(
  client: pg.ClientBase,
  archive: Archive,
  table: TableEntry,
  columns: string[],
): Promise<TableEntry> {
  const lines: string[] = []
  for await (const batch of readLines(archive, table))
    for (const line of batch) {
      const values = parseLine(line) ?? []
      lines.push(JSON.stringify(values.filter((_, n) => columns.includes(table.columns[n] ?? ''))))
    }
  const name = `tables/${table.name}-narrow.jsonl.zst`
  async function* batches() {
    yield* lines.map((line) => `${line}\n`)
  }
  const written = await archive.store.write('', name, await seal(batches(), undefined))
  // The hash of a row is that of its text, of which PostgreSQL alone knows the form.
  const only = { name: table.name, columns }
  await client.query(`create temp table ${table.name} as ${rowsQuery(client, only)} with no data`)
  await copyLines(
    client,
    'pg_temp',
    only,
    (async function* () {
      yield lines
    })(),
    async () => undefined,
  )
  const measured = await measureRows(client, rowsQuery(client, only, 'pg_temp'))
  return { ...only, ...measured, members: [{ name, ...written }] }
}
