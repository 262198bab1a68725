import { getTableName, sql } from 'drizzle-orm'
import { type Db, rows } from '#server/platform/database/db.ts'
import { declarationOf, schema, type TableName } from '#server/schema/schema.ts'

/** The tables of the job queue, in its own schema. */
export const queueGrowth: Readonly<Record<string, string>> = {
  job: 'has no rows of its own',
  job_common: 'by those under way; the queue deletes others after a day',
  job_dependency: 'no job depends on another',
  queue: 'by the jobs of the program',
  queue_stats: 'not written',
  schedule: 'by the jobs of the program',
  subscription: 'not written',
  version: 'a single row',
  bam: 'by the versions of the queue',
  warning: 'not written',
}

/**
 * How many rows of a table are still there although their time is over.
 * @param slack an interval that its job may take
 */
export async function countOverdue(db: Db, table: TableName, slack: string): Promise<number> {
  const { trimmed } = declarationOf(table).ends
  if (!trimmed) return 0
  const { after, where = sql`true`, besides = 0 } = trimmed
  const [row] = await rows<{ count: number }>(
    db,
    sql`select count(*)::int as count from ${sql.identifier(getTableName(schema[table]))} t
         where (${where}) and ${trimmed.since} + ${after}::interval + ${slack}::interval <= app_now()`,
  )
  return Math.max(0, (row?.count ?? 0) - besides)
}
