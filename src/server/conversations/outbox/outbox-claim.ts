import { type SQL, sql } from 'drizzle-orm'
import { newMessageId } from '#server/gateway/gateway.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import { letsGoSoon } from '#server/platform/database/locks.ts'
import { outboxPriorities } from '#server/schema/conversations/outbox.ts'
import { intervalOf } from './outbox-times.ts'

/** A row of the outbox that this worker has claimed. */
export interface Claimed extends Record<string, unknown> {
  id: number
  instanceId: number
  conversationId: number
  messageId: number
  priority: number
  tries: number
  /** The id under which the gateway is asked to send it; null: it gives it one. */
  givenId: string | null
  /** A word that no other claim has. */
  claim: string
  /**
   * Whether other messages were waiting at that moment, be it behind this one, of numbers that may send and
   * have not enough under way.
   */
  hasMore: boolean
}

/** A row in one of these states blocks what is sent later to the same contact by the same number. */
const openStates = sql`('pending', 'sending', 'unknown')`

/**
 * While a number is away rows wait, whatever keeps it from sending: the look at its connection ends that.
 * 'disconnected' is one that has not been looked at.
 */
const maySend = (full: readonly number[]) => sql`
  g.is_active and g.status in ('open', 'disconnected')
     and (g.breaker_until is null or g.breaker_until <= now()) and g.id <> all(${sql.param(full)}::int[])`

const automatic = sql.raw(String(outboxPriorities.automatic))
/**
 * A number's messages of a priority below this may leave now. It bounds a range of the index: while automatic
 * texts wait for their pace, hundreds of them cost nothing.
 */
const below = sql`case when g.next_automatic_at <= now() then 2147483647 else ${automatic} end`

/**
 * No earlier row to the same contact by the same number is open, over all their conversations: ids follow the
 * order in which messages were decided, since a contact has one open conversation at a number. The row's own
 * conversation is looked at first, since most are blocked there. The others are worded so that the planner
 * cannot begin with the open rows: it expects three where hundreds may have come since the last analysis.
 */
const isFirst = sql`
  (select p.id from outbox p
    where p.conversation_id = o.conversation_id and p.id < o.id and p.state in ${openStates} limit 1) is null
  and (select p.id
         from (select v.id from conversations own join conversations v on v.contact_id = own.contact_id
                where own.id = o.conversation_id and v.id <> own.id offset 0) v
        cross join lateral (
          select p.id from outbox p
           where p.conversation_id = v.id and p.instance_id = o.instance_id and p.id < o.id
             and p.state in ${openStates} limit 1) p
        limit 1) is null`

/** The first of these rows, given by their ids, whose number may send now and that no earlier row blocks. */
const firstSendable = (candidates: SQL, full: readonly number[]) => sql`(
  select o.id from outbox o join evolution_api_config g on g.id = o.instance_id
   where o.id = any(array(${candidates}))
     and o.state = 'pending' and o.not_before <= now() and ${maySend(full)}
     and g.next_send_at <= now() + interval '1 second'
     and o.priority < ${below}
     and ${isFirst}
   order by o.priority, o.id limit 1 for update of o skip locked)`

const fewRows = 64

/** @param which of the rows of each number that may send, as `limit` and `offset` */
const waitingOfNumbers = (full: readonly number[], which: SQL) => sql`
  select w.id from evolution_api_config g cross join lateral (
    select w.id from outbox w where w.instance_id = g.id and w.state = 'pending' and w.priority < ${below}
     order by w.priority, w.id ${which}) w
   where ${maySend(full)}`

/** The first few rows of each number. The next sendable row is nearly always among them. */
const oldestOfNumbers = (full: readonly number[]) =>
  waitingOfNumbers(full, sql`limit ${sql.raw(String(fewRows))}`)

/**
 * The first row of every conversation, by a loose index scan: when blocked conversations own the oldest
 * thousands of rows, reading past all of them would cost more with each new row. None while no
 * number that may send has more than a few rows: those were looked at, and what waits for a number that is
 * away need not be read.
 */
const headsOfConversations = (full: readonly number[]) => sql`
  with recursive heads as (
    (select h.conversation_id, h.id from outbox h
      where h.state in ${openStates}
        and exists (${waitingOfNumbers(full, sql`offset ${sql.raw(String(fewRows))} limit 1`)})
      order by h.conversation_id, h.id limit 1)
     union all
    select n.conversation_id, n.id from heads cross join lateral (
      select h.conversation_id, h.id from outbox h
       where h.state in ${openStates} and h.conversation_id > heads.conversation_id
       order by h.conversation_id, h.id limit 1) n)
  select id from heads`

/** While a restore is applied nothing is sent. */
const isPaused = sql`exists (select from installation where sends_paused_until > now())`

/**
 * Where the gateway keeps the ids of its callers, a message has one from before its first send, by which
 * what became of that is found out, and keeps it when it is sent again. A voice message has none: of these no
 * gateway keeps it.
 */
const givenId = () => sql`
  case when tries > 0 then given_id
       when (select g.keeps_ids from evolution_api_config g where g.id = instance_id)
            and not exists (select from messages m
                             where m.id = message_id and m.metadata ->> 'isVoice' = 'true')
       then coalesce(given_id, ${newMessageId()}) end`

/**
 * Claims the next message, which is always the oldest unfinished one to its contact by its number. Messages
 * written by people precede automatic texts. With any number of instances, the order of what one contact gets
 * is kept and no message is claimed twice.
 * @param full numbers that have enough under way in this process
 * @see reliability §3.1
 */
export async function claimMessage(
  db: Db,
  leaseMs: number,
  full: readonly number[] = [],
): Promise<Claimed | undefined> {
  const [row] = await rows<Claimed>(
    db,
    sql`update outbox set state = 'sending', tries = tries + 1, claim = gen_random_uuid(),
               given_id = ${givenId()}, lease_until = now() + ${intervalOf(leaseMs)},
               first_attempt_at = coalesce(first_attempt_at, app_now())
         where id = coalesce(${firstSendable(oldestOfNumbers(full), full)},
                             ${firstSendable(headsOfConversations(full), full)})
           and state = 'pending' and not ${isPaused}
        returning id, instance_id as "instanceId", conversation_id as "conversationId",
                  message_id as "messageId", priority, tries, claim, given_id as "givenId", ${letsGoSoon},
                  exists (select from evolution_api_config g where ${maySend(full)} and exists (
                    select from outbox n where n.instance_id = g.id and n.state = 'pending'
                       and n.priority < ${below}
                       and n.not_before <= now() and n.id <> outbox.id)) as "hasMore"`,
  )
  return row
}
