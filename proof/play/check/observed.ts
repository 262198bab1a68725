import { sql } from 'drizzle-orm'
import { type Database, rows } from '#server/platform/database/db.ts'
import { type DayMs, dayMsOf } from '../plan/day.ts'
import type { Act } from '../players/operators.ts'
import type { DayPlan } from '../plan/plan.ts'
import type { SentPosition } from '../players/queue-positions.ts'
import type { Sample } from '../players/scheduler.ts'
import { type DayText, dayTexts } from '../plan/texts.ts'
import type { Got, Written } from '../players/whatsapp.ts'

/** A conversation at the end of the day. */
export interface ConversationRow {
  id: number
  phone: string
  protocol: string
  status: string
  subStatus: string
  waitingFor: string
  assignedUserId: number | null
  preAttendanceStage: string | null
  startedAt: DayMs
  completedAt: DayMs | null
  /** Whether it is in the FILA. */
  isQueued: boolean
  satisfaction: number | null
}

/** A line of its timeline. */
export interface MessageRow {
  id: number
  conversationId: number
  by: 'client' | 'operator' | 'product' | 'event'
  /** The setting of an automatic text. */
  key: DayText | null
  /** The act of an event. */
  act: string | null
  content: string
  waId: string | null
  sortAt: DayMs
  createdAt: DayMs
  isRecovered: boolean
  isRating: boolean
}

/** Everything observed in a day: on the phones, by the operators, and in the database at the end. */
export interface Observed {
  plan: Pick<DayPlan, 'outage' | 'restart' | 'warningMinutes'>
  endedAt: DayMs
  written: Written[]
  got: Got[]
  acts: Act[]
  positions: SentPosition[]
  samples: Sample[]
  conversations: ConversationRow[]
  messages: MessageRow[]
}

type Instants<Row, Keys extends keyof Row> = Omit<Row, Keys> & Record<Keys, string>

export async function readConversations(database: Database): Promise<ConversationRow[]> {
  const found = await rows<
    Instants<ConversationRow, 'startedAt'> & { completedAt: string | null } & Record<string, unknown>
  >(
    database,
    sql`select v.id, c.phone, v.protocol, v.status, v.sub_status as "subStatus",
        v.waiting_for as "waitingFor",
               v.assigned_user_id as "assignedUserId", v.pre_attendance_stage as "preAttendanceStage",
               v.started_at::text as "startedAt", v.completed_at::text as "completedAt", v.satisfaction,
               exists (select from queue_pending_conversations q where q.conversation_id = v.id
                          and q.processed_at is null) as "isQueued"
          from conversations v join contacts c on c.id = v.contact_id order by v.id`,
  )
  return found.map((row) => ({
    ...row,
    startedAt: dayMsOf(row.startedAt),
    completedAt: row.completedAt === null ? null : dayMsOf(row.completedAt),
  }))
}

export async function readMessages(database: Database): Promise<MessageRow[]> {
  const found = await rows<
    Instants<Omit<MessageRow, 'key'>, 'sortAt' | 'createdAt'> & { key: string | null } & Record<
        string,
        unknown
      >
  >(
    database,
    sql`select id, conversation_id as "conversationId", content, whatsapp_message_id as "waId",
               case when sender_type = 'contact' then 'client' when message_type = 'event' then 'event'
                    when sender_id is not null then 'operator' else 'product' end as by,
               metadata ->> 'text' as key, metadata #>> '{event,act}' as act,
               sort_at::text as "sortAt", created_at::text as "createdAt",
               coalesce((metadata ->> 'recovered')::boolean, false) as "isRecovered",
                     metadata ? 'rating' as "isRating"
          from messages order by conversation_id, sort_at, id`,
  )
  return found.map((row) => ({
    ...row,
    key: dayTexts.find((key) => key === row.key) ?? null,
    sortAt: dayMsOf(row.sortAt),
    createdAt: dayMsOf(row.createdAt),
  }))
}
