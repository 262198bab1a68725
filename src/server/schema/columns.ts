import { sql, type SQL } from 'drizzle-orm'
import { type AnyPgColumn, customType, integer, timestamp } from 'drizzle-orm/pg-core'

/** An identity column; every id of the product fits in 31 bits. */
export const rowId = () => integer('id').primaryKey().generatedAlwaysAsIdentity()

/** An instant, as a Date in code. */
export const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/** The product's clock: see app_now() in the first migration. */
export const appNow = sql`app_now()`

/** A check's condition that allows only these words; migrations take no parameters, so they stand as literals. */
export function oneOf(column: AnyPgColumn, words: readonly string[]): SQL {
  return sql`${column} in (${sql.raw(words.map((word) => `'${word}'`).join(', '))})`
}

/** A transaction id that never wraps around, as text: it is larger than a JavaScript integer may be. */
export const xid8 = customType<{ data: string }>({ dataType: () => 'xid8' })
