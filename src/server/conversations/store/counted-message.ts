import { sql } from 'drizzle-orm'
import { isCountedMessage, messageTypes } from '#shared/message-kinds.ts'

const uncounted = sql.raw(
  messageTypes
    .filter((type) => !isCountedMessage(type))
    .map((type) => `'${type}'`)
    .join(', '),
)

/** `isCountedMessage` in SQL, of messages 'm'. */
export const isSaidHere = sql`m.message_type not in (${uncounted})`

/** What the contact said, of messages 'm': read or unread. */
export const isSaidByContact = sql`m.sender_type = 'contact' and ${isSaidHere}`
