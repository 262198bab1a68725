import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { BackupError } from '#server/maintenance/archive/backup-error.ts'
import type { BackupCipher } from '#server/maintenance/archive/cipher.ts'
import { checkFile, openContents } from '#server/maintenance/archive/file.ts'
import type { TableEntry } from '#server/maintenance/archive/manifest.ts'
import type { Progress } from '#server/maintenance/archive/progress.ts'
import { openClient } from '#server/maintenance/archive/scratch.ts'
import { readLines } from '#server/maintenance/archive/stage.ts'
import { createSoleStore } from '#server/maintenance/archive/store.ts'
import { hasColumn } from '#server/maintenance/copy/columns.ts'
import { orDamaged } from '#server/maintenance/copy/damage.ts'
import { markSendsUnknown } from '#server/maintenance/copy/mark-sends-unknown.ts'
import { loadInstallation, type Source } from '#server/maintenance/copy/load.ts'
import { refuseServed } from '#server/maintenance/copy/move.ts'
import { readSequences, type Sequence } from '#server/maintenance/copy/whole-tables.ts'
import type { Config } from '#server/platform/config.ts'
import { type Database, type Db, rows } from '#server/platform/database/db.ts'
import {
  dropSchema,
  knowsSchema,
  lockMigrations,
  readSchemaState,
  tagOf,
} from '#server/platform/database/migrate.ts'
import { copiesFolder, listCopies, removeOldCopies } from './copies.ts'
import { copyTables, type UpgradeCopy } from './copy-tables.ts'
import { readBackupRows, writeBackupRows } from './kept-backups.ts'
import { readUpgradeManifest } from './upgrade-manifest.ts'

export interface UndoParts {
  config: Pick<Config, 'dataDir' | 'databaseUrl'>
  database: Database
  cipher: BackupCipher | undefined
}

/** A copy from before an upgrade, and what is in the database and not in it. */
export interface Undoable extends UpgradeCopy {
  /** Name of its version. */
  tag: string
  since: { conversations: number; messages: number; anonymized: number }
}

/**
 * Finds the copy that an undo would bring back.
 * @param path of one of them; by default the newest of an earlier version
 * @throws BackupError when there is none, or it is not of this installation
 */
export async function findUndo(
  { config, database, cipher }: UndoParts,
  path: string | undefined,
): Promise<Undoable> {
  const { version } = await readSchemaState(database.pool)
  if (path !== undefined && !existsSync(join(path, 'manifest.json')))
    throw new BackupError(`Não há uma cópia em ${path}`)
  const found = path === undefined ? await newestBefore(config, cipher, version) : await open(path, cipher)
  if (!found) throw new BackupError(`Em ${copiesFolder(config)} não há cópia de antes de uma atualização`)
  const { manifest } = found
  if (!knowsSchema(manifest.schema))
    throw new BackupError('A cópia é de uma versão do Balcão que esta não conhece')
  const [own] = await rows<{ uid: string }>(database, sql`select uid::text from installation`)
  if (manifest.installation !== null && manifest.installation !== own?.uid)
    throw new BackupError('A cópia é de outra instalação')
  return { ...found, tag: tagOf(manifest.schema), since: await countSince(database, manifest.madeAt) }
}

async function newestBefore(
  config: UndoParts['config'],
  cipher: BackupCipher | undefined,
  version: number,
): Promise<UpgradeCopy | undefined> {
  for (const path of await listCopies(config)) {
    const copy = await open(path, cipher)
    if (copy.manifest.schema < version) return copy
  }
  return undefined
}

async function open(path: string, cipher: BackupCipher | undefined): Promise<UpgradeCopy> {
  return {
    path,
    manifest: await openContents({ store: createSoleStore(path), cipher }, '', readUpgradeManifest),
  }
}

async function countSince(db: Db, madeAt: string): Promise<Undoable['since']> {
  const [found] = await rows<Undoable['since']>(
    db,
    sql`select (select count(*)::int from conversations where created_at > ${madeAt}) as conversations,
               (select count(*)::int from messages where created_at > ${madeAt}) as messages,
               (select count(*)::int from privacy_requests
                 where kind = 'anonymize' and created_at > ${madeAt}) as anonymized`,
  )
  return found ?? { conversations: 0, messages: 0, anonymized: 0 }
}

/** What an undo has done. */
export interface Undone {
  tables: number
  rows: number
  /** The copy of what was in the database until then. */
  kept: string | undefined
}

/**
 * Puts the database back to what it was before an upgrade: its tables and its rows, in one transaction. What
 * is there now is copied before, as for an upgrade. No server may run, and none can start meanwhile. Files
 * stay, and so do backups.
 * @throws BackupError, or what the disk or the database threw; then the database is as it was
 */
export async function undoUpgrade(
  { config, database, cipher }: UndoParts,
  { path, manifest }: UpgradeCopy,
  progress: Progress,
): Promise<Undone> {
  const place = { store: createSoleStore(path), cipher: manifest.isEncrypted ? cipher : undefined }
  await orDamaged('A cópia está danificada', () => checkFile(place, '', manifest, progress))
  const client = await openClient(database)
  try {
    await lockMigrations(client)
    await refuseServed(client)
    const { version } = await readSchemaState(client)
    const kept = await copyTables({ config, cipher, client }, version, progress)
    let [sequences, backupRows]: [Sequence[], string[]] = [[], []]
    await progress.begin('stage')
    const source: Source<TableEntry> = {
      version: manifest.schema,
      tables: manifest.tables,
      read: (table) => ({ lines: readLines(place, '', table), measured: () => table }),
      sequences: () => Promise.resolve(furthest(manifest.sequences, sequences)),
    }
    const loaded = await loadInstallation(client, source, {
      progress,
      upTo: manifest.schema,
      async clear(db) {
        sequences = await readSequences(client)
        backupRows = await readBackupRows(db)
        await dropSchema(client)
      },
      async finish(db) {
        await markSendsUnknown(db)
        await writeBackupRows(db, backupRows)
        await recordUndo(db, manifest.madeAt)
      },
    })
    if (kept) await removeOldCopies(config, new Date(kept.manifest.madeAt))
    return { ...loaded, kept: kept?.path }
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Numbers that were given since are not given again: clients and phones know them. */
function furthest(then: readonly Sequence[], now: readonly Sequence[]): Sequence[] {
  return then.map((sequence) => {
    const later = now.find(({ name }) => name === sequence.name)
    return later && BigInt(later.value) > BigInt(sequence.value) ? later : sequence
  })
}

/** Under an action and in columns that earlier versions know. */
async function recordUndo(db: Db, madeAt: string): Promise<void> {
  const origin = await hasColumn(db, 'audit_logs', 'origin')
  await db.execute(
    sql`insert into audit_logs (action, resource_type, details ${origin ? sql`, origin` : sql``})
        values ('maintenance.attach', 'maintenance', ${JSON.stringify({ madeAt })}::jsonb
                ${origin ? sql`, 'command'` : sql``})`,
  )
}
