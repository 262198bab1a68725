import { sql } from 'drizzle-orm'
import { isCountedMessage, messageTypes } from '#shared/messages/message-kinds.ts'

const uncounted = sql.raw(
  messageTypes
    .filter((type) => !isCountedMessage(type))
    .map((type) => `'${type}'`)
    .join(', '),
)

/** `isCountedMessage` in SQL, of a message 'm'. */
export const isCountedHere = sql`m.message_type not in (${uncounted})`

/** Whether a message 'm' is a counted one of the contact: one that can be unread. */
export const isCountedOfContact = sql`m.sender_type = 'contact' and ${isCountedHere}`
