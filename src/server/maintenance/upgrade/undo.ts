import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { checkArchive, openArchive, placeAt } from '#server/maintenance/archive/archive.ts'
import { BackupError, orDamaged } from '#server/maintenance/archive/backup-error.ts'
import type { BackupCipher } from '#server/maintenance/archive/cipher.ts'
import { refuseUnknownVersion } from '#server/maintenance/archive/manifest.ts'
import type { Progress } from '#server/maintenance/archive/progress.ts'
import { withClient } from '#server/maintenance/archive/scratch.ts'
import { markSendsUnknown } from '#server/maintenance/copy/mark-sends-unknown.ts'
import { loadInstallation, sourceOf } from '#server/maintenance/copy/load.ts'
import { refuseServed } from '#server/maintenance/copy/move.ts'
import { readSequences, type Sequence } from '#server/maintenance/copy/whole-tables.ts'
import type { Config } from '#server/platform/config.ts'
import { type Database, type Db, rows } from '#server/platform/database/db.ts'
import { dropSchema, lockMigrations, readSchemaState, tagOf } from '#server/platform/database/migrate.ts'
import { copiesFolder, listCopies, removeOldCopies } from './copies.ts'
import { copyTables, type UpgradeCopy } from './copy-tables.ts'
import { readBackupRows, writeBackupRows } from './kept-backups.ts'

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
  refuseUnknownVersion(manifest)
  const [own] = await rows<{ uid: string }>(database, sql`select uid::text from installation`)
  if (manifest.installation !== own?.uid) throw new BackupError('A cópia é de outra instalação')
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

const open = async (path: string, cipher: BackupCipher | undefined): Promise<UpgradeCopy> => ({
  ...(await openArchive(placeAt(path, cipher), 'upgrade')),
  path,
})

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
  copy: UpgradeCopy,
  progress: Progress,
): Promise<Undone> {
  const { manifest } = copy
  await orDamaged('A cópia está danificada', () => checkArchive(copy, progress))
  return withClient(database, async (client) => {
    await lockMigrations(client)
    await refuseServed(client)
    const { version } = await readSchemaState(client)
    const kept = await copyTables({ config, cipher, client }, version, progress)
    let [sequences, backupRows]: [Sequence[], string[]] = [[], []]
    await progress.begin('stage')
    const source = sourceOf(copy, () => furthest(manifest.sequences, sequences))
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
  })
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
  await db.execute(
    sql`insert into audit_logs (action, resource_type, origin, details)
        values ('maintenance.attach', 'maintenance', 'command', ${JSON.stringify({ madeAt })}::jsonb)`,
  )
}
