import { type SQL, sql } from 'drizzle-orm'

/**
 * Over for good, of a conversation 'v'. One whose client has not chosen yet in pre-attendance is 'completed'
 * until they do.
 */
export const isOver = sql`v.status = 'completed' and v.pre_attendance_stage is distinct from 'waiting_option'`

/** When the conversation of a row 't' was over; null while it is not. */
export const sinceOver = sql`(select v.completed_at from conversations v
  where v.id = t.conversation_id and ${isOver})`

/** Of a conversation that is over. */
export const ofCompleted = (conversationId: SQL): SQL =>
  sql`exists (select from conversations v where v.id = ${conversationId} and ${isOver})`

/** Of a message 't.message_id' in such a conversation. */
export const ofCompletedMessage = sql`exists (
  select from messages m join conversations v on v.id = m.conversation_id
   where m.id = t.message_id and ${isOver})`
