import { sql } from 'drizzle-orm'
import { boolean, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { at, appNow } from './columns.ts'

/** A single row: the identity of the installation, and whether it is a demo. */
export const installation = pgTable('installation', {
  id: integer('id').primaryKey().default(1),
  /**
   * Identifies this event history; a restored database gets a new epoch, so that no browser resumes with an
   * old cursor.
   */
  epoch: text('epoch').notNull(),
  /** Names the installation in its backups, so that its own rows are known by their ids. */
  uid: uuid('uid')
    .notNull()
    .default(sql`gen_random_uuid()`),
  /** By now(): nothing is sent until then, while a restore is applied, which renews it. */
  sendsPausedUntil: at('sends_paused_until'),
  isDemo: boolean('is_demo').notNull().default(false),
  createdAt: at('created_at').notNull().default(appNow),
})
