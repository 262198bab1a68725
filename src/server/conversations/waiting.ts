import { sql } from 'drizzle-orm'
import { type Db, rows } from '#server/platform/db.ts'
import { getSettings } from '#server/settings/settings.ts'

/**
 * Since when the client of a locked conversation waits: the oldest of his messages that nobody has answered, or null.
 * What an operator writes answers all that stood there by then. What was written on the connected phone answers all
 * that is older by WhatsApp's own clock, whichever of the two reaches us first; with `phoneAnswersCount` off it
 * answers nothing.
 */
export async function unansweredSince(db: Db, conversationId: number): Promise<Date | null> {
  const { phoneAnswersCount } = await getSettings(db)
  const [row] = await rows<{ since: string | null }>(
    db,
    sql`with asked as (
          select * from messages where conversation_id = ${conversationId} and sender_type = 'contact'
             and metadata #>> '{call,outcome}' is distinct from 'answered'),
        by_operator as (
          select coalesce(max(id), 0) as id from messages
           where conversation_id = ${conversationId} and sender_id is not null and delivery_status is not null),
        by_phone as (
          select sent_at, id from messages
           where ${phoneAnswersCount} and conversation_id = ${conversationId} and sender_type = 'user'
             and metadata ->> 'origin' in ('phone', 'api')
           union all
          select sent_at, id from messages
           where ${phoneAnswersCount} and conversation_id = ${conversationId}
             and metadata #>> '{call,outcome}' = 'answered')
        select min(a.sort_at)::text as since from asked a, by_operator o
         where a.id > o.id and not exists (select 1 from by_phone p where (p.sent_at, p.id) > (a.sent_at, a.id))`,
  )
  return row?.since ? new Date(row.since) : null
}

/** Who waits for whom, for `updateConversation`. */
export async function waitingOf(
  db: Db,
  conversationId: number,
): Promise<{ waitingFor: 'operator' | 'client'; waitingSince: Date | null }> {
  const waitingSince = await unansweredSince(db, conversationId)
  return { waitingFor: waitingSince ? 'operator' : 'client', waitingSince }
}
