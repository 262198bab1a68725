import { sql } from 'drizzle-orm'
import { pgTable, text } from 'drizzle-orm/pg-core'
import { at } from './columns.ts'

/** What is done again and again, by one instance at a time. Raw clock: it paces work. */
export const jobs = pgTable('jobs', {
  name: text('name').primaryKey(),
  /** Whoever took it has it until then. */
  leaseUntil: at('lease_until')
    .notNull()
    .default(sql`now()`),
  /** When it was last done to its end. */
  doneAt: at('done_at'),
})
