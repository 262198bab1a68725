import { type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import { fold } from '#shared/text/fold.ts'
import { folded } from '#server/schema/columns.ts'
import { literal } from './db.ts'

/** What a list by name is ordered by: 'Ângela' stands before 'Bruno', whatever the database's collation. */
export const byName = (name: SQLWrapper, id: SQLWrapper): SQL => sql`${folded(name)}, ${id}`

/** Whether a folded text contains the words, whatever their case and accents. */
export function foldedContains(text: SQLWrapper, words: string): SQL {
  return sql`${text} like ${`%${literal(fold(words))}%`}`
}

/** Whether a text contains the words, whatever their case and accents. */
export function contains(text: SQLWrapper, words: string): SQL {
  return foldedContains(folded(text), words)
}
