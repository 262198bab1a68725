import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import type { TwoInstances } from '../support/two-instances.ts'
import { auditLine, type State } from './model.ts'

type Row = Omit<State, 'isDeleted' | 'audit'> & {
  id: number
  audit: { action: string; userId: number | null; details: Record<string, unknown> }[]
}

/** Reads the conversations with their texts and audit trail, by id. */
export async function readStates(at: TwoInstances, ids: number[]): Promise<Map<number, State>> {
  const found = await rows<Row>(
    at.database,
    sql`select c.id, c.status, c.sub_status as "subStatus", c.assigned_user_id as holder,
        c.waiting_for as "waitingFor",
               c.version,
               exists (select 1 from queue_pending_conversations q
                        where q.conversation_id = c.id and q.processed_at is null) as "isQueued",
               coalesce((select json_agg(m.content order by m.sort_at, m.id) from messages m
                          where m.conversation_id = c.id and m.sender_type = 'user'
                            and m.message_type <> 'event'), '[]') as texts,
               coalesce((select json_agg(json_build_object('action', a.action, 'userId', a.user_id,
                     'details', a.details)
                                         order by a.id)
                           from audit_logs a
                          where a.resource_type = 'conversation' and a.resource_id = c.id::text),
                                '[]') as audit
          from conversations c where c.id = any(${sql.param(ids)}::int[])`,
  )
  return new Map(
    found.map(({ id, audit, ...row }) => [
      id,
      {
        ...row,
        isDeleted: false,
        audit: audit.map((one) => auditLine(one.action, one.userId, one.details)),
      },
    ]),
  )
}

export interface SentMessage extends Record<string, unknown> {
  id: number
  conversationId: number
  content: string
  status: string
}

/** Reads the sent messages in the order of their conversations. */
export function readSent(at: TwoInstances): Promise<SentMessage[]> {
  return rows<SentMessage>(
    at.database,
    sql`select id, conversation_id as "conversationId", content, delivery_status as status from messages
         where sender_type = 'user' and message_type <> 'event' order by conversation_id, sort_at, id`,
  )
}

/** Pauses the outbox, so that ticks do not change versions while they are compared. */
export async function holdOutbox(at: TwoInstances, isHeld: boolean): Promise<void> {
  const until = isHeld ? sql`'infinity'::timestamptz` : sql`null`
  await at.database.execute(sql`update evolution_api_config set failures = 0, breaker_until = ${until}`)
}

/** Raises the rate of automatic texts, of which the races cause thousands. */
export async function hurryAutomaticTexts(at: TwoInstances): Promise<void> {
  await at.database.execute(sql`
    create function hurry() returns trigger language plpgsql as
    $$ begin new.next_automatic_at := now() - interval '1 hour'; return new; end $$`)
  await at.database.execute(sql`
    create trigger hurry before update on evolution_api_config for each row execute function hurry()`)
}
