import { type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import { fold } from '#shared/text/fold.ts'
import { literal } from './db.ts'

/** Latin letters without diacritics, equal to `fold`; the extension unaccent is not available everywhere. */
export const folded = (column: SQLWrapper) =>
  sql`translate(lower(${column}), 'áàâãäåéèêëíìîïóòôõöúùûüçñýÿ', 'aaaaaaeeeeiiiiooooouuuucnyy')`

/** Whether the column contains the words as written, whatever their case and accents. */
export function contains(column: SQLWrapper, words: string): SQL {
  return sql`${folded(column)} like ${`%${literal(fold(words))}%`}`
}
