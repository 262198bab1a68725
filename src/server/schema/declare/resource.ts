import { type SQL, sql } from 'drizzle-orm'
import type { AuditResource } from '#shared/audit/audit-actions.ts'

/** Whose rows the audit log is about, and what each is called when the log is read. */
export interface Resource {
  type: AuditResource
  /** A query for the present name, for a row `l` of the log. */
  name: SQL
}

/** An id in a text, of which anything may be left. */
const idIn = (text: SQL) => sql`case when ${text} ~ '^[0-9]{1,9}$' then (${text})::int end`

/** The id of the resource. */
export const resourceId = idIn(sql`l.resource_id`)
/** An id in the details, which remains when the resource is gone. */
export const idInDetails = (field: string): SQL => idIn(sql.raw(`(l.details ->> '${field}')`))
