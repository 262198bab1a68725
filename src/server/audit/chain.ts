import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'

/** The hash before the first row. */
export const chainStart = '0'.repeat(64)

/**
 * The content of a row `l` of audit_logs, in its canonical form: a JSON array of all its columns in this
 * order, as PostgreSQL writes jsonb (no line breaks, object keys by length and then by bytes, numbers as they
 * were stored), the time in UTC with microseconds, and the number that it happened at if there is one.
 * Position and hash are not part of it, nor is `repeat_key`, which no sealed row has.
 *
 * The hash of a row is SHA-256, in hex, over three texts in UTF-8, separated by line feeds: the hash of the
 * row before (64 zeros for the first), the position in decimal, the content.
 *
 * The personal values are covered by `personal_hash`: SHA-256, in hex, over the salt, in hex, and the values
 * as PostgreSQL writes them.
 */
export const contentOf = sql`(jsonb_build_array(l.id, l.user_id, l.role, l.session_id, l.origin, l.action,
  l.resource_type, l.resource_id, l.outcome, l.repeats, l.details, l.personal_hash,
  to_char(l.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
  || case when l.instance_id is null then '[]'::jsonb else jsonb_build_array(l.instance_id) end)::text`

/** @param content see `contentOf` */
export function hashOf(previous: string, position: number, content: string): string {
  return createHash('sha256').update(`${previous}\n${position}\n${content}`).digest('hex')
}
