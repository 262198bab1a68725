import { sql } from 'drizzle-orm'
import { type Db, rows } from '#server/platform/db.ts'

/** For metrics: how many messages wait, are in doubt, or have failed. */
export async function outboxHealth(db: Db): Promise<{ pending: number; unknown: number; failed: number }> {
  const [row] = await rows<{ pending: number; unknown: number; failed: number }>(
    db,
    sql`select count(*) filter (where state = 'pending')::int as pending,
               count(*) filter (where state = 'unknown')::int as unknown,
               count(*) filter (where state = 'failed')::int as failed from outbox`,
  )
  return row ?? { pending: 0, unknown: 0, failed: 0 }
}
