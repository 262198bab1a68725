import { sql } from 'drizzle-orm'
import { mostSetAside, type SetAside, type SetAsideEvent } from '#shared/gateway/set-aside.ts'
import { type Db, rows, type Tx } from '#server/platform/database/db.ts'

/** What was given up, of numbers that are known, and of nobody who was anonymized. */
const isSetAside = sql`i.dead_reason is not null and i.dead_reason <> 'erased' and i.instance_id is not null`

/** A text of the body, which may be of any form. */
const saidAt = (path: string) =>
  sql`case when jsonb_typeof(i.payload #> ${path}::text[]) = 'string'
           then left(i.payload #>> ${path}::text[], 100) end`

/** The events that were given up, the newest first. */
export async function readSetAside(db: Db): Promise<SetAside> {
  const found = await rows<SetAsideEvent & { total: number }>(
    db,
    sql`select i.id, i.received_at::text as "receivedAt", i.instance_name as "instanceName", i.event,
               ${saidAt('{data,key,remoteJid}')} as address, ${saidAt('{data,pushName}')} as name,
               i.dead_reason as reason, (count(*) over ())::int as total
          from webhook_inbox i where ${isSetAside}
         order by i.id desc limit ${mostSetAside}`,
  )
  return {
    total: found[0]?.total ?? 0,
    events: found.map(({ total: _total, ...event }) => ({
      ...event,
      receivedAt: new Date(event.receivedAt).toISOString(),
    })),
  }
}

/** Lets the events that were given up be processed again. @returns how many there are */
export async function retryAll(db: Tx): Promise<number> {
  const again = await rows<{ id: number }>(
    db,
    sql`update webhook_inbox i set dead_reason = null, attempts = 0, not_before = now()
         where ${isSetAside} returning i.id`,
  )
  if (again.length > 0) db.signal('inbox')
  return again.length
}

/** How many events of the last day were given up, and when the first of them came; undefined if none. */
export async function findSetAside(db: Db): Promise<{ count: number; since: Date } | undefined> {
  const [row] = await rows<{ count: number; since: string | null }>(
    db,
    sql`select count(*)::int as count, min(i.received_at)::text as since
          from webhook_inbox i where ${isSetAside} and i.received_at > app_now() - interval '1 day'`,
  )
  return row?.since ? { count: row.count, since: new Date(row.since) } : undefined
}
