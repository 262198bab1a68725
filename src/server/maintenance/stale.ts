import { sql } from 'drizzle-orm'
import type { Db } from '#server/platform/database/db.ts'

/**
 * Fails the backups that a program was making that died: the run continues automatically a moment later, with
 * a backup of its own.
 * @param isAlone no other program is running, so that nobody makes any; otherwise those of runs that are over
 */
export async function failStale(db: Db, isAlone: boolean): Promise<void> {
  await db.execute(
    sql`update maintenance_backups b set status = 'failed', error = 'O servidor parou antes do fim'
         where status = 'processing'
           and not exists (select from job_runs r
                            where r.id = b.run_id
                              and (r.state = 'queued' or (r.state = 'running' and not ${isAlone})))`,
  )
}
