import { sql } from 'drizzle-orm'
import { record } from '#server/audit/audit.ts'
import { isDueForPosition, isQueued, leastLoaded, loadOfOnline } from '#server/automation/automation.ts'
import { type Database, inTransaction, lockName, rows } from '#server/platform/database/db.ts'
import { getSettings } from '#server/settings/settings.ts'
import { isOpen } from '#shared/working-hours.ts'
import { appNow } from '#server/platform/clock.ts'
import { setAssignee } from '#server/conversations/acts/assign.ts'
import { sendAutomatic } from '#server/conversations/store/texts.ts'
import { noteAct } from '#server/conversations/store/write.ts'
import { lockConversation } from '#server/conversations/store/lock.ts'

/** A conversation in the FILA, and what its client was told of his place. */
interface Place extends Record<string, unknown> {
  id: number
  position: number
  toldPosition: number | null
  toldAt: string | null
}

const listPlaces = (database: Database) =>
  rows<Place>(
    database,
    sql`select p.id, p.position, q.told_position as "toldPosition", q.told_at::text as "toldAt"
          from (select conversations.id, row_number() over (order by started_at, id)::int as position
                  from conversations where ${isQueued}) p
          join queue_pending_conversations q on q.conversation_id = p.id
         order by p.position`,
  )

/**
 * Tells those in the FILA who have moved up, and were told a place before. Only while somebody answers.
 * @see decisions §3 Queue
 */
export async function tellPositions(database: Database): Promise<void> {
  const settings = await getSettings(database)
  const now = await appNow(database)
  if (settings.queuePositionUpdateMessage.trim() === '' || !isOpen(settings, now)) return
  for (const place of await listPlaces(database)) {
    if (!isDueForPosition(placeOf(place), place.position, now)) continue
    await inTransaction(database, async (db) => {
      const conversation = await lockConversation(db, place.id)
      if (!conversation || conversation.subStatus !== 'FILA' || conversation.status === 'completed') return
      // Another instance may have told it meanwhile; what still waits to be sent is not overtaken by the next
      // one.
      const [told] = await rows<{ id: number }>(
        db,
        sql`update queue_pending_conversations q set told_position = ${place.position}, told_at = app_now()
             where q.conversation_id = ${place.id} and q.processed_at is null
               and q.told_position is not distinct from ${place.toldPosition}
               and q.told_at is not distinct from ${place.toldAt}::timestamptz
               and not exists (select from outbox o join messages m on m.id = o.message_id
                                where o.conversation_id = ${place.id} and o.state in ('pending', 'sending', 'unknown')
                                  and m.message_type in ('queue_notification', 'queue_position'))
            returning q.id`,
      )
      if (told)
        await sendAutomatic(db, conversation, 'queuePositionUpdateMessage', {
          settings,
          position: place.position,
        })
    })
  }
}

const placeOf = ({ toldPosition, toldAt }: Place) => ({
  position: toldPosition,
  at: toldAt === null ? null : new Date(toldAt),
})

/**
 * Gives whoever waits longest to whoever has least to do, as long as somebody is free; where that is wanted.
 * Why he got it stands in the timeline.
 */
export async function distribute(database: Database): Promise<void> {
  const { autoDistributionEnabled, maxActivePerOperator: capacity } = await getSettings(database)
  if (!autoDistributionEnabled) return
  for (const { id } of await listPlaces(database)) {
    const isGiven = await inTransaction(database, async (db) => {
      const conversation = await lockConversation(db, id)
      if (!conversation || conversation.assignedUserId !== null || conversation.subStatus !== 'FILA')
        return true
      if (conversation.status === 'completed') return true
      // Two who give at once would both see the same person with nothing to do.
      await lockName(db, 'distribution')
      const loads = await loadOfOnline(db)
      const receiver = leastLoaded(loads, capacity)
      if (!receiver) return false
      const among = loads.filter(({ waiting }) => waiting < capacity).length
      const { active, waiting } = receiver
      await setAssignee(db, conversation, receiver.id)
      await noteAct(db, conversation, {
        by: null,
        act: 'distributed',
        to: receiver.name,
        reason: { active, waiting, capacity, among },
      })
      await record(db, {
        userId: null,
        action: 'conversation.distribute',
        resourceType: 'conversation',
        resourceId: id,
        details: { to: receiver.id, active, waiting, capacity, among },
      })
      db.emit({ type: 'conversation_updated', conversationId: id })
      db.emit({ type: 'new_conversation_notification', userId: receiver.id, conversationId: id })
      return true
    })
    if (!isGiven) return
  }
}
