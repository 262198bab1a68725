import { sql } from 'drizzle-orm'
import { type DeliveryStatus, deliveryStatuses } from '#shared/messages/delivery.ts'
import { tellFailed, withdrawFailed } from '#server/notifications/notifications.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { statement } from '#server/platform/database/statement.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import { urgencyOf } from '#server/conversations/store/change.ts'
import type { LockedMessage } from '#server/conversations/store/lock.ts'
import { placeholderTable, toColumns } from '#server/platform/database/placeholder-table.ts'

const rankOf = (status: DeliveryStatus) => deliveryStatuses.indexOf(status)

/**
 * Whether a reported status replaces the stored one: only forward, and a refusal only before any proof of
 * arrival.
 */
export function movesForward(from: DeliveryStatus | null, to: DeliveryStatus): boolean {
  return from !== null && rankOf(to) > rankOf(from)
}

/** The status that the gateway reports of a message. */
export interface Delivery {
  waId: string
  status: DeliveryStatus
}

interface Move {
  id: number
  conversationId: number
  from: DeliveryStatus | null
  status: DeliveryStatus
}

const selectStatuses = statement<{ instanceId: number; n: number[]; waId: string[] }>()((db) =>
  db
    .select({
      n: sql<number>`a.n`,
      id: sql<number>`k.id`,
      conversationId: sql<number>`k.conversation_id`,
      deliveryStatus: sql<DeliveryStatus | null>`k.delivery_status`,
    })
    .from(
      sql`${placeholderTable('a', { n: 'int', waId: 'text' })}
          cross join lateral (
            select m.id, m.conversation_id, m.delivery_status from messages m
             where m.instance_id = ${sql.placeholder('instanceId')}
               and m.whatsapp_message_id = a."waId" limit 1) k`,
    )
    .orderBy(sql`a.n`),
)

/**
 * Records reported deliveries, each of another message, whose conversations are locked.
 * @returns for each whether its message is still there
 */
export async function recordDeliveries(
  db: Tx,
  instanceId: number,
  deliveries: readonly Delivery[],
): Promise<boolean[]> {
  if (deliveries.length === 0) return []
  const found = await selectStatuses(db, {
    instanceId,
    n: deliveries.map((_delivery, n) => n),
    waId: deliveries.map(({ waId }) => waId),
  })
  const moves = found.flatMap(({ n, id, conversationId, deliveryStatus }) => {
    const status = deliveries[n]?.status
    return status && movesForward(deliveryStatus, status)
      ? [{ id, conversationId, from: deliveryStatus, status }]
      : []
  })
  await writeMoves(db, moves)
  const isFound = new Set(found.map(({ n }) => n))
  return deliveries.map((_delivery, n) => isFound.has(n))
}

/** Applies a reported delivery to its message, whose conversation is locked. */
export async function applyDelivery(
  db: Tx,
  { id, conversationId, deliveryStatus }: LockedMessage,
  status: DeliveryStatus,
): Promise<void> {
  if (movesForward(deliveryStatus, status))
    await writeMoves(db, [{ id, conversationId, from: deliveryStatus, status }])
}

const moveTypes = { id: 'int', status: 'text' } as const

const isDelivered = sql`u.status in ('delivered', 'read', 'played')`
const isRead = sql`u.status in ('read', 'played')`

const updateStatuses = statement<Record<string, unknown>>()((db) => {
  const changed = db.$with('changed', { id: sql<number>`id`.as('id') }).as(
    sql`update messages m set delivery_status = u.status, version = m.version + 1,
               failure_reason = case when u.status = 'failed' then 'rejected' end,
               delivered_at = coalesce(m.delivered_at, case when ${isDelivered} then app_now() end),
               read_at = coalesce(m.read_at, case when ${isRead} then app_now() end)
          from ${placeholderTable('u', moveTypes)} where m.id = u.id returning m.id, m.conversation_id`,
  )
  // A list shows the ticks of the last message.
  const listed = db.$with('listed', { id: sql<number>`id`.as('id') }).as(
    sql`update conversations c set version = c.version + 1 from changed
         where c.id = changed.conversation_id and c.last_message_id = changed.id returning c.id`,
  )
  return db.with(changed, listed).select({ id: changed.id }).from(changed)
})

async function writeMoves(db: Tx, moves: readonly Move[]): Promise<void> {
  if (moves.length === 0) return
  await updateStatuses(db, toColumns(moves, ['id', 'status']))
  await failpoint('delivery.recorded')
  const idsOf = (isMeant: (move: Move) => boolean) => moves.filter(isMeant).map(({ id }) => id)
  const failed = idsOf(({ status }) => status === 'failed')
  if (failed.length > 0) await tellFailed(db, failed)
  const arrived = idsOf(({ from }) => from === 'failed')
  if (arrived.length > 0) await withdrawFailed(db, arrived)
  for (const { id, conversationId, status } of moves)
    db.emit({ type: 'new_message', conversationId, messageId: id }, urgencyOf(status))
}
