import { sql } from 'drizzle-orm'

/** What `isSaid` is in SQL, of messages 'm'. */
export const isSaidHere = sql`m.message_type not in ('view_tracking', 'event') and m.message_type not like 'queue%'`

/** What the contact said, of messages 'm': read or unread. */
export const isSaidByContact = sql`m.sender_type = 'contact' and ${isSaidHere}`
