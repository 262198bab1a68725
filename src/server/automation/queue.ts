import { and, eq, isNull, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Scope } from '#shared/users/scope.ts'
import { servesQueue } from '#server/platform/http/reach.ts'
import { getSettings } from '#server/settings/settings.ts'
import { sectorsOfUser } from '#server/schema/sectors/sectors.ts'
import { listPresence } from '#server/platform/live/presence.ts'
import { type Db, rows, type Tx } from '#server/platform/database/db.ts'
import { conversations } from '#server/schema/conversations/conversations.ts'
import { queuePendingConversations } from '#server/schema/conversations/queue.ts'

type QueueColumns = Record<'status' | 'subStatus' | 'waitingFor', AnyPgColumn>

/**
 * Whether a row of `conversations`, or of an alias of it, is in the queue: also one that was given back,
 * whoever began it. @see specification §4 Queue
 */
export function isQueuedIn({ status, subStatus, waitingFor }: QueueColumns): SQL {
  return sql`(${status} <> 'completed' and ${subStatus} = 'FILA' and ${waitingFor} = 'operator')`
}

export const isQueued = isQueuedIn(conversations)

/**
 * The queue of each number, as rows of `id` and `queue`: numbers with the same people have one, named by the
 * lowest of them, since whoever takes the next conversation takes it from all of theirs. Only who may sign in
 * and has some of the numbers tells them apart.
 */
export const queuesOfNumbers: SQL = sql`(
  select g.id, min(g.id) over (partition by p.people) as queue
    from evolution_api_config g left join (
      select n.id, array_agg(u.id order by u.id) as people from users u cross join unnest(u.number_ids) n(id)
       where u.role <> 'admin' and u.is_active and not u.is_blocked and u.deleted_at is null
       group by n.id) p on p.id = g.id)`

/**
 * The queue of a conversation: that of its sector, over all numbers, as the negative of the sector's id; else
 * that of its number.
 * @param ofNumber its value in `queuesOfNumbers`
 */
export const queueOf = (sectorId: SQLWrapper, ofNumber: SQL): SQL<number> =>
  sql<number>`coalesce(-${sectorId}, ${ofNumber})`

interface Registered {
  id: number
  contactId: number
}

/** Adds a conversation to the queue. Its registration is kept when it returns to the queue later. */
export async function enterQueue(db: Tx, conversation: Registered): Promise<void> {
  await registerInQueue(db, [conversation])
  db.emit({ type: 'queue_changed' })
}

/** Inserts only the rows of the queue: the caller emits the events. */
export async function registerInQueue(db: Db, many: Registered[]): Promise<void> {
  if (many.length === 0) return
  await db
    .insert(queuePendingConversations)
    .values(many.map(({ id, contactId }) => ({ conversationId: id, contactId })))
    .onConflictDoUpdate({
      target: queuePendingConversations.conversationId,
      set: { processedAt: null, toldPosition: null },
    })
}

/** Takes back the `leaveQueue` of a conversation's end: what the client was told of the queue stays told. */
export async function rejoinQueue(db: Tx, conversationId: number): Promise<void> {
  const back = await db
    .update(queuePendingConversations)
    .set({ processedAt: null })
    .where(
      and(
        eq(queuePendingConversations.conversationId, conversationId),
        sql`${queuePendingConversations.processedAt} = (
          select v.completed_at from conversations v where v.id = ${conversationId})`,
      ),
    )
    .returning({ id: queuePendingConversations.id })
  if (back.length > 0) db.emit({ type: 'queue_changed' })
}

export async function leaveQueue(db: Tx, conversationId: number): Promise<void> {
  const left = await db
    .update(queuePendingConversations)
    .set({ processedAt: sql`app_now()` })
    .where(
      and(
        eq(queuePendingConversations.conversationId, conversationId),
        isNull(queuePendingConversations.processedAt),
      ),
    )
    .returning({ id: queuePendingConversations.id })
  if (left.length > 0) db.emit({ type: 'queue_changed' })
}

/** The place in its queue: 1 for the one that has waited longest; undefined outside. */
export async function positionOf(db: Db, conversationId: number): Promise<number | undefined> {
  const [row] = await rows<{ position: number }>(
    db,
    sql`with queues as ${queuesOfNumbers}
        select (select count(*)::int from conversations
                 where ${isQueued} and (conversations.sector_id = v.sector_id
                         or (conversations.sector_id is null and v.sector_id is null
                             and conversations.instance_id in (
                               select n.id from queues o join queues n on n.queue = o.queue
                                where o.id = v.instance_id)))
                   and (conversations.started_at, conversations.id) <= (v.started_at, v.id)) as position
          from conversations v where v.id = ${conversationId} and exists (
            select from conversations where ${isQueued} and conversations.id = v.id)`,
  )
  return row?.position
}

/** The workload of an operator who is online. */
export interface Load {
  id: number
  name: string
  /** Number of their open conversations. */
  active: number
  /** Number of those in which the client waits for them. */
  waiting: number
  /** The numbers that were given to them; null: all. */
  numberIds: number[] | null
  sectors: { id: number; isLead: boolean }[]
  scope: Scope
}

/**
 * Lists the operators who are online: with a socket, input within 15 minutes, neither 'Ausente' nor in a
 * pause.
 */
export async function loadOfOnline(db: Db): Promise<Load[]> {
  const presence = await listPresence(db)
  const online = [...presence].flatMap(([id, { state }]) => (state === 'online' ? [id] : []))
  if (online.length === 0) return []
  return rows<Load & Record<string, unknown>>(
    db,
    sql`select u.id, u.name, u.number_ids as "numberIds", u.scope, ${sectorsOfUser(sql`u.id`)} as sectors,
               count(c.id)::int as active,
               count(c.id) filter (where c.waiting_for = 'operator')::int as waiting
          from users u left join conversations c on c.assigned_user_id = u.id and c.status <> 'completed'
         where u.id = any(${sql.param(online)}::int[]) and u.role = 'operator' and u.is_active
           and not u.is_blocked
           and u.deleted_at is null
         group by u.id order by u.id`,
  )
}

/** A queue from which somebody takes: of a number's conversations, or of those of a sector at the number. */
export interface Queue {
  instanceId: number
  sectorId: number | null
}

/** Whether no operator who is online has capacity for a queue. @see decisions §3 Queue */
export async function isNobodyFree(db: Db, queue: Queue): Promise<boolean> {
  const [loads, capacity] = [await loadOfOnline(db), await capacityOf(db, queue.sectorId)]
  return !loads.some((load) => load.waiting < capacity && servesQueue(load, queue))
}

/** How many clients may wait for one person before they get no more from the queue. */
export async function capacityOf(db: Db, sectorId: number | null): Promise<number> {
  const [own] =
    sectorId === null
      ? []
      : await rows<{ capacity: number | null }>(
          db,
          sql`select max_active_per_operator as capacity from sectors where id = ${sectorId}`,
        )
  return own?.capacity ?? (await getSettings(db)).maxActivePerOperator
}
