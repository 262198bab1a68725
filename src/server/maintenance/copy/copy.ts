import { constants } from 'node:fs'
import { access, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { record } from '#server/audit/audit.ts'
import { checkArchive, placeAt } from '#server/maintenance/archive/archive.ts'
import { BackupError } from '#server/maintenance/archive/backup-error.ts'
import type { BackupCipher } from '#server/maintenance/archive/cipher.ts'
import type { CopyManifest } from '#server/maintenance/archive/manifest.ts'
import type { Progress } from '#server/maintenance/archive/progress.ts'
import { withClient } from '#server/maintenance/archive/scratch.ts'
import { compareTables } from '#server/maintenance/archive/stage.ts'
import { writeArchive } from '#server/maintenance/archive/write.ts'
import type { Database } from '#server/platform/database/db.ts'
import { schemaVersion } from '#server/platform/database/migrate.ts'
import { makeFolder } from '#server/platform/data-folder.ts'
import type { FileStore } from '#server/platform/file-store.ts'
import { listFiles } from './files.ts'
import { copyKey, readCopiedKey, type SecretKey } from './secret-key.ts'
import { readSequences, tablesFor } from './whole-tables.ts'

/** What a copy of the installation uses. */
export interface CopyDependencies {
  database: Database
  files: FileStore
  cipher: BackupCipher | undefined
  key: SecretKey
}

/** What is in the folder of a copy, which is made where it is missing. @throws BackupError */
async function entriesOf(dir: string): Promise<string[]> {
  try {
    makeFolder(dir, 0o700)
    await access(dir, constants.W_OK | constants.X_OK)
    return await readdir(dir)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'erro'
    throw new BackupError(
      `A pasta ${dir} não pode ser usada por esta conta (${code}): dê-lhe permissão, ou escolha outra`,
      { cause: error },
    )
  }
}

/**
 * Copies the whole installation as it is at one moment into a folder that is empty or not there: all rows of
 * all tables, all files and the secret key. Reads everything back, loads the rows into a scratch schema and
 * compares them with their source.
 * @throws BackupError, or what the disk or the database threw; then nothing is left in the folder
 */
export async function copyInstallation(
  { database, files, cipher, key }: CopyDependencies,
  dir: string,
  progress: Progress,
): Promise<CopyManifest> {
  if ((await entriesOf(dir)).length > 0) throw new BackupError(`A pasta ${dir} não está vazia`)
  const place = placeAt(dir, cipher)
  try {
    return await withClient(database, async (client) => {
      const { archive } = await writeArchive<'copy'>(
        client,
        place,
        {
          kind: 'copy',
          version: schemaVersion,
          tables: () => tablesFor(client, 'copy'),
          files: { from: files, list: () => listFiles(client, files) },
          async own() {
            const { rows } = await client.query<{ isDemo: boolean }>(
              'select is_demo as "isDemo" from installation',
            )
            const sequences = await readSequences(client)
            const isDemo = rows[0]?.isDemo === true
            return { kind: 'copy', isDemo, sequences, ...(await copyKey(place, key)) }
          },
        },
        progress,
      )
      await checkArchive(archive, progress)
      await readCopiedKey(archive)
      await compareTables(client, archive, { progress })
      await record(database, 'command', { action: 'maintenance.copy', details: {} })
      return archive.manifest
    })
  } catch (error) {
    for (const name of await readdir(dir)) await rm(join(dir, name), { recursive: true, force: true })
    throw error
  }
}
