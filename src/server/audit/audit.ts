import type { Db } from '#server/platform/database/db.ts'
import { auditLogs } from '#server/schema/audit.ts'

export interface AuditEntry {
  /** null: the system, or somebody who is not signed in. */
  userId: number | null
  /** `noun.verb`, such as 'conversation.finalize'. */
  action: string
  resourceType: string
  resourceId?: string | number
  /** Without secrets and message texts. */
  details?: Record<string, unknown>
}

/** Records who did what, in the same transaction. @see security §5.1 */
export async function record(db: Db, entry: AuditEntry): Promise<void> {
  await db.insert(auditLogs).values({
    userId: entry.userId,
    action: entry.action,
    resourceType: entry.resourceType,
    resourceId: entry.resourceId === undefined ? null : String(entry.resourceId),
    details: entry.details ?? {},
  })
}
