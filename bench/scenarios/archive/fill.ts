import type { Environment, Side } from '../../environment/environment.ts'
import { operators, sql } from '../../environment/data.ts'

/** How long the words and the facts of all conversations may take to be computed. */
const indexingMs = 30 * 60_000

/** Conversations that are written and completed at once, each with twenty messages. */
export const burstConversations = 2500

/** Many rows at once, after which no statistics are renewed: a plan that depends on them must not change. */
const burst = [
  `insert into conversations (instance_id, contact_id, protocol, assigned_user_id, status, sub_status,
                              waiting_for, started_at, completed_at, last_activity_at, message_count)
   select 1, n, '20210101' || lpad(n::text, 6, '0'), 1 + n % ${operators}, 'completed', 'OPERADOR', 'client',
          at - interval '1 hour', at, at, 20
     from generate_series(1, ${burstConversations}) n, lateral (select now() - n * interval '1 s' as at) t`,
  `insert into messages (conversation_id, instance_id, sender_id, sender_type, content, whatsapp_message_id,
                         delivery_status, sort_at, sent_at, created_at)
   select v.id, 1, case when k % 2 = 0 then v.assigned_user_id end,
          case when k % 2 = 0 then 'user' else 'contact' end,
          ${sql.content.replaceAll(' n ', ' v.id ')}, 'BURST' || v.id || '-' || k,
          case when k % 2 = 0 then 'read' end, at, at, at
     from conversations v, generate_series(1, 20) k,
          lateral (select v.started_at + k * interval '1 minute' as at) t
    where v.protocol like '20210101%'`,
  `update conversations v set last_message_id = (select max(id) from messages where conversation_id = v.id)
    where v.protocol like '20210101%'`,
]

/** The databases that have the words of the searches already. */
const filled = new WeakMap<object, Promise<void>>()

/** Gives the words of the searches and the facts of the reports to the product's database, once. */
export async function fill(environment: Environment, isAfterBurst: boolean): Promise<void> {
  const { db } = environment.product
  const words = filled.get(environment) ?? fillWords(db)
  filled.set(environment, words)
  await words
  if (isAfterBurst) for (const statement of burst) await db.query(statement)
}

async function fillWords(db: Side['db']): Promise<void> {
  // A hundred of a hundred thousand say a rare word, one says another, and every fiftieth a phrase. A hundred
  // open and a hundred completed ones say one more.
  await db.query(
    `update messages m set content = content || case
        when conversation_id = 7777 then ' xilofone'
        when conversation_id % 1000 = 7 then ' código de rastreio'
        when conversation_id % 1000 in (20, 22) then ' abajur de vime'
        else ' segue a nota fiscal eletrônica' end
      where (conversation_id % 1000 in (7, 20, 22) or conversation_id % 50 = 13 or conversation_id = 7777)
        and m.whatsapp_message_id like '%-3'`,
  )
  await db.query(`update messages set response_ms = 1000 * (20 + id % 600) where sender_id is not null`)
  await db.query(
    `update conversations set satisfaction = 1 + id % 5 where status = 'completed' and id % 3 = 0`,
  )
  await db.query(`truncate search_due, facts_due`)
  await db.query(`insert into search_due (conversation_id) select id from conversations`)
  await db.query(`insert into facts_due (conversation_id) select id from conversations`)
  const until = performance.now() + indexingMs
  for (;;) {
    const { rows } = await db.query<{ n: number }>(
      `select (select count(*) from search_due) + (select count(*) from facts_due) as n`,
    )
    if (Number(rows[0]?.n) === 0) break
    if (performance.now() > until) throw new Error('the words are still being indexed')
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  await db.query('vacuum analyze')
}
