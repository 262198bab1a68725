import { sql } from 'drizzle-orm'
import type { MessageMetadata } from '#shared/messages/message-metadata.ts'
import { isCountedMessage, messageTypes, unwrittenOrigins } from '#shared/messages/message-kinds.ts'

const uncounted = sql.raw(
  messageTypes
    .filter((type) => !isCountedMessage(type))
    .map((type) => `'${type}'`)
    .join(', '),
)

/** `isCountedMessage` in SQL, of a message 'm'. */
export const isCountedHere = sql`m.message_type not in (${uncounted})`

const unwritten = sql.raw(unwrittenOrigins.map((origin) => `'${origin}'`).join(', '))

/** Whether a person or the client wrote a message 'm': the number of messages counts these alone. */
export const isWrittenHere = sql`${isCountedHere}
  and coalesce(m.metadata ->> 'origin', '') not in (${unwritten})`

interface Written {
  messageType: string
  metadata: Pick<MessageMetadata, 'origin'>
}

/** The same of a row. */
export const isWritten = (row: Written): boolean =>
  isCountedMessage(row.messageType) && !unwrittenOrigins.includes(row.metadata.origin ?? '')

/** Whether lists show a message 'm' as the last one: an automatic text would hide what was said before it. */
export const isPreviewedHere = sql`${isCountedHere} and coalesce(m.metadata ->> 'origin', '') <> 'automatic'`

/** The same of a row. */
export const isPreviewed = (row: Written): boolean =>
  isCountedMessage(row.messageType) && row.metadata.origin !== 'automatic'

/** Whether a message 'm' is a counted one of the contact: one that can be unread. */
export const isCountedOfContact = sql`m.sender_type = 'contact' and ${isCountedHere}`
