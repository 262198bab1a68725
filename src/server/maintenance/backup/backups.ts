import { and, desc, eq, ne, sql } from 'drizzle-orm'
import type { Backup } from '#shared/maintenance/maintenance.ts'
import { AppError } from '#shared/errors.ts'
import type { BackupStore } from '#server/maintenance/archive/store.ts'
import { type Database, type Db, rows, type Tx } from '#server/platform/database/db.ts'
import { defineJob, type JobDefinition } from '#server/platform/jobs/job-definition.ts'
import type { Config } from '#server/platform/config.ts'
import type { Figures } from '#server/platform/metrics.ts'
import { newFileName } from '#server/platform/file-store.ts'
import { installation } from '#server/schema/installation.ts'
import { maintenanceBackups } from '#server/schema/maintenance.ts'
import { users } from '#server/schema/users.ts'

export type BackupRow = typeof maintenanceBackups.$inferSelect

const backupNotFound = () => new AppError('maintenance.not_found')

const views = (db: Db) =>
  db
    .select({ row: maintenanceBackups, createdBy: users.name })
    .from(maintenanceBackups)
    .leftJoin(users, eq(users.id, maintenanceBackups.createdBy))
    .$dynamic()

/** An installation with a key signs its backups. */
type Signing = Pick<Config, 'backupKey'>

/** All backups, newest first. */
export async function listBackupViews(db: Db, config: Signing): Promise<Backup[]> {
  const found = await views(db).orderBy(desc(maintenanceBackups.createdAt), desc(maintenanceBackups.id))
  return found.map((view) => toBackup(view, config))
}

/** Metrics of the backups that this installation has made. */
export async function backupFigures(db: Db): Promise<Figures> {
  const [row] = await rows<{ age: number }>(
    db,
    sql`select extract(epoch from app_now() - coalesce(
                 (select max(completed_at) from maintenance_backups
                   where status = 'completed' and not is_imported),
                 (select created_at from installation)))::float8 as age`,
  )
  return {
    balcao_backup_age_seconds: {
      help: 'Since the newest backup was completed and proven; before the first, the age of the installation',
      value: Math.max(0, row?.age ?? 0),
    },
  }
}

/** @throws AppError 404 */
export async function readBackupView(db: Db, config: Signing, id: number): Promise<Backup> {
  const [found] = await views(db).where(eq(maintenanceBackups.id, id))
  if (!found) throw backupNotFound()
  return toBackup(found, config)
}

function toBackup({ row, createdBy }: { row: BackupRow; createdBy: string | null }, config: Signing): Backup {
  const { id, name, type, status, size, conversationsCount, messagesCount, mediaFilesCount, error } = row
  const { isEncrypted, isImported, createdAt, completedAt, proof } = row
  return {
    id,
    name,
    type,
    status,
    size,
    conversationsCount,
    messagesCount,
    mediaFilesCount,
    error,
    isEncrypted,
    isUnsigned: isUnsigned(row, config),
    isImported,
    createdBy,
    createdAt: createdAt.toISOString(),
    completedAt: completedAt?.toISOString() ?? null,
    proof,
  }
}

/** Nobody knows who made it: it is restored only if whoever does so trusts it. */
export const isUnsigned = ({ status, isEncrypted }: BackupRow, { backupKey }: Signing): boolean =>
  status === 'completed' && backupKey !== undefined && !isEncrypted

/** @throws AppError 404 */
export async function lockBackup(db: Tx, id: number): Promise<BackupRow> {
  const [row] = await db.select().from(maintenanceBackups).where(eq(maintenanceBackups.id, id)).for('update')
  if (!row) throw backupNotFound()
  return row
}

/** @throws AppError 404, 409 unless it is completed */
export async function readCompleted(db: Db, id: number): Promise<BackupRow> {
  const [row] = await db.select().from(maintenanceBackups).where(eq(maintenanceBackups.id, id))
  if (!row) throw backupNotFound()
  if (row.status !== 'completed') throw new AppError('maintenance.not_completed')
  return row
}

export async function findBackup(db: Db, id: number): Promise<BackupRow | undefined> {
  const [row] = await db.select().from(maintenanceBackups).where(eq(maintenanceBackups.id, id))
  return row
}

export async function insertBackup(db: Db, backup: typeof maintenanceBackups.$inferInsert): Promise<number> {
  const [made] = await db.insert(maintenanceBackups).values(backup).returning({ id: maintenanceBackups.id })
  if (!made) throw new Error('backup not inserted')
  return made.id
}

/** Ends one that is in progress. @returns it; undefined when it has ended already */
export async function endBackup(
  db: Db,
  id: number,
  end: Partial<typeof maintenanceBackups.$inferInsert> & { status: 'completed' | 'failed' },
): Promise<BackupRow | undefined> {
  const [row] = await db
    .update(maintenanceBackups)
    .set({ ...end, ...(end.status === 'completed' && { completedAt: sql`app_now()` }) })
    .where(and(eq(maintenanceBackups.id, id), eq(maintenanceBackups.status, 'processing')))
    .returning()
  return row
}

/** The newest completed one besides the given. */
export async function findNewest(db: Db, besidesId: number): Promise<BackupRow | undefined> {
  const [row] = await db
    .select()
    .from(maintenanceBackups)
    .where(and(eq(maintenanceBackups.status, 'completed'), ne(maintenanceBackups.id, besidesId)))
    .orderBy(desc(maintenanceBackups.completedAt))
    .limit(1)
  return row
}

/** The folders that belong to a backup that is completed, or in progress. */
async function listFolders(db: Db): Promise<string[]> {
  const found = await db
    .select({ folder: maintenanceBackups.filePath })
    .from(maintenanceBackups)
    .where(ne(maintenanceBackups.status, 'failed'))
  return found.map(({ folder }) => folder)
}

/**
 * How the names of folders begin that this database gives. A copy of it gives others, as a new database does
 * beside the same store: it does not know the rows of what is there, and must not take it for leftovers.
 */
async function folderPrefix(db: Db): Promise<string> {
  const [row] = await db.select({ epoch: installation.epoch }).from(installation)
  if (!row) throw new Error('no installation')
  return `${row.epoch.replaceAll('-', '').slice(0, 12)}-`
}

/** A name for the folder of a new backup, which nobody can guess. */
export const newFolder = async (db: Db): Promise<string> => `${await folderPrefix(db)}${newFileName()}`

/**
 * Removes what runs and commands that died, and failed runs, have written. Call it with the lock of the
 * maintenance: what is brought in as a file has a row only in the end.
 */
export async function removeLeftovers(db: Db, store: BackupStore): Promise<void> {
  const stored = await store.list()
  const known = new Set(await listFolders(db))
  const prefix = await folderPrefix(db)
  for (const folder of stored) if (folder.startsWith(prefix) && !known.has(folder)) await store.remove(folder)
}

/** Of the schedule, those beyond the newest `kept`. */
export async function listOutdated(db: Db, kept: number): Promise<BackupRow[]> {
  return db
    .select()
    .from(maintenanceBackups)
    .where(and(eq(maintenanceBackups.status, 'completed'), maintenanceBackups.isScheduled))
    .orderBy(desc(maintenanceBackups.completedAt))
    .offset(kept)
}

/** A failed backup has no file. Its row says what was wrong, for a month. */
export function trimBackupsJob(database: Database): JobDefinition {
  return defineJob({
    name: 'trim-backups',
    schedule: '37 4 * * *',
    afterCrash: 'again',
    async work() {
      await database
        .delete(maintenanceBackups)
        .where(
          and(
            eq(maintenanceBackups.status, 'failed'),
            sql`${maintenanceBackups.createdAt} <= app_now() - interval '30 days'`,
          ),
        )
    },
  })
}
