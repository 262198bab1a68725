import type pg from 'pg'
import { schemaVersion, knowsSchema } from '#server/platform/database/migrate.ts'
import { BackupError } from './backup-error.ts'
import { type BackupCipher, unseal } from './cipher.ts'
import type { Manifest, TableEntry } from './manifest.ts'
import type { Progress } from './progress.ts'
import { createScratch, dropScratch, type Scratch } from './scratch.ts'
import type { BackupStore } from './store.ts'

/**
 * Reads the tables of a backup into a scratch schema, compares them with the manifest, and brings them to the
 * version of this program.
 * @returns the schema, for the caller to drop
 * @throws BackupError when something differs, or the version is not known; then nothing is left
 */
export async function stageTables(
  client: pg.Client,
  { store, cipher }: { store: BackupStore; cipher: BackupCipher | undefined },
  {
    folder,
    runId,
    manifest,
    step,
  }: { folder: string; runId: string; manifest: Manifest; step: 'compare' | 'stage' },
  progress: Progress,
): Promise<Scratch> {
  const { tables, schema } = manifest
  if (!knowsSchema(schema))
    throw new BackupError(
      schema > schemaVersion
        ? 'O backup é de uma versão mais nova do Balcão: atualize antes de restaurar'
        : 'O backup é de uma versão do Balcão que esta não conhece',
    )
  const key = manifest.isEncrypted ? cipher : undefined
  await progress.begin(
    step,
    tables.reduce((sum, table) => sum + table.rows, 0),
  )
  const scratch = await createScratch(client, runId, schema)
  try {
    for (const table of tables)
      await scratch.load(table, readLines({ store, cipher: key }, folder, table), (count) =>
        progress.add(count),
      )
    for (const table of tables) {
      const found = await scratch.measure(table)
      if (found.rows !== table.rows || found.hash !== table.hash)
        throw new BackupError(`A conferência achou diferenças na tabela ${table.name}`)
    }
    await scratch.complete()
    return scratch
  } catch (error) {
    await dropScratch(client, scratch.name).catch(() => undefined)
    throw error
  }
}

/** The lines of a table, some at a time. */
export async function* readLines(
  { store, cipher }: { store: BackupStore; cipher: BackupCipher | undefined },
  folder: string,
  { members }: Pick<TableEntry, 'members'>,
): AsyncGenerator<readonly string[]> {
  for (const { name } of members) yield* unseal(await store.read(folder, name), cipher)
}
