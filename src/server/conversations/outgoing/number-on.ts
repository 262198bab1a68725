import { sql } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import { type Db, rows } from '#server/platform/database/db.ts'

/** What is written would wait, and go out when nobody expects it any more. */
export const numberOff = () => new AppError('conversations.number_off')

/** @throws AppError 409 when the number is switched off */
export async function expectNumberOn(db: Db, instanceId: number): Promise<void> {
  const off = await rows(db, sql`select from evolution_api_config where id = ${instanceId} and not is_active`)
  if (off.length > 0) throw numberOff()
}
