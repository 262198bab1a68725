import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import { type AnyPgColumn, customType, integer, timestamp } from 'drizzle-orm/pg-core'

/** An identity column; all ids of the product fit in 31 bits. */
export const rowId = () => integer('id').primaryKey().generatedAlwaysAsIdentity()

/** A timestamp with time zone, as a Date. */
export const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/** A time as the API writes it, as a value of a query: '2026-11-19T17:32:08.125Z'. */
export const isoTime = (time: SQLWrapper): SQL<string> =>
  sql`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** The product's clock: see app_now() in the first migration. */
export const appNow = sql`app_now()`

/**
 * The condition of a check that allows only these words. They are literals, because migrations take no
 * parameters.
 */
export function oneOf(column: AnyPgColumn, words: readonly string[]): SQL {
  return sql`${column} in (${sql.raw(words.map((word) => `'${word}'`).join(', '))})`
}

/**
 * What `fold` in shared/text makes of a text. Some microseconds a text: a column that is searched in all rows
 * has it stored beside it.
 */
export function folded(text: SQLWrapper): SQL {
  return sql`lower(regexp_replace(normalize(${text}, NFD), '[\\u0300-\\u036f]', '', 'g'))`
}

/** A transaction id that never wraps around. A string, because it may exceed JavaScript's safe integers. */
export const xid8 = customType<{ data: string }>({ dataType: () => 'xid8' })

/** The words of a text with their places; read and written in PostgreSQL's notation. */
export const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })
