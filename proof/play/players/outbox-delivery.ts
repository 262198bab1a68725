import { sql } from 'drizzle-orm'
import { type Database, rows, tableOf } from '#server/platform/database/db.ts'
import { outboxPriorities } from '#server/schema/conversations/outbox.ts'
import { type DayMs, secondMs } from '../plan/day.ts'
import type { WhatsApp } from './whatsapp.ts'

/** Delivers the outbox to the phones. */
export interface OutboxDelivery {
  /** Delivers what is due. @returns when the next message is due; undefined if none is waiting */
  deliver(database: Database): Promise<DayMs | undefined>
}

interface Waiting extends Record<string, unknown> {
  id: number
  messageId: number
  conversationId: number
  priority: number
  phone: string
  content: string
}

/** The interval between automatic texts. @see reliability F-08 */
const paceMs = secondMs

/**
 * Replaces the outbox's worker, which would take too long for a day and is covered by the proofs 'sends',
 * 'outage' and 'races'. It delivers in the same order: replies before automatic texts, each conversation from
 * its first row on, automatic texts one a second, and nothing while the gateway is down.
 */
export function createOutboxDelivery(whatsapp: WhatsApp, nowMs: () => DayMs): OutboxDelivery {
  let nextAutomaticAt: DayMs = 0
  const bring = ({ conversationId, priority, phone, content }: Waiting, stuck: Set<number>) => {
    const mayGo =
      !stuck.has(conversationId) && (priority < outboxPriorities.automatic || nowMs() >= nextAutomaticAt)
    if (!mayGo) {
      stuck.add(conversationId)
      return false
    }
    if (priority >= outboxPriorities.automatic) nextAutomaticAt = nowMs() + paceMs
    whatsapp.show({ phone, at: nowMs(), text: content })
    return true
  }
  return {
    async deliver(database) {
      if (whatsapp.isGatewayAway) return undefined
      const waiting = await rows<Waiting>(
        database,
        sql`select o.id, o.message_id as "messageId", o.conversation_id as "conversationId", o.priority,
            c.phone, m.content
              from outbox o join messages m on m.id = o.message_id join conversations v
                    on v.id = o.conversation_id
              join contacts c on c.id = v.contact_id
             where o.state = 'pending' order by o.id`,
      )
      const stuck = new Set<number>()
      const brought = waiting.filter((row) => bring(row, stuck))
      await markSent(database, brought)
      return brought.length < waiting.length ? Math.max(nextAutomaticAt, nowMs()) : undefined
    },
  }
}

async function markSent(database: Database, brought: Waiting[]): Promise<void> {
  if (brought.length === 0) return
  const table = tableOf(
    's',
    brought.map(({ id, messageId }) => ({ id, messageId })),
    { id: 'int', messageId: 'int' },
  )
  await database.execute(sql`
    with sent as (update outbox o set state = 'sent', tries = 1 from ${table} where o.id = s.id)
    update messages m set delivery_status = 'sent', whatsapp_message_id = 'enviada-' || s.id from ${table}
          where m.id = s."messageId"`)
}
