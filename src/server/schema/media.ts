import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { appNow, at, rowId } from './columns.ts'
import { contacts } from '#server/schema/contacts/contacts.ts'
import { users } from './users.ts'
import { messages } from '#server/schema/conversations/conversations.ts'

/** Files of the file store: a row is inserted before its file and deleted after it. */
export const files = pgTable(
  'files',
  {
    id: rowId(),
    /** Random name in the file store and in the URL. */
    name: text('name').notNull().unique(),
    /** Its owner, or null. A file without any of the four owners is removed after a day. */
    messageId: integer('message_id')
      .unique()
      .references(() => messages.id, { onDelete: 'set null' }),
    /** The contact whose picture it is. */
    contactId: integer('contact_id')
      .unique()
      .references(() => contacts.id, { onDelete: 'set null' }),
    /** The person whose profile picture it is. */
    userId: integer('user_id')
      .unique()
      .references(() => users.id, { onDelete: 'set null' }),
    /** Whether a quick response of the settings names it. */
    isQuickResponse: boolean('is_quick_response').notNull().default(false),
    sizeBytes: bigint('size_bytes', { mode: 'number' }).notNull(),
    /** Detected from the content, never taken from a declaration. */
    mimeType: text('mime_type').notNull(),
    sha256: text('sha256').notNull(),
    /** Fetched on demand; removed after a while and fetched again on the next request. */
    isPassing: boolean('is_passing').notNull().default(false),
    /** Its person was anonymized: it has no owner any more, and its bytes are deleted at once. */
    isErased: boolean('is_erased').notNull().default(false),
    createdAt: at('created_at').notNull().default(appNow),
  },
  ({ createdAt, messageId, contactId, userId, isQuickResponse, isPassing }) => [
    index('files_ownerless')
      .on(createdAt)
      .where(
        sql`(${messageId} is null and ${contactId} is null and ${userId} is null and not ${isQuickResponse})
          or ${isPassing}`,
      ),
  ],
)

/** Files of clients that are still to be fetched from the gateway. */
export const mediaFetches = pgTable(
  'media_fetches',
  {
    id: rowId(),
    messageId: integer('message_id')
      .notNull()
      .unique()
      .references(() => messages.id, { onDelete: 'cascade' }),
    /** By now(): when to try next, or when the current attempt counts as dead. */
    notBefore: at('not_before')
      .notNull()
      .default(sql`now()`),
    tries: integer('tries').notNull().default(0),
    lastError: text('last_error'),
    createdAt: at('created_at').notNull().default(appNow),
  },
  (t) => [index('media_fetches_todo').on(t.notBefore, t.id)],
)
