import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, jsonb, text, uuid } from 'drizzle-orm/pg-core'
import { backupStatuses, type CleanupCounts, maintenanceKinds } from '#shared/maintenance/maintenance.ts'
import type { RestoreCounts } from '#shared/maintenance/restore-plan.ts'
import type { MaintenancePlan, RetentionCounts } from '#shared/maintenance/maintenance-plan.ts'
import { appNow, at, oneOf, rowId } from './columns.ts'
import { momentary } from './declare/backup.ts'
import { month, since, singleRow } from './declare/ends.ts'
import { table } from './declare/table.ts'
import { jobRuns } from '#server/schema/platform/jobs.ts'
import { users } from './users.ts'

/** What was read back of a backup, restored into a scratch schema and compared. */
export interface BackupProof {
  /** ISO 8601. */
  at: string
  tables: number
  rows: number
  files: number
  bytes: number
  /** Files that were taken from an earlier backup. */
  reusedFiles: number
  /** Files that were gone when they were copied, and those whose bytes were not those of their row. */
  missingFiles: number
  damagedFiles: number
}

export const maintenanceBackups = table(
  'maintenance_backups',
  {
    id: rowId(),
    name: text('name').notNull(),
    type: text('type', { enum: ['complete'] })
      .notNull()
      .default('complete'),
    status: text('status', { enum: backupStatuses }).notNull().default('processing'),
    /** Its folder in the store of backups: a random name. */
    filePath: text('file_path').notNull().unique(),
    /** Of the file that is downloaded; null until it is completed. */
    size: bigint('size', { mode: 'number' }),
    conversationsCount: integer('conversations_count').notNull().default(0),
    messagesCount: integer('messages_count').notNull().default(0),
    mediaFilesCount: integer('media_files_count').notNull().default(0),
    /** In words. */
    error: text('error'),
    isEncrypted: boolean('is_encrypted').notNull().default(false),
    /** Made by the schedule, which deletes the oldest ones. */
    isScheduled: boolean('is_scheduled').notNull().default(false),
    /** Brought in as a file. */
    isImported: boolean('is_imported').notNull().default(false),
    proof: jsonb('proof').$type<BackupProof>(),
    runId: uuid('run_id').references(() => jobRuns.id, { onDelete: 'set null' }),
    /** null: the schedule, or a command. */
    createdBy: integer('created_by').references(() => users.id),
    createdAt: at('created_at').notNull().default(appNow),
    completedAt: at('completed_at'),
  },
  {
    backup: { left: 'of the files of this installation' },
    wholeCopy: { leftOutOf: ['copy'], why: 'their files are not in the copy' },
    ends: {
      kept: 'the schedule keeps as many of its own as the plan says, a person deletes the others',
      trimmed: {
        by: 'trim-backups',
        after: month,
        since: since('created_at'),
        where: sql`t.status = 'failed'`,
      },
    },
    // The backups themselves keep what they have; a restore leaves out who was anonymized.
    other: `
      id name type status filePath size conversationsCount messagesCount mediaFilesCount error isEncrypted
      isScheduled isImported proof runId createdBy createdAt completedAt
    `,
  },
  (t) => [
    index('maintenance_backups_created').on(t.createdAt, t.id),
    check('maintenance_backups_status', oneOf(t.status, backupStatuses)),
    check(
      'maintenance_backups_completed',
      sql`(${t.status} = 'completed') = (${t.completedAt} is not null and ${t.size} is not null)`,
    ),
  ],
)

/** What the runs of the room work on and bring about; their progress is in `job_runs`. */
export const maintenanceRuns = table(
  'maintenance_runs',
  {
    /** That of the run. */
    id: uuid('id')
      .primaryKey()
      .references(() => jobRuns.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: maintenanceKinds }).notNull(),
    backupId: integer('backup_id').references(() => maintenanceBackups.id, { onDelete: 'set null' }),
    /** When its step began: its pace is counted from then on. */
    step: text('step'),
    stepAt: at('step_at'),
    /** In words, of a failed one. */
    error: text('error'),
    plan: jsonb('plan').$type<RestoreCounts>(),
    cleanup: jsonb('cleanup').$type<CleanupCounts>(),
    retention: jsonb('retention').$type<RetentionCounts>(),
  },
  {
    backup: momentary,
    wholeCopy: { leftOutOf: ['copy'], why: 'of these backups' },
    ends: { bounded: 'by the runs of its job' },
    other: 'id kind backupId step stepAt error plan cleanup retention',
  },
  (t) => [
    index('maintenance_runs_backup').on(t.backupId),
    check('maintenance_runs_kind', oneOf(t.kind, maintenanceKinds)),
  ],
)

/** A single row; without it nothing happens by itself. */
export const maintenancePlans = table(
  'maintenance_plans',
  {
    id: integer('id').primaryKey().default(1),
    /** With its version, which each change raises; absent: 0. */
    plan: jsonb('plan').$type<MaintenancePlan & { version?: number }>().notNull(),
    /** The day of the settings' zone for which the scheduled backup was last begun. */
    backupDay: text('backup_day'),
    /** The same of the night's deletions. */
    retentionDay: text('retention_day'),
    updatedAt: at('updated_at').notNull().default(appNow),
  },
  {
    backup: { left: 'when this installation makes its backups' },
    ends: singleRow,
    other: 'id plan backupDay retentionDay updatedAt',
  },
  (t) => [check('maintenance_plans_single', sql`${t.id} = 1`)],
)

/** Files that a restore has put into the file store, until it is over: without a row of `files`, they go. */
export const restoredFiles = table(
  'restored_files',
  {
    name: text('name').primaryKey(),
    runId: uuid('run_id').notNull(),
  },
  {
    backup: momentary,
    wholeCopy: { leftOutOf: ['copy'], why: 'of the file store of this installation' },
    ends: { bounded: 'by the files of one restore' },
    other: 'name runId',
  },
)
