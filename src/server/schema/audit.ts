import { index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { appNow, at, rowId } from './columns.ts'

/** @see security §5.1 */
export const auditLogs = pgTable(
  'audit_logs',
  {
    id: rowId(),
    /** null: the system, or somebody who is not signed in. */
    userId: integer('user_id'),
    action: text('action').notNull(),
    resourceType: text('resource_type').notNull(),
    resourceId: text('resource_id'),
    details: jsonb('details').$type<Record<string, unknown>>().notNull().default({}),
    createdAt: at('created_at').notNull().default(appNow),
  },
  (t) => [
    index('audit_logs_created').on(t.createdAt),
    index('audit_logs_resource').on(t.resourceType, t.resourceId),
  ],
)
