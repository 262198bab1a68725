import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { appNow, at, rowId } from './columns.ts'
import { contacts } from './contacts.ts'
import { messages } from './conversations.ts'

/** What the file store holds, or is about to: the row comes first and goes last. */
export const files = pgTable(
  'files',
  {
    id: rowId(),
    /** In the file store, and in the address: random. */
    name: text('name').notNull().unique(),
    /** Its owner, or null. A file without any of the three owners is removed after a day. */
    messageId: integer('message_id')
      .unique()
      .references(() => messages.id, { onDelete: 'set null' }),
    /** The contact whose picture it is. */
    contactId: integer('contact_id')
      .unique()
      .references(() => contacts.id, { onDelete: 'set null' }),
    /** Whether a quick response of the settings names it. */
    isQuickResponse: boolean('is_quick_response').notNull().default(false),
    sizeBytes: bigint('size_bytes', { mode: 'number' }).notNull(),
    /** By its first bytes, never by what somebody said. */
    mimeType: text('mime_type').notNull(),
    sha256: text('sha256').notNull(),
    /** Fetched because somebody opened it; fetched again when it is asked for after it was swept away. */
    isPassing: boolean('is_passing').notNull().default(false),
    createdAt: at('created_at').notNull().default(appNow),
  },
  (t) => [
    index('files_ownerless')
      .on(t.createdAt)
      .where(
        sql`(${t.messageId} is null and ${t.contactId} is null and not ${t.isQuickResponse}) or ${t.isPassing}`,
      ),
  ],
)

/** What a client sent and is still to be fetched from the gateway. */
export const mediaFetches = pgTable(
  'media_fetches',
  {
    id: rowId(),
    messageId: integer('message_id')
      .notNull()
      .unique()
      .references(() => messages.id, { onDelete: 'cascade' }),
    /** Raw clock: when it is tried next, or when whoever tries it now is taken for dead. */
    notBefore: at('not_before')
      .notNull()
      .default(sql`now()`),
    tries: integer('tries').notNull().default(0),
    lastError: text('last_error'),
    createdAt: at('created_at').notNull().default(appNow),
  },
  (t) => [index('media_fetches_todo').on(t.notBefore, t.id)],
)
