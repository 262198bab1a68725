import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, text } from 'drizzle-orm/pg-core'
import { appNow, at, rowId } from './columns.ts'
import { momentary } from './declare/backup.ts'
import { drained, since } from './declare/ends.ts'
import { gone, ofContact, ofMessage } from './declare/person.ts'
import { isNewIn, matchedBy } from './declare/restored.ts'
import { table } from './declare/table.ts'
import { contacts } from '#server/schema/contacts/contacts.ts'
import { users } from './users.ts'
import { messages } from '#server/schema/conversations/conversations.ts'
import { ofCompletedMessage } from './conversations/over.ts'

const withOwner =
  'with its message, contact, person, quick response or macro; a period of the plan ends those of messages'

/** Of a file `s` whose bytes the backup has. */
export const hasNewOwner = sql`exists (select from stored_files f where f.name = s.name)
  and (${isNewIn('messages', sql`s.message_id`)} or ${isNewIn('contacts', sql`s.contact_id`)}
       or ${isNewIn('users', sql`s.user_id`)} or s.is_quick_response or s.is_of_macro)`

/** Files of the file store: a row is inserted before its file and deleted after it. */
export const files = table(
  'files',
  {
    id: rowId(),
    /** Random name in the file store and in the URL. */
    name: text('name').notNull().unique(),
    /** Its owner, or null. A file without any of the five owners is removed after a day. */
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
    /** Whether a step of a macro names it. */
    isOfMacro: boolean('is_of_macro').notNull().default(false),
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
  {
    backup: {
      part: 'complete',
      where: sql`not t.is_passing and not t.is_erased
                 and (t.contact_id is not null or t.user_id is not null or t.is_quick_response
                      or t.is_of_macro
                      or ${ofCompletedMessage})`,
      without: 'isPassing isErased',
      label: 'Arquivos',
      restored: { ...matchedBy(sql`t.name = s.name`), isAdded: hasNewOwner },
    },
    ends: {
      kept: withOwner,
      trimmed: {
        by: 'sweep-files',
        after: '1 day',
        since: since('created_at'),
        where: sql`t.is_passing or (t.message_id is null and t.contact_id is null and t.user_id is null
                                    and not t.is_quick_response and not t.is_of_macro)`,
      },
    },
    // Without an owner, and erased: the sweep deletes the bytes and then the row.
    personal: {
      of: (person) => sql`(${ofMessage('message_id')(person)} or ${ofContact('contact_id')(person)})`,
      columns: {
        messageId: gone,
        contactId: gone,
        isErased: sql`user_id is null and not is_quick_response and not is_of_macro`,
      },
    },
    other: 'id name userId isQuickResponse isOfMacro sizeBytes mimeType sha256 isPassing createdAt',
  },
  ({ createdAt, messageId, contactId, userId, isQuickResponse, isOfMacro, isPassing }) => [
    index('files_ownerless')
      .on(createdAt)
      .where(
        sql`(${messageId} is null and ${contactId} is null and ${userId} is null and not ${isQuickResponse}
            and not ${isOfMacro})
          or ${isPassing}`,
      ),
  ],
)

/** Files of clients that are still to be fetched from the gateway. */
export const mediaFetches = table(
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
  {
    backup: momentary,
    ends: drained,
    personal: { of: ofMessage('message_id'), isDeleted: true, columns: { lastError: gone } },
    // The pauses grow with the tries: five minutes, half an hour, two hours.
    waits: {
      due: {
        notBefore: sql`case when t.tries < 5 then 300000 when t.tries = 5 then 1800000 else 7200000 end`,
      },
    },
    other: 'id messageId notBefore tries createdAt',
  },
  (t) => [index('media_fetches_todo').on(t.notBefore, t.id)],
)
