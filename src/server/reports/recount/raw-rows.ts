import { sql } from 'drizzle-orm'
import { type Db, rows } from '#server/platform/database/db.ts'

/** A conversation as its rows tell it. Instants are in milliseconds. */
export interface RawConversation extends Record<string, unknown> {
  id: number
  startedAt: number
  completedAt: number | null
  initiatedBy: string
  status: string
  waitingFor: string
  subStatus: string
  assignedUserId: number | null
  satisfaction: number | null
  messageCount: number
  contactMessageCount: number
  feedback: string | null
  category: string
  companyId: number | null
  sectorId: number | null
  reasonId: number | null
  tagIds: number[]
  tags: string[]
  /** Of the first reply and of the end: kept, and late by now; null: no targets. */
  sla: [boolean | null, boolean | null, boolean | null, boolean | null] | null
  /** From when until when it was on hold; without an end it still is. */
  holds: [from: number, to: number | null][]
  messages: RawMessage[]
}

export interface RawMessage {
  at: number
  id: number
  type: string
  senderId: number | null
  status: string | null
  isIntoQueue: boolean
  origin: string | null
  outcome: string | null
  act: string | null
}

export interface RawUser extends Record<string, unknown> {
  id: number
  role: string
}

const batch = 2000

/** Reads the conversations that began within a span, with all their messages. */
export async function* rawConversations(
  db: Db,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): AsyncGenerator<RawConversation> {
  for (let after = 0; ;) {
    const found = await rows<RawConversation>(
      db,
      sql`select v.id, trunc(extract(epoch from v.started_at) * 1000)::float8 as "startedAt",
                 trunc(extract(epoch from v.completed_at) * 1000)::float8 as "completedAt",
                 v.initiated_by as "initiatedBy", v.status, v.waiting_for as "waitingFor",
                 v.sub_status as "subStatus", v.assigned_user_id as "assignedUserId", v.satisfaction,
                 v.message_count as "messageCount", v.contact_message_count as "contactMessageCount",
                 (select g.feedback from conversation_ratings g where g.conversation_id = v.id) as feedback,
                 c.category, c.company_id as "companyId", v.sector_id as "sectorId",
                 v.finish_reason_id as "reasonId", v.tag_ids as "tagIds", c.tags,
                 (select json_build_array(k.reply_kept, k.reply_due_at <= app_now(), k.end_kept,
                                          k.end_due_at <= app_now())
                    from sla_clocks k where k.conversation_id = v.id) as sla,
                 coalesce((select json_agg(json_build_array(trunc(extract(epoch from z.started_at) * 1000),
                             trunc(extract(epoch from z.ended_at) * 1000)))
                    from snoozes z where z.conversation_id = v.id), '[]') as holds,
                 coalesce((select json_agg(json_build_object(
                      'at', trunc(extract(epoch from m.sort_at) * 1000), 'id', m.id, 'type', m.message_type,
                      'senderId', m.sender_id, 'status', m.delivery_status,
                      'isIntoQueue', coalesce(m.metadata ->> 'intoQueue', '') = 'true',
                      'origin', m.metadata -> 'origin',
                      'outcome', m.metadata -> 'call' -> 'outcome', 'act', m.metadata -> 'event' -> 'act')
                      order by m.id)
                    from messages m where m.conversation_id = v.id), '[]') as messages
            from conversations v, contacts c
           where v.contact_id = c.id and v.id > ${after} and v.is_history = false
             and coalesce(v.pre_attendance_stage, '') not in ('waiting_option', 'cancelled')
             and v.started_at >= to_timestamp(${fromMs / 1000}::float8)
             and v.started_at < to_timestamp(${toMs / 1000}::float8)
           order by v.id limit ${batch}`,
    )
    yield* found
    if (found.length < batch) return
    after = found.at(-1)?.id ?? 0
  }
}

export async function rawUsers(db: Db): Promise<RawUser[]> {
  return rows<RawUser>(db, sql`select id, role from users`)
}
