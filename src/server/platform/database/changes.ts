import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'

/** The wanted values that differ from those of the row. */
export function differences<Values extends object>(row: Values, wanted: Partial<Values>): Partial<Values> {
  const isOther = ([field, value]: [string, unknown]) =>
    JSON.stringify(row[field as keyof Values]) !== JSON.stringify(value)
  return Object.fromEntries(Object.entries(wanted).filter(isOther)) as Partial<Values>
}

/** Now, but later than the column even for two changes within one tick of the clock. */
export const laterThan = (column: PgColumn): SQL =>
  sql`greatest(app_now(), ${column} + interval '1 millisecond')`
