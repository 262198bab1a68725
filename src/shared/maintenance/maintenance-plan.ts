import * as z from 'zod/mini'
import { tuning } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'

/** What the periods of the plan have deleted: files and texts of messages, bodies of webhooks, audit rows. */
export const retentionCounts = z.object({ files: z.int(), texts: z.int(), inbox: z.int(), audit: z.int() })
export type RetentionCounts = z.infer<typeof retentionCounts>

const keptDays = z.nullable(z.int().check(z.minimum(1), z.maximum(3650)))

/** What happens by itself. A period is in days; null: kept for ever. */
export const maintenancePlan = z.object({
  /** Each day at that time of the settings' time zone. */
  isBackupScheduled: z.boolean(),
  backupTime: z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/)),
  /** How many completed backups of the schedule are kept. */
  backupsKept: z.int().check(z.minimum(1), z.maximum(365)),
  /** Files of messages in completed conversations, from their completion. */
  mediaDays: keptDays,
  /** Texts of messages in completed conversations, from their completion; their counts and times stay. */
  textDays: keptDays,
  /**
   * Bodies of processed webhooks; null: 30 days. Those of the last days are needed to know what comes twice.
   */
  inboxDays: z.nullable(z.int().check(z.minimum(7), z.maximum(3650))),
  /** Rows of the audit log. */
  auditDays: z.nullable(z.int().check(z.minimum(180), z.maximum(3650))),
})
export type MaintenancePlan = z.infer<typeof maintenancePlan>

const storedPlan = z.object({ ...maintenancePlan.shape, version: z.int() })
/** With the version, which each change raises. */
export type StoredPlan = z.infer<typeof storedPlan>

export const getMaintenancePlan = endpoint({
  method: 'GET',
  path: '/api/maintenance/plan',
  summary: 'O backup diário e por quanto tempo se guarda',
  act: 'accessMaintenance',
  audit: tuning,
  reply: storedPlan,
})

export const putMaintenancePlan = endpoint({
  method: 'PUT',
  path: '/api/maintenance/plan',
  summary: 'Mudar o backup diário e por quanto tempo se guarda',
  act: 'accessMaintenance',
  audit: 'maintenance.plan',
  body: z.object({
    ...maintenancePlan.shape,
    /** That the caller saw. If somebody has changed the plan since, the call is refused. */
    version: z.optional(z.int().check(z.minimum(0), z.maximum(2 ** 31 - 1))),
  }),
  isSensitive: true,
  reply: storedPlan,
})

export const previewRetention = endpoint({
  method: 'POST',
  path: '/api/maintenance/plan/preview',
  summary: 'Contar o que os prazos apagariam na próxima noite',
  act: 'accessMaintenance',
  audit: { not: 'counts, and deletes nothing' },
  body: maintenancePlan,
  reply: retentionCounts,
})
