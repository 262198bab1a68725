import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { schemaVersion } from '#server/platform/database/migrate.ts'
import { type Archive, countRows, readLines } from './archive.ts'
import { BackupError } from './backup-error.ts'
import { refuseUnknownVersion } from './manifest.ts'
import type { Progress } from './progress.ts'
import { createScratch, dropScratch, type Scratch } from './scratch.ts'

/**
 * Reads the tables of an archive into a scratch schema, compares them with the manifest, and brings them to
 * the version of this program, or of the database.
 * @returns the schema, for the caller to drop
 * @throws BackupError when something differs, or the version is not known; then nothing is left
 */
export async function stageTables(
  client: pg.Client,
  archive: Archive,
  { progress, step, upTo = schemaVersion }: { progress: Progress; step: 'compare' | 'stage'; upTo?: number },
): Promise<Scratch> {
  const { tables, schema } = archive.manifest
  refuseUnknownVersion(archive.manifest)
  await progress.begin(step, countRows(archive.manifest))
  const scratch = await createScratch(client, randomUUID(), schema, upTo)
  try {
    for (const table of tables)
      await scratch.load(table, readLines(archive, table), (count) => progress.add(count))
    for (const table of tables) expectSame(table, await scratch.measure(table))
    await scratch.complete()
    return scratch
  } catch (error) {
    await dropScratch(client, scratch.name).catch(() => undefined)
    throw error
  }
}

/** The same, to compare them only. */
export async function compareTables(
  client: pg.Client,
  archive: Archive,
  options: { progress: Progress; upTo?: number },
): Promise<void> {
  const { name } = await stageTables(client, archive, { ...options, step: 'compare' })
  await dropScratch(client, name)
}

/** Number of rows, and the sum of their hashes, as in a manifest. */
export interface Measured {
  rows: number
  hash: string
}

/** @throws BackupError when the rows of a table are not those that were written */
export function expectSame({ name, rows, hash }: Measured & { name: string }, found: Measured): void {
  if (found.rows !== rows || found.hash !== hash)
    throw new BackupError(`A conferência achou diferenças na tabela ${name}`)
}
