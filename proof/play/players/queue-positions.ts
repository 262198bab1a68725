import { sql } from 'drizzle-orm'
import { type Database, rows } from '#server/platform/database/db.ts'
import type { DayMs } from '../plan/day.ts'
import { inQueue } from './operators.ts'
import { readText } from '../plan/texts.ts'

/** A position in the queue that was sent to a client. */
export interface SentPosition {
  conversationId: number
  at: DayMs
  position: number
  /** The position counted at that time; null if not in the queue. */
  truePosition: number | null
}

/** Records each position when it is sent, with the counted one. */
export function createQueuePositions(
  database: Database,
  nowMs: () => DayMs,
): { readonly sent: SentPosition[]; note(): Promise<void> } {
  const sent: SentPosition[] = []
  let lastId = 0
  return {
    sent,
    async note() {
      const found = await rows<{ id: number; conversationId: number; content: string; place: number | null }>(
        database,
        sql`with queue as (select v.id, row_number() over (order by v.started_at, v.id)::int as place
                             from conversations v where ${inQueue})
            select m.id, m.conversation_id as "conversationId", m.content, queue.place
              from messages m left join queue on queue.id = m.conversation_id
             where m.id > ${lastId} and m.message_type in ('queue_notification', 'queue_position')
                   order by m.id`,
      )
      lastId = found.at(-1)?.id ?? lastId
      for (const { conversationId, content, place } of found) {
        const position = readText(content).position ?? 0
        sent.push({ conversationId, at: nowMs(), position, truePosition: place })
      }
    },
  }
}
