import { boolean, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { at, appNow } from './columns.ts'

/** One row: which installation this database is, and whether it holds a demonstration. */
export const installation = pgTable('installation', {
  id: integer('id').primaryKey().default(1),
  /** Names this history; a database restored from elsewhere gets a new one, so that no browser resumes across. */
  epoch: text('epoch').notNull(),
  isDemo: boolean('is_demo').notNull().default(false),
  createdAt: at('created_at').notNull().default(appNow),
})
