import { sql } from 'drizzle-orm'
import { record } from '#server/audit/audit.ts'
import {
  capacityOf,
  isDueForPosition,
  isQueued,
  leastLoaded,
  loadOfOnline,
  queueOf,
  queuesOfNumbers,
} from '#server/automation/automation.ts'
import { type Database, inTransaction, rows, tableOf } from '#server/platform/database/db.ts'
import { lockName } from '#server/platform/database/locks.ts'
import { getSettings, settingsOfNumber } from '#server/settings/settings.ts'
import { isOpen } from '#shared/settings/working-hours.ts'
import { showsNothing } from '#shared/text/shows-nothing.ts'
import { hasNumber } from '#server/platform/http/access.ts'
import { servesQueue } from '#server/platform/http/reach.ts'
import { appNow } from '#server/platform/clock.ts'
import { setAssignee } from '#server/conversations/acts/assign.ts'
import { lockReceiver } from '#server/conversations/acts/receivers.ts'
import { sendAutomatic } from '#server/conversations/store/texts.ts'
import { noteAct } from '#server/conversations/store/write.ts'
import { conversations } from '#server/schema/conversations/conversations.ts'
import { lockConversation } from '#server/conversations/store/lock.ts'

/** A conversation's position in the queue, and the one that its contact was last sent. */
interface Position extends Record<string, unknown> {
  id: number
  instanceId: number
  sectorId: number | null
  position: number
  toldPosition: number | null
  toldAt: string | null
}

const listPositions = (database: Database) =>
  rows<Position>(
    database,
    sql`select p.id, p.instance_id as "instanceId", p.sector_id as "sectorId", p.position,
               q.told_position as "toldPosition", q.told_at::text as "toldAt"
          from (select conversations.id, instance_id, sector_id, started_at,
                       row_number() over (partition by ${queueOf(conversations.sectorId, sql`n.queue`)}
                                          order by started_at, conversations.id)::int as position
                  from conversations join ${queuesOfNumbers} n on n.id = conversations.instance_id
                 where ${isQueued}) p
          join queue_pending_conversations q on q.conversation_id = p.id
         order by p.started_at, p.id`,
  )

/**
 * Sends new positions to contacts who have moved up in their queue, within its working hours.
 * @see decisions §3 Queue
 */
export async function sendPositions(database: Database): Promise<void> {
  const bySettings = Map.groupBy(await listPositions(database), (row) => `${row.instanceId} ${row.sectorId}`)
  for (const positions of bySettings.values()) await sendPositionsOf(database, positions)
}

/** @param positions of conversations at one number and of one sector, which have the same settings */
async function sendPositionsOf(database: Database, positions: Position[]): Promise<void> {
  const [first] = positions
  if (!first) return
  const settings = await settingsOfNumber(database, first.instanceId, first.sectorId)
  const now = await appNow(database)
  if (showsNothing(settings.queuePositionUpdateMessage) || !isOpen(settings, now)) return
  await rememberFirst(
    database,
    positions.filter(({ toldPosition }) => toldPosition === null),
  )
  for (const queued of positions) {
    if (!isDueForPosition(lastSentOf(queued), queued.position, now)) continue
    await inTransaction(database, async (db) => {
      const conversation = await lockConversation(db, queued.id)
      if (!conversation || conversation.subStatus !== 'FILA' || conversation.status === 'completed') return
      // Another instance may have sent it in the meantime; a position that waits in the outbox is not
      // overtaken.
      const [updated] = await rows<{ id: number }>(
        db,
        sql`update queue_pending_conversations q set told_position = ${queued.position}, told_at = app_now()
             where q.conversation_id = ${queued.id} and q.processed_at is null
               and q.told_position is not distinct from ${queued.toldPosition}
               and q.told_at is not distinct from ${queued.toldAt}::timestamptz
               and not exists (select from outbox o join messages m on m.id = o.message_id
                                where o.conversation_id = ${queued.id}
                                  and o.state in ('pending', 'sending', 'unknown')
                                  and m.message_type in ('queue_notification', 'queue_position'))
            returning q.id`,
      )
      if (updated)
        await sendAutomatic(db, conversation, 'queuePositionUpdateMessage', {
          settings,
          position: queued.position,
        })
    })
  }
}

/**
 * A client without a position, since somebody was free or it was closed, is notified from the next one on.
 */
async function rememberFirst(database: Database, positions: Position[]): Promise<void> {
  if (positions.length === 0) return
  await database.execute(
    sql`update queue_pending_conversations q set told_position = p.position, told_at = app_now()
          from ${tableOf('p', positions, { id: 'int', position: 'int' })}
         where q.conversation_id = p.id and q.processed_at is null and q.told_position is null`,
  )
}

const lastSentOf = ({ toldPosition, toldAt }: Position) => ({
  position: toldPosition,
  at: toldAt === null ? null : new Date(toldAt),
})

/**
 * Assigns conversations to operators while any is free, if the settings say so: the contact who has waited
 * longest to the operator who has least to do. The reason is written into the timeline.
 */
export async function distribute(database: Database): Promise<void> {
  if (!(await getSettings(database)).autoDistributionEnabled) return
  const full = new Set<string>()
  for (const { id, instanceId, sectorId } of await listPositions(database)) {
    const queue = `${instanceId} ${sectorId}`
    if (full.has(queue)) continue
    const goesOn = await inTransaction(database, async (db) => {
      const conversation = await lockConversation(db, id)
      if (!conversation || conversation.assignedUserId !== null || conversation.subStatus !== 'FILA')
        return true
      if (conversation.status === 'completed') return true
      // It has come to another queue, whose turn comes.
      if (conversation.sectorId !== sectorId) return true
      // Two instances at once would both find the same operator with nothing to do.
      await lockName(db, 'distribution')
      const capacity = await capacityOf(db, sectorId)
      const loads = (await loadOfOnline(db)).filter((load) => servesQueue(load, conversation))
      const receiver = leastLoaded(loads, capacity)
      if (!receiver) return false
      // Blocked in this moment, or without the number by now: the next round finds another.
      const locked = await lockReceiver(db, receiver.id)
      if (!locked || !hasNumber(locked, instanceId)) return true
      const among = loads.filter(({ waiting }) => waiting < capacity).length
      const { active, waiting } = receiver
      await setAssignee(db, conversation, receiver.id)
      await noteAct(db, conversation, {
        by: null,
        act: 'distributed',
        to: receiver.name,
        reason: { active, waiting, capacity, among },
      })
      await record(db, 'system', {
        action: 'conversation.distribute',
        resourceId: id,
        details: { to: receiver.id, active, waiting, capacity, among },
      })
      db.emit({ type: 'conversation_updated', conversationId: id })
      db.emit({ type: 'new_conversation_notification', userId: receiver.id, conversationId: id })
      return true
    })
    // Those who take from another queue may still be free.
    if (!goesOn) full.add(queue)
  }
}
