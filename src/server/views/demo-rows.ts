import { sql } from 'drizzle-orm'
import type { Db } from '#server/platform/database/db.ts'

/** The views of the demonstration: whose, whether the team sees them, and what they show. */
const views = [
  ['supervisora', 'Parados há 15 min', true, { tab: 'all', order: 'waiting', waitingMinutes: 15 }],
  ['supervisora', 'Prioridade alta', true, { tab: 'all', order: 'waiting', priority: 'high' }],
  ['ana', 'Minhas não lidas', false, { tab: 'mine', order: 'activity', unread: 'only' }],
] as const

export async function demoRows(db: Db): Promise<void> {
  for (const [owner, name, isShared, content] of views)
    await db.execute(sql`
      insert into saved_views (owner_id, name, is_shared, content)
      select id, ${name}, ${isShared}, ${JSON.stringify(content)}::jsonb
        from users where username = ${owner}`)
}
