import { sql } from 'drizzle-orm'
import type { Environment } from './environment.ts'
import type { Tab } from './tab.ts'

/**
 * The messages that every tab must have received, by conversation, in the order they were stored: those
 * written while the program was down arrive in the order of the gateway's retries.
 */
async function expected(environment: Environment): Promise<Map<number, number[]>> {
  const found = await environment.query<{ id: number; conversationId: number }>(
    sql`select m.id, m.conversation_id as "conversationId" from messages m join events e
        on e.message_id = m.id
         where m.sender_type = 'contact' group by m.id, m.conversation_id order by min(e.seq)`,
  )
  const byConversation = new Map<number, number[]>()
  for (const { id, conversationId } of found)
    byConversation.set(conversationId, [...(byConversation.get(conversationId) ?? []), id])
  return byConversation
}

/**
 * Checks that each sampled tab received every message in the order of its conversation, and none twice over
 * one connection unless the first time was a replay. For a tab that was sent 'resync', only the order is
 * checked.
 */
export async function checkReceived(
  environment: Environment,
  tabs: Tab[],
): Promise<{ messages: number; faults: string[] }> {
  const all = await expected(environment)
  const faults: string[] = []
  for (const [index, tab] of tabs.entries()) {
    const first = new Map<number, number>()
    const seen = new Map<string, boolean>()
    for (const { id, connection, isReplay } of tab.received) {
      const key = `${connection}:${id}`
      if (seen.get(key) === false)
        faults.push(`tab ${index}: message ${id} twice on connection ${connection}`)
      seen.set(key, isReplay)
      if (!first.has(id)) first.set(id, first.size)
    }
    for (const [conversationId, ids] of all) {
      const known = ids.filter((id) => first.has(id))
      if (known.length < ids.length && tab.ends.resync === 0)
        faults.push(
          `tab ${index}: ${ids.length - known.length} messages of conversation ${conversationId} are missing`,
        )
      const places = known.map((id) => first.get(id) ?? 0)
      if (places.some((place, n) => n > 0 && place < (places[n - 1] ?? 0)))
        faults.push(`tab ${index}: conversation ${conversationId} out of order`)
    }
  }
  return { messages: [...all.values()].flat().length, faults }
}

interface Stage extends Record<string, unknown> {
  stage: string
  p50: number
  p99: number
}

/**
 * The delays of the messages written in the window: until they were in the inbox, and from there to their
 * effect.
 */
export function stagesOf(
  environment: Environment,
  window: { fromMs: number; toMs: number },
): Promise<Stage[]> {
  return environment.query<Stage>(
    sql`with written as (
          select substring(payload::text from ' às ([0-9]{13})')::float8 as written_ms,
                 extract(epoch from received_at)::float8 * 1000 as stored_ms,
                 extract(epoch from processed_at)::float8 * 1000 as done_ms
            from webhook_inbox where payload::text like '% às %'),
        stages as (
          select 'phone → inbox' as stage, 1 as place, stored_ms - written_ms as ms, written_ms from written
          union all select 'inbox → effect', 2, done_ms - stored_ms, written_ms from written)
        select stage, round(percentile_cont(0.5) within group (order by ms))::int as p50,
               round(percentile_cont(0.99) within group (order by ms))::int as p99
          from stages where written_ms between ${window.fromMs} and ${window.toMs} and ms is not null
         group by stage, place order by place`,
  )
}
