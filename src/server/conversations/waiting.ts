import { sql } from 'drizzle-orm'
import { type Db, rows } from '#server/platform/db.ts'
import { getSettings } from '#server/settings/settings.ts'

/**
 * Since when the client of a locked conversation waits: the oldest of his messages that nobody has answered, or null.
 * What an operator writes answers all that stood there by then. What was written on the connected phone answers all
 * that is older by WhatsApp's own clock, whichever of the two reaches us first; with `phoneAnswersCount` off it
 * answers nothing.
 */
async function unansweredSince(db: Db, conversationId: number): Promise<Date | null> {
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

export interface Waiting {
  waitingFor: 'operator' | 'client'
  waitingSince: Date | null
}

/**
 * Who waits for whom once the client's newest message stands in the locked conversation. Mostly that is plain, and a
 * long conversation is not read for it: only when the phone has answered by its own clock is it worked out anew.
 */
export async function waitingAfter(
  db: Db,
  conversation: { id: number } & Waiting,
  message: { id: number; sortAt: Date; sentAt: Date },
): Promise<Waiting> {
  const at = message.sentAt.toISOString()
  const answered = await rows(
    db,
    sql`select 1 from messages where conversation_id = ${conversation.id}
           and sort_at > ${at}::timestamptz - interval '2 minutes' and (sent_at, id) > (${at}::timestamptz, ${message.id})
           and (metadata ->> 'origin' in ('phone', 'api') or metadata #>> '{call,outcome}' = 'answered')
         union all
        select 1 from messages where id = ${message.id} and metadata #>> '{call,outcome}' = 'answered' limit 1`,
  )
  if (answered.length > 0) return waitingOf(db, conversation.id)
  const { waitingFor, waitingSince } = conversation
  const isWaiting = waitingFor === 'operator' && waitingSince !== null && waitingSince < message.sortAt
  return { waitingFor: 'operator', waitingSince: isWaiting ? waitingSince : message.sortAt }
}

/** Who waits for whom, for `updateConversation`. */
export async function waitingOf(db: Db, conversationId: number): Promise<Waiting> {
  const waitingSince = await unansweredSince(db, conversationId)
  return { waitingFor: waitingSince ? 'operator' : 'client', waitingSince }
}
