import { sql } from 'drizzle-orm'
import { type Database, rows } from '#server/platform/database/db.ts'
import type { FileStore } from '#server/platform/file-store.ts'
import { defineJob, type JobDefinition } from '#server/platform/jobs/job-definition.ts'

const keptDays = 30
const atOnce = 5000

/** Files and their rows hold what people wrote about others: they go after a month. */
export function trimImportsJob(database: Database, files: FileStore): JobDefinition {
  return defineJob({
    name: 'trim-contact-imports',
    schedule: '23 4 * * *',
    afterCrash: 'again',
    work: () => trimImports(database, files),
  })
}

export async function trimImports(database: Database, files: FileStore): Promise<void> {
  const old = await rows<{ id: number; storedName: string }>(
    database,
    sql`select id, stored_name as "storedName" from contact_imports
         where created_at < app_now() - ${keptDays} * interval '1 day'
           and state not in ('running', 'undoing') order by id`,
  )
  for (const { id, storedName } of old) {
    await files.remove(storedName)
    for (let found = atOnce; found === atOnce;) {
      const gone = await rows(
        database,
        sql`delete from contact_import_rows where import_id = ${id} and line in (
              select line from contact_import_rows where import_id = ${id} limit ${atOnce}) returning 1 as n`,
      )
      found = gone.length
    }
    await database.execute(
      sql`delete from contact_imports where id = ${id} and state not in ('running', 'undoing')`,
    )
  }
}
