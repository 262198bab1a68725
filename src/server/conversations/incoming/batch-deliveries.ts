import { sql } from 'drizzle-orm'
import type { DeliveryStatus } from '#shared/delivery.ts'
import { rows, tableOf, type Tx } from '#server/platform/database/db.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import { movesForward } from '#server/conversations/messages/delivery.ts'
import { urgencyOf } from '#server/conversations/store/change.ts'

interface Ticked extends Record<string, unknown> {
  n: number
  id: number
  conversationId: number
  deliveryStatus: DeliveryStatus | null
}

/**
 * Acknowledgements of messages that we have, each of another one, whose conversations are locked.
 * @returns for each whether its message is still there
 */
export async function recordPlainDeliveries(
  db: Tx,
  instanceId: number,
  deliveries: { waId: string; status: DeliveryStatus }[],
): Promise<boolean[]> {
  if (deliveries.length === 0) return []
  const asked = deliveries.map(({ waId }, n) => ({ n, waId }))
  const found = await rows<Ticked>(
    db,
    sql`select a.n, k.* from ${tableOf('a', asked, { n: 'int', waId: 'text' })}
          cross join lateral (
            select m.id, m.conversation_id as "conversationId", m.delivery_status as "deliveryStatus" from messages m
             where m.instance_id = ${instanceId} and m.whatsapp_message_id = a."waId" limit 1) k
         order by a.n`,
  )
  const moved = found.flatMap((row) => {
    const status = deliveries[row.n]?.status
    return status && movesForward(row.deliveryStatus, status) ? [{ ...row, status }] : []
  })
  const isFound = new Set(found.map((row) => row.n))
  const done = deliveries.map((_delivery, n) => isFound.has(n))
  if (moved.length === 0) return done
  await db.execute(
    sql`with changed as (
          update messages m set delivery_status = u.status, version = m.version + 1,
                 failure_reason = case when u.status = 'failed' then 'rejected' end
            from ${tableOf('u', moved, { id: 'int', status: 'text' })}
           where m.id = u.id returning m.id, m.conversation_id)
        update conversations c set version = c.version + 1 from changed
         where c.id = changed.conversation_id and c.last_message_id = changed.id`,
  )
  await failpoint('delivery.recorded')
  for (const { id, conversationId, status } of moved)
    db.emit({ type: 'new_message', conversationId, messageId: id }, urgencyOf(status))
  return done
}
