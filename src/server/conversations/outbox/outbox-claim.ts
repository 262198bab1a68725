import { type SQL, sql } from 'drizzle-orm'
import { slowestBytesPerMs } from '#server/gateway/gateway.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import { inMs } from './outbox-times.ts'

/** A row of the outbox that is this worker's to send. */
export interface Claimed extends Record<string, unknown> {
  id: number
  instanceId: number
  conversationId: number
  messageId: number
  priority: number
  tries: number
}

/** Of what stands in the way of a later message of its conversation. */
const openStates = sql`('pending', 'sending', 'unknown')`

/** The best of these rows that may go now: its number sends, and nothing of its conversation is under way before it. */
const bestOf = (candidates: SQL) => sql`(
  select o.id from (${candidates}) c join outbox o on o.id = c.id join evolution_api_config g on g.id = o.instance_id
   where o.state = 'pending' and o.not_before <= now() and g.is_active
     and (g.breaker_until is null or g.breaker_until <= now())
     and g.next_send_at <= now() + interval '1 second'
     and (o.priority < 10 or g.next_automatic_at <= now())
     and (select p.id from outbox p where p.conversation_id = o.conversation_id and p.id < o.id
             and p.state in ${openStates} limit 1) is null
   order by o.priority, o.id limit 1 for update of o skip locked)`

/** The first few of each number: where the next one nearly always is, however many wait. */
const oldestOfNumbers = sql`
  select w.id from evolution_api_config g cross join lateral (
    select w.id from outbox w where w.instance_id = g.id and w.state = 'pending'
     order by w.priority, w.id limit 64) w`

/**
 * The first row of every conversation, found by leaping from one to the next: when conversations that may not go hold the
 * oldest thousands, reading past those rows would cost more with each that comes.
 */
const headsOfAll = sql`
  with recursive heads as (
    (select h.conversation_id, h.id from outbox h where h.state in ${openStates} order by h.conversation_id, h.id limit 1)
     union all
    select n.conversation_id, n.id from heads cross join lateral (
      select h.conversation_id, h.id from outbox h
       where h.state in ${openStates} and h.conversation_id > heads.conversation_id
       order by h.conversation_id, h.id limit 1) n)
  select id from heads`

/** A file takes longer than a text. */
const extraTime = sql`coalesce((select ${inMs(1 / slowestBytesPerMs)} * m.file_size from messages m where m.id = message_id),
                               interval '0')`

/**
 * The oldest message of a conversation that has none under way. Order per conversation holds over any number of
 * instances, and nothing is handed out twice; what people write goes before automatic texts.
 * @see reliability §3.1
 */
export async function claim(db: Db, leaseMs: number): Promise<Claimed | undefined> {
  const [row] = await rows<Claimed>(
    db,
    sql`update outbox set state = 'sending', tries = tries + 1, lease_until = now() + ${inMs(leaseMs)} + ${extraTime},
               first_attempt_at = coalesce(first_attempt_at, app_now())
         where id = coalesce(${bestOf(oldestOfNumbers)}, ${bestOf(headsOfAll)}) and state = 'pending'
        returning id, instance_id as "instanceId", conversation_id as "conversationId", message_id as "messageId",
                  priority, tries`,
  )
  return row
}
