import { type SQL, sql } from 'drizzle-orm'
import type { SnoozeEnd } from '#shared/conversations/snooze.ts'
import type { SystemSettings } from '#shared/settings/settings.ts'
import { enterQueue } from '#server/automation/automation.ts'
import { type Db, rows, type Tx } from '#server/platform/database/db.ts'
import { isSnoozed } from '#shared/conversations/list/list-view.ts'
import { isCountedHere } from './counted-message.ts'
import { closeSnooze, type ConversationChange, updateConversation } from './change.ts'
import type { Locked } from './lock.ts'
import { getSettings } from '#server/settings/settings.ts'

/** Who waits, for `updateConversation`. */
export interface Waiting {
  waitingFor: 'operator' | 'client'
  /** The place of the contact's oldest unanswered message; null when there is none. */
  waitingSince: Date | null
}

/**
 * Whether an operator answers with a message 'm'. One that failed, or was deleted before it was sent, and so
 * has no delivery status, is no answer, nor is one that was scheduled and came into the queue.
 */
const isByOperator = sql`(m.sender_id is not null and m.delivery_status is not null
  and m.delivery_status <> 'failed' and not m.metadata ? 'intoQueue' and ${isCountedHere})`
const isAnsweredCall = sql`metadata #>> '{call,outcome}' = 'answered'`
const isByPhone = sql`(m.metadata ->> 'origin' in ('phone', 'api')
  or m.metadata #>> '{call,outcome}' = 'answered')`

/** Whether a person of the team answers with a message 'm': the same for who waits, targets and reports. */
export const isReplyHere = (phoneAnswersCount: boolean): SQL =>
  phoneAnswersCount ? sql`(${isByOperator} or coalesce(${isByPhone}, false))` : isByOperator

/** The last answers: an operator's, and one written on the phone. */
const answersOf = (conversationId: number, phoneAnswersCount: boolean) => sql`
  by_operator as (
    select m.id, m.sort_at from messages m
     where m.conversation_id = ${conversationId} and ${isByOperator}
     order by m.id desc limit 1),
  by_phone as (
    select m.sent_at, m.id from messages m
     where ${phoneAnswersCount} and m.conversation_id = ${conversationId} and ${isByPhone}
     order by m.sent_at desc, m.id desc limit 1)`
/** Of a message: neither of the two answers it. */
const isUnanswered = sql`
  sort_at >= coalesce((select sort_at - interval '25 hours' from by_operator), '-infinity')
  and sort_at >= coalesce((select sent_at - interval '3 minutes' from by_phone), '-infinity')
  and id > coalesce((select id from by_operator), 0)
  and (sent_at, id) > (coalesce((select sent_at from by_phone), '-infinity'),
                       coalesce((select id from by_phone), 0))`

/** What somebody of the team wrote; texts of the product are of nobody. */
export interface Writing {
  /** null: on the phone. */
  userId: number | null
  at: Date
}

/** What the team wrote last in a conversation, by console or phone; undefined: nothing. */
export async function lastWriting(db: Db, conversationId: number): Promise<Writing | undefined> {
  const [found] = await rows<{ userId: number | null; at: string }>(
    db,
    sql`with ${answersOf(conversationId, true)}
        select m.sender_id as "userId", m.sort_at::text as at from messages m
         where m.id in (select id from by_operator union all select id from by_phone)
         order by m.sort_at desc, m.id desc limit 1`,
  )
  return found && { userId: found.userId, at: new Date(found.at) }
}

/**
 * Works out from the messages of a locked conversation who waits, and since when. An operator's message
 * answers all that had arrived by then. A message written on the connected phone answers all that is older by
 * WhatsApp's own clock, in whatever order they arrive; with `phoneAnswersCount` off it answers nothing. Where
 * nothing is unanswered, a conversation that was given back since waits for an operator all the same.
 *
 * However long the conversation is, only messages that may be newer than the last answer are read: a message
 * is at most a day old when it arrives, and its place at most two minutes before its own time. A reply that
 * could not be sent answers nothing, and is itself something to do.
 *
 * On hold nobody waits. The time that a conversation has been on hold since a message is left out of how long
 * that one has waited: `waitingSince` is so much later.
 * @param settings read where they are not given
 */
export async function waitingOf(
  db: Db,
  conversationId: number,
  settings?: Pick<SystemSettings, 'phoneAnswersCount'>,
): Promise<Waiting> {
  const { phoneAnswersCount } = settings ?? (await getSettings(db))
  const answers = answersOf(conversationId, phoneAnswersCount)
  const [row] = await rows<{ since: string; isSnoozed: boolean }>(
    db,
    sql`with ${answers}
        select (sort_at + ${snoozedAfter})::text as since, ${isOnHold(conversationId)} as "isSnoozed"
          from messages
         where conversation_id = ${conversationId} and sender_type = 'contact'
           and (${isAnsweredCall}) is not true and ${isUnanswered}
         order by sort_at, id limit 1`,
  )
  if (row?.isSnoozed) return nobody
  if (row) return { waitingFor: 'operator', waitingSince: new Date(row.since) }
  const ours = await rows(
    db,
    sql`with ${answers}
        select 1 from messages
         where conversation_id = ${conversationId} and ${isUnanswered} and not ${isOnHold(conversationId)}
           and ((message_type = 'event' and (metadata #>> '{event,act}' in ('returned', 'moved')
                  or (metadata #>> '{event,act}' in ('snooze_over', 'snooze_answered', 'resumed')
                      and exists (select from conversations v where v.id = ${conversationId}
                                   and v.sub_status = 'FILA'))))
                or (sender_id is not null and delivery_status = 'failed')) limit 1`,
  )
  return ours.length > 0 ? { waitingFor: 'operator', waitingSince: null } : nobody
}

const nobody: Waiting = { waitingFor: 'client', waitingSince: null }

const isOnHold = (conversationId: number) => sql`exists (
  select from snoozes s where s.conversation_id = ${conversationId} and s.ended_at is null)`

/**
 * For how long the conversation of a message has been on hold since. A client's word ends a hold. Those of
 * conversations that were merged may overlap.
 */
const snoozedAfter = sql`coalesce((
  select sum(upper(held) - lower(held))
    from unnest((select range_agg(tstzrange(s.started_at, s.ended_at)) from snoozes s
                  where s.conversation_id = messages.conversation_id and s.ended_at is not null
                    and s.started_at >= messages.sort_at)) held
   where not isempty(held)), interval '0')`

/**
 * How long the client of a locked conversation on hold had waited when it was put on hold, in milliseconds;
 * undefined: they did not wait.
 */
export async function waitedBeforeHold(db: Db, conversationId: number): Promise<number | undefined> {
  const { phoneAnswersCount } = await getSettings(db)
  const [row] = await rows<{ ms: number }>(
    db,
    sql`with ${answersOf(conversationId, phoneAnswersCount)}
        select (extract(epoch from (
                 select started_at from snoozes h
                  where h.conversation_id = ${conversationId} and h.ended_at is null)
                 - sort_at - ${snoozedAfter}) * 1000)::float8 as ms
          from messages
         where conversation_id = ${conversationId} and sender_type = 'contact'
           and (${isAnsweredCall}) is not true and ${isUnanswered}
         order by sort_at, id limit 1`,
  )
  return row && Math.max(0, Math.round(row.ms))
}

/**
 * Judges anew who waits in a locked conversation, after a message of ours was not sent, or will be after all.
 */
export async function keepWaiting(db: Tx, conversation: Locked): Promise<void> {
  const { id, status, waitingFor, waitingSince } = conversation
  if (status === 'completed') return
  const waiting = await waitingOf(db, id)
  if (waiting.waitingFor === waitingFor && waiting.waitingSince?.getTime() === waitingSince?.getTime()) return
  await updateConversation(db, conversation, waiting)
  db.emit({ type: 'conversation_updated', conversationId: id })
}

/**
 * Ends the hold of a locked conversation; one that is in none is left alone. Who waits is judged anew: in the
 * FILA the client does, for an operator. The caller writes the line, and emits that it has changed.
 */
export async function resume(
  db: Tx,
  conversation: Locked,
  endedBy: SnoozeEnd,
  also: ConversationChange = {},
): Promise<Locked> {
  if (!isSnoozed(conversation)) return conversation
  await closeSnooze(db, conversation, endedBy)
  const isInQueue = conversation.subStatus === 'FILA'
  const resumed = await updateConversation(db, conversation, {
    ...(await waitingOf(db, conversation.id)),
    ...(isInQueue && { waitingFor: 'operator' }),
    snoozedUntil: null,
    ...also,
  })
  if (isInQueue) await enterQueue(db, resumed)
  return resumed
}
