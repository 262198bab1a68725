import { sql } from 'drizzle-orm'
import { type Database, rows } from '#server/platform/database/db.ts'
import type { ConversationState } from './model.ts'

export type StoredConversation = ConversationState & { id: number; contactId: number; protocol: string }

/** Reads the conversations with their timeline and audit trail, by id. */
export async function readStates(
  database: Database,
  ids: number[],
): Promise<Map<number, StoredConversation>> {
  const found = await rows<StoredConversation & Record<string, unknown>>(
    database,
    sql`select c.id, c.contact_id as "contactId", c.protocol, c.status, c.sub_status as "subStatus",
               c.assigned_user_id as holder, c.waiting_for as "waitingFor", c.version,
               exists (select from queue_pending_conversations q
                        where q.conversation_id = c.id and q.processed_at is null) as "isQueued",
               (select coalesce(json_agg(case when m.message_type = 'event'
                     then '·' || (m.metadata #>> '{event,act}')
                                              else m.content end order by m.sort_at, m.id), '[]')
                  from messages m where m.conversation_id = c.id) as timeline,
               (select coalesce(json_agg(a.action || ' ' || coalesce(a.user_id::text, 'null')
                     order by a.id), '[]')
                  from audit_logs a where a.resource_type = 'conversation'
                        and a.resource_id = c.id::text) as audit,
               (select count(*)::int from messages m where m.conversation_id = c.id
                     and m.sender_type = 'contact'
                   and m.created_at > c.completed_at) as late
          from conversations c where c.id = any(${sql.param(ids)}::int[])`,
  )
  return new Map(found.map((row) => [row.id, row]))
}

/** Reads the other conversations of the same clients, by contact id. */
export async function readOthers(
  database: Database,
  ids: number[],
): Promise<Map<number, StoredConversation[]>> {
  const found = await rows<{ id: number }>(
    database,
    sql`select id from conversations where contact_id in (select contact_id from conversations
        where id = any(${sql.param(ids)}::int[]))
           and id <> all(${sql.param(ids)}::int[])`,
  )
  const states = await readStates(
    database,
    found.map(({ id }) => id),
  )
  return Map.groupBy(states.values(), ({ contactId }) => contactId)
}

/**
 * Pauses the outbox, so that ticks do not change versions while they are compared. It does so by the rate
 * limit, since an open breaker counts as an outage, in which nothing is closed.
 */
export async function holdOutbox(database: Database, isHeld: boolean): Promise<void> {
  await database.execute(
    sql`update evolution_api_config set next_send_at = ${isHeld ? sql`'infinity'::timestamptz` : sql`now()`}`,
  )
}

/** Sets the age of the last message of these conversations. */
export async function setInactivity(database: Database, ids: number[], silentMs: number): Promise<void> {
  await database.execute(
    sql`update conversations set last_activity_at = app_now() - ${silentMs}::float8 * interval '1 millisecond'
         where id = any(${sql.param(ids)}::int[])`,
  )
}

/** Whether all webhooks are processed. */
export async function isInboxEmpty(database: Database): Promise<boolean> {
  const [row] = await rows<{ any: boolean }>(
    database,
    sql`select exists (select from webhook_inbox where processed_at is null) as any`,
  )
  return !row?.any
}
