import { sql } from 'drizzle-orm'
import { type AnyPgColumn, check } from 'drizzle-orm/pg-core'
import {
  choiceStages,
  conversationStatuses,
  initiators,
  priorities,
  subStatuses,
  waitingFors,
} from '#shared/conversations/conversations.ts'
import { oneOf } from '#server/schema/columns.ts'

type Checked = Record<
  | 'completedAt'
  | 'finishReasonId'
  | 'initiatedBy'
  | 'preAttendanceStage'
  | 'priority'
  | 'protocol'
  | 'satisfaction'
  | 'snoozedUntil'
  | 'status'
  | 'subStatus'
  | 'waitingFor'
  | 'waitingSince',
  AnyPgColumn
>

/** What the values of a conversation's columns may be, and be together. */
export function conversationChecks(t: Checked) {
  return [
    check('conversations_status', oneOf(t.status, conversationStatuses)),
    check('conversations_sub_status', oneOf(t.subStatus, subStatuses)),
    check('conversations_waiting_for', oneOf(t.waitingFor, waitingFors)),
    check('conversations_priority', oneOf(t.priority, priorities)),
    check('conversations_initiated_by', oneOf(t.initiatedBy, initiators)),
    check('conversations_pre_attendance_stage', oneOf(t.preAttendanceStage, choiceStages)),
    check('conversations_satisfaction', sql`${t.satisfaction} between 1 and 5`),
    check('conversations_completed_at', sql`(${t.status} = 'completed') = (${t.completedAt} is not null)`),
    check(
      'conversations_snoozed',
      sql`${t.snoozedUntil} is null or coalesce(${t.waitingSince}, ${t.completedAt}) is null`,
    ),
    check('conversations_finish_reason', sql`${t.finishReasonId} is null or ${t.status} = 'completed'`),
    check('conversations_protocol', sql`${t.protocol} ~ '^[0-9]{14}$'`),
  ]
}
