import { sql } from 'drizzle-orm'
import { type Db, rows } from '#server/platform/database/db.ts'

// What a backup has is not in the database. When that is put back to what it was, the rows of backups stay as
// they are: those that were made since are there, and those that were deleted are not.

/** The completed backups, each as JSON. */
export async function readBackupRows(db: Db): Promise<string[]> {
  const found = await rows<{ row: string }>(
    db,
    sql`select to_jsonb(b)::text as row from maintenance_backups b where status = 'completed' order by id`,
  )
  return found.map(({ row }) => row)
}

/** Makes the completed backups be these. */
export async function writeBackupRows(db: Db, backups: readonly string[]): Promise<void> {
  const all = `[${backups.join(',')}]`
  await db.execute(
    sql`delete from maintenance_backups
         where status = 'completed'
           and file_path not in (select b ->> 'file_path' from jsonb_array_elements(${all}::jsonb) b)`,
  )
  // With the columns that both versions have; runs and people may not be there.
  const columns = await rows<{ name: string }>(
    db,
    sql`select quote_ident(attname) as name from pg_attribute
         where attrelid = 'maintenance_backups'::regclass and attnum > 0 and not attisdropped
           and attname not in ('id', 'run_id', 'created_by')
           and attname in (select jsonb_object_keys(${backups[0] ?? '{}'}::jsonb))`,
  )
  if (columns.length === 0) return
  const list = sql.raw(columns.map(({ name }) => name).join(', '))
  await db.execute(
    sql`insert into maintenance_backups (${list})
        select ${list} from jsonb_populate_recordset(null::maintenance_backups, ${all}::jsonb) b
         where not exists (select from maintenance_backups o where o.file_path = b.file_path)`,
  )
}
