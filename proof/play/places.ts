import { sql } from 'drizzle-orm'
import { type Database, rows } from '#server/platform/db.ts'
import type { DayMs } from './day.ts'
import { inQueue } from './operators.ts'
import { readText } from './texts.ts'

/** A place in the FILA that somebody was told. */
export interface Told {
  conversationId: number
  at: DayMs
  position: number
  /** Where he really stood, counted at that moment; null: not in the FILA. */
  truePosition: number | null
}

/** Counts, whenever places may have been told, where those who were told really stand. */
export function createPlaces(
  database: Database,
  nowMs: () => DayMs,
): { readonly told: Told[]; note(): Promise<void> } {
  const told: Told[] = []
  let lastId = 0
  return {
    told,
    async note() {
      const found = await rows<{ id: number; conversationId: number; content: string; place: number | null }>(
        database,
        sql`with queue as (select v.id, row_number() over (order by v.started_at, v.id)::int as place
                             from conversations v where ${inQueue})
            select m.id, m.conversation_id as "conversationId", m.content, queue.place
              from messages m left join queue on queue.id = m.conversation_id
             where m.id > ${lastId} and m.message_type in ('queue_notification', 'queue_position') order by m.id`,
      )
      lastId = found.at(-1)?.id ?? lastId
      for (const { conversationId, content, place } of found) {
        const position = readText(content).position ?? 0
        told.push({ conversationId, at: nowMs(), position, truePosition: place })
      }
    },
  }
}
