import * as z from 'zod/mini'
import { listing, reading } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'
import { id, idParam, instant } from '#shared/users/users.ts'
import { retentionCounts } from './maintenance-plan.ts'
import { restorePlan } from './restore-plan.ts'

/** What runs in the background and is followed on the screen. */
export const maintenanceKinds = ['backup', 'preview', 'restore', 'cleanup', 'retention'] as const
export type MaintenanceKind = (typeof maintenanceKinds)[number]

/** The steps of each kind, in their order. */
export const maintenanceSteps = {
  backup: ['tables', 'files', 'check', 'compare', 'close'],
  preview: ['check', 'stage', 'plan'],
  restore: ['check', 'stage', 'plan', 'files', 'apply'],
  cleanup: ['delete'],
  retention: ['files', 'texts', 'inbox', 'audit'],
} as const satisfies Record<MaintenanceKind, readonly string[]>
export type MaintenanceStep = (typeof maintenanceSteps)[MaintenanceKind][number]
const step = z.enum([...new Set(Object.values(maintenanceSteps).flat())])

export const cleanupCounts = z.object({
  deletedConversations: z.int(),
  deletedMessages: z.int(),
  deletedFiles: z.int(),
})
export type CleanupCounts = z.infer<typeof cleanupCounts>

const runStates = ['queued', 'running', 'done', 'failed', 'cancelled'] as const

export const maintenanceRun = z.object({
  id: z.string(),
  kind: z.enum(maintenanceKinds),
  state: z.enum(runStates),
  /** null before the first. */
  step: z.nullable(step),
  /** How far the step is: rows of tables, bytes of files. */
  done: z.int(),
  total: z.nullable(z.int()),
  /** Of the step, by its pace until now; null while that is unknown. */
  secondsLeft: z.nullable(z.int()),
  backupId: z.nullable(id),
  /** null: by the schedule. */
  startedBy: z.nullable(z.string()),
  startedAt: z.nullable(instant),
  finishedAt: z.nullable(instant),
  /** In words, of a failed one. */
  error: z.nullable(z.string()),
  /** Of a preview and of a restore. */
  plan: z.nullable(restorePlan),
  /** Of a cleanup, while it runs as well. */
  cleanup: z.nullable(cleanupCounts),
  /** Of the nightly run of the plan, while it runs as well. */
  retention: z.nullable(retentionCounts),
})
export type MaintenanceRun = z.infer<typeof maintenanceRun>

export const backupStatuses = ['processing', 'completed', 'failed'] as const

export const backup = z.object({
  id,
  name: z.string(),
  type: z.literal('complete'),
  status: z.enum(backupStatuses),
  /** Of the file that Download gives, in bytes; null until it is completed. */
  size: z.nullable(z.int()),
  conversationsCount: z.int(),
  messagesCount: z.int(),
  mediaFilesCount: z.int(),
  /** In words, of a failed one. */
  error: z.nullable(z.string()),
  isEncrypted: z.boolean(),
  /** Not signed, though the server has a key for that: a restore is refused unless it says otherwise. */
  isUnsigned: z.boolean(),
  /** Brought in by the command line. */
  isImported: z.boolean(),
  /** null: by the schedule, or by the command line. */
  createdBy: z.nullable(z.string()),
  createdAt: instant,
  completedAt: z.nullable(instant),
  /** What was read back, restored into a scratch schema and compared; null until then. */
  proof: z.nullable(
    z.object({
      at: instant,
      tables: z.int(),
      rows: z.int(),
      files: z.int(),
      bytes: z.int(),
      /** Files that an earlier backup had. */
      reusedFiles: z.int(),
      /** Files that were gone when they were copied, and those whose bytes had changed by themselves. */
      missingFiles: z.int(),
      damagedFiles: z.int(),
    }),
  ),
})
export type Backup = z.infer<typeof backup>

export const storageKinds = ['text', 'image', 'audio', 'video', 'document'] as const
export type StorageKind = (typeof storageKinds)[number]

export const maintenanceStats = z.object({
  /** Of files and database, against the quota; sizes in bytes. */
  diskUsage: z.object({
    totalSize: z.int(),
    percentage: z.number(),
    mediaFiles: z.int(),
    totalFiles: z.int(),
  }),
  database: z.object({
    size: z.int(),
    conversations: z.int(),
    messages: z.int(),
    contacts: z.int(),
    companies: z.int(),
  }),
  lastBackup: z.nullable(z.object({ date: instant, size: z.int(), status: z.enum(backupStatuses) })),
  /** Of the newest completed one; null without. */
  lastProof: z.nullable(z.object({ at: instant, rows: z.int(), files: z.int(), name: z.string() })),
  kinds: z.array(z.object({ kind: z.enum(storageKinds), count: z.int(), sizeBytes: z.int() })),
  /** Bytes that the last seven days have added. */
  weekGrowth: z.int(),
  /** Free on the disk; null with files in a bucket. */
  freeBytes: z.nullable(z.int()),
  /** Until the disk is full, at the pace of the last week; null when nothing grows. */
  daysLeft: z.nullable(z.int()),
  /** Of each kind the last one, newest first. */
  runs: z.array(maintenanceRun),
})
export type MaintenanceStats = z.infer<typeof maintenanceStats>

export const getMaintenanceStats = endpoint({
  method: 'GET',
  path: '/api/maintenance/stats',
  summary: 'Uso de disco, banco de dados, último backup e trabalhos em andamento',
  act: 'accessMaintenance',
  audit: reading,
  reply: maintenanceStats,
})

export const listBackups = endpoint({
  method: 'GET',
  path: '/api/maintenance/backups',
  summary: 'Os backups, do mais novo ao mais antigo',
  act: 'accessMaintenance',
  audit: listing,
  reply: z.array(backup),
})

export const backupName = z.string().check(z.trim(), z.minLength(1), z.maxLength(100))

/** Answers at once; its progress is in `runs` of the stats. */
export const createBackup = endpoint({
  method: 'POST',
  path: '/api/maintenance/backup',
  summary: 'Começar um backup',
  act: 'accessMaintenance',
  audit: 'maintenance.backup',
  body: z.object({ name: backupName, type: z.literal('complete') }),
  reply: backup,
  status: 201,
})

export const deleteBackup = endpoint({
  method: 'DELETE',
  path: '/api/maintenance/backups/:id',
  summary: 'Apagar um backup e o seu arquivo',
  act: 'accessMaintenance',
  audit: 'maintenance.delete',
  ids: { id: 'backup' },
  params: z.object({ id: idParam }),
  isSensitive: true,
})

/** A TAR, with ranges; see docs/operations.md for what is in it. */
export const downloadBackup = endpoint({
  method: 'GET',
  path: '/api/maintenance/download/:backupId',
  summary: 'Baixar o arquivo de um backup concluído',
  act: 'accessMaintenance',
  audit: 'maintenance.download',
  isSensitive: true,
  ids: { backupId: 'backup' },
  params: z.object({ backupId: idParam }),
  sendsFile: true,
})

const restoreChoice = z.object({
  restoreComplete: z.boolean(),
  restoreSettings: z.boolean(),
  /** Whoever restores it trusts this backup, though it is not signed. */
  acceptUnsigned: z.optional(z.boolean()),
})
export type RestoreChoice = z.infer<typeof restoreChoice>
const runReply = { reply: maintenanceRun, status: 201 } as const

/** The same as a restore but for its last step: nothing changes, and its plan tells what would. */
export const previewRestore = endpoint({
  method: 'POST',
  path: '/api/maintenance/restore/:backupId/preview',
  summary: 'Ver o que uma restauração mudaria, sem mudar nada',
  act: 'accessMaintenance',
  audit: 'maintenance.preview',
  ids: { backupId: 'backup' },
  params: z.object({ backupId: idParam }),
  body: restoreChoice,
  ...runReply,
})

/** Whole or not at all. Answers at once; its progress is in `runs` of the stats. */
export const restoreBackup = endpoint({
  method: 'POST',
  path: '/api/maintenance/restore/:backupId',
  summary: 'Restaurar um backup concluído',
  act: 'accessMaintenance',
  audit: 'maintenance.restore',
  ids: { backupId: 'backup' },
  params: z.object({ backupId: idParam }),
  body: restoreChoice,
  isSensitive: true,
  ...runReply,
})

/** What was deleted until then stays deleted; a backup or a restore leaves nothing. */
export const stopMaintenance = endpoint({
  method: 'POST',
  path: '/api/maintenance/runs/:runId/stop',
  summary: 'Parar um trabalho de manutenção em andamento',
  act: 'accessMaintenance',
  audit: 'maintenance.stop',
  ids: { runId: 'run' },
  params: z.object({ runId: z.uuid() }),
})

const day = z.iso.date()
/** Days of the settings' time zone, both inclusive, by the end of the conversation. */
const cleanupChoice = z.union([
  z.strictObject({ dateFrom: day, dateTo: day }),
  z.strictObject({ cleanAll: z.literal(true) }),
])
export type CleanupChoice = z.infer<typeof cleanupChoice>

export const previewCleanup = endpoint({
  method: 'POST',
  path: '/api/maintenance/cleanup/preview',
  summary: 'Contar o que uma limpeza apagaria',
  act: 'accessMaintenance',
  audit: { not: 'counts, and deletes nothing' },
  body: cleanupChoice,
  reply: z.object({
    conversations: z.int(),
    messages: z.int(),
    files: z.int(),
    sizeBytes: z.int(),
  }),
})

/**
 * Answers when it has ended; until then its progress is in `runs` of the stats. Where it was stopped, or no
 * jobs run, it is not finished: the counts are of what it has deleted.
 */
export const cleanupConversations = endpoint({
  method: 'POST',
  path: '/api/maintenance/cleanup',
  summary: 'Apagar conversas finalizadas, com mensagens e arquivos',
  act: 'accessMaintenance',
  audit: 'maintenance.cleanup',
  body: cleanupChoice,
  isSensitive: true,
  reply: z.object({ ...cleanupCounts.shape, isFinished: z.boolean() }),
})
