import { type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'

/**
 * Over for good, of a conversation 'v'. One whose client has not chosen yet in pre-attendance is 'completed'
 * until they do.
 */
export const isOver = sql`v.status = 'completed' and v.pre_attendance_stage is distinct from 'waiting_option'`

/**
 * Of a completed conversation: its end can still be undone. None is held for as long as five minutes: what is
 * further ahead was written while the database's clock was wrong.
 */
export const isHeld = (heldUntil: SQLWrapper): SQL =>
  sql`(${heldUntil} > now() and ${heldUntil} <= now() + interval '5 minutes')`

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

/**
 * Of a completed conversation: it was one. While the client has not chosen in pre-attendance, and after they
 * chose to end it, it is no conversation.
 */
export const isShownInArchive = (stage: AnyPgColumn): SQL =>
  sql`${stage} is distinct from 'waiting_option' and ${stage} is distinct from 'cancelled'`
