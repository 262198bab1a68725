import { boolean, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { at, appNow } from './columns.ts'

/** A single row: the identity of the installation, and whether it is a demo. */
export const installation = pgTable('installation', {
  id: integer('id').primaryKey().default(1),
  /**
   * Identifies this event history; a restored database gets a new epoch, so that no browser resumes with an
   * old cursor.
   */
  epoch: text('epoch').notNull(),
  isDemo: boolean('is_demo').notNull().default(false),
  createdAt: at('created_at').notNull().default(appNow),
})
