import { sql } from 'drizzle-orm'
import type { Ground } from './ground.ts'
import type { Tab } from './tab.ts'

/**
 * What every tab that was there from the first to the last message must have been told, by conversation, in the order in
 * which it happened here: what phones wrote while nobody served arrives in the order of the gateway's own repeats.
 */
async function expected(ground: Ground): Promise<Map<number, number[]>> {
  const found = await ground.look<{ id: number; conversationId: number }>(
    sql`select m.id, m.conversation_id as "conversationId" from messages m join events e on e.message_id = m.id
         where m.sender_type = 'contact' group by m.id, m.conversation_id order by min(e.seq)`,
  )
  const byConversation = new Map<number, number[]>()
  for (const { id, conversationId } of found)
    byConversation.set(conversationId, [...(byConversation.get(conversationId) ?? []), id])
  return byConversation
}

/**
 * Each sampled tab was told every message, in the order of its conversation, and none twice by one connection unless
 * the first time was to catch up. A tab that was told to fetch has fetched: of it only the order is asked.
 */
export async function checkTold(
  ground: Ground,
  tabs: Tab[],
): Promise<{ messages: number; faults: string[] }> {
  const all = await expected(ground)
  const faults: string[] = []
  for (const [index, tab] of tabs.entries()) {
    const first = new Map<number, number>()
    const seen = new Map<string, boolean>()
    for (const { id, connection, isReplay } of tab.told) {
      const key = `${connection}:${id}`
      if (seen.get(key) === false)
        faults.push(`aba ${index}: mensagem ${id} duas vezes na conexão ${connection}`)
      seen.set(key, isReplay)
      if (!first.has(id)) first.set(id, first.size)
    }
    for (const [conversationId, ids] of all) {
      const told = ids.filter((id) => first.has(id))
      if (told.length < ids.length && tab.ends.resync === 0)
        faults.push(
          `aba ${index}: ${ids.length - told.length} mensagens da conversa ${conversationId} faltam`,
        )
      const places = told.map((id) => first.get(id) ?? 0)
      if (places.some((place, n) => n > 0 && place < (places[n - 1] ?? 0)))
        faults.push(`aba ${index}: conversa ${conversationId} fora de ordem`)
    }
  }
  return { messages: [...all.values()].flat().length, faults }
}

interface Stage extends Record<string, unknown> {
  stage: string
  p50: number
  p99: number
}

/** Where the time went, of messages written in the window: until they were stored as they came, and until they had their effect. */
export function stagesOf(ground: Ground, window: { fromMs: number; toMs: number }): Promise<Stage[]> {
  return ground.look<Stage>(
    sql`with told as (
          select substring(payload::text from ' às ([0-9]{13})')::float8 as written_ms,
                 extract(epoch from received_at)::float8 * 1000 as stored_ms,
                 extract(epoch from processed_at)::float8 * 1000 as done_ms
            from webhook_inbox where payload::text like '% às %'),
        stages as (
          select 'celular → entrada' as stage, 1 as place, stored_ms - written_ms as ms, written_ms from told
          union all select 'entrada → efeito', 2, done_ms - stored_ms, written_ms from told)
        select stage, round(percentile_cont(0.5) within group (order by ms))::int as p50,
               round(percentile_cont(0.99) within group (order by ms))::int as p99
          from stages where written_ms between ${window.fromMs} and ${window.toMs} and ms is not null
         group by stage, place order by place`,
  )
}
