import { sql } from 'drizzle-orm'
import { type Db, rows } from '#server/platform/database/db.ts'

/** Whether a table of the product has the column, in the version that is there. */
export async function hasColumn(db: Db, table: string, column: string): Promise<boolean> {
  const found = await rows(
    db,
    sql`select from pg_attribute a join pg_class c on c.oid = a.attrelid
         where c.relnamespace = 'public'::regnamespace and c.relname = ${table} and a.attname = ${column}
           and not a.attisdropped`,
  )
  return found.length > 0
}
