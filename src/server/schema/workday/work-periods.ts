import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { workStates } from '#shared/workday/work-states.ts'
import { appNow, at, oneOf, rowId } from '#server/schema/columns.ts'
import { resourceId } from '#server/schema/declare/resource.ts'
import { isMapped, isNewIn, mapped } from '#server/schema/declare/restored.ts'
import { table } from '#server/schema/declare/table.ts'
import { users } from '#server/schema/users.ts'
import { pauseReasons } from './pause-reasons.ts'

/**
 * What a person was, from when to when, while they were connected; in whole seconds. Those of one person
 * never overlap, which a constraint of the migration keeps.
 */
export const workPeriods = table(
  'work_periods',
  {
    id: rowId(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    state: text('state', { enum: workStates }).notNull(),
    /** Of a pause: why, and since when; interrupted ones have the same. */
    reasonId: integer('reason_id').references(() => pauseReasons.id),
    pausedAt: at('paused_at'),
    /** As the reason had them at that time. */
    limitMinutes: integer('limit_minutes'),
    countsAsWork: boolean('counts_as_work').notNull().default(false),
    startedAt: at('started_at').notNull(),
    /** null: it goes on. */
    endedAt: at('ended_at'),
    /** When the person was last known to be connected. */
    seenAt: at('seen_at').notNull(),
    /** The last input of the person, on any device, before or within it; null: not known. */
    inputAt: at('input_at'),
    /** How often the connection was lost, and back before it counted. */
    losses: integer('losses').notNull().default(0),
    /** The User-Agent at its start; '' if unknown. */
    device: text('device').notNull().default(''),
  },
  {
    backup: {
      part: 'complete',
      label: 'Jornadas',
      restored: {
        match: sql`t.user_id = ${mapped('users', sql`s.user_id`)} and t.started_at = s.started_at`,
        isAdded: sql`${isMapped('users', sql`s.user_id`)} and coalesce(s.ended_at, s.seen_at) > s.started_at
          and not exists (select from public.work_periods o
                           where o.user_id = ${mapped('users', sql`s.user_id`)}
                             and o.started_at < coalesce(s.ended_at, s.seen_at)
                             and (o.ended_at is null or o.ended_at > s.started_at))`,
      },
    },
    resource: {
      type: 'work_period',
      name: sql`select u.name from work_periods p join users u on u.id = p.user_id
                 where p.id = ${resourceId}`,
    },
    ends: { kept: 'the record of the hours that people worked' },
    other: `
      id userId state reasonId pausedAt limitMinutes countsAsWork startedAt endedAt seenAt inputAt losses
      device
    `,
  },
  (t) => [
    uniqueIndex('work_periods_open')
      .on(t.userId)
      .where(sql`${t.endedAt} is null`),
    index('work_periods_user').on(t.userId, t.startedAt),
    index('work_periods_started').on(t.startedAt),
    index('work_periods_reason').on(t.reasonId),
    check('work_periods_state', oneOf(t.state, workStates)),
    check('work_periods_pause', sql`(${t.state} = 'paused') = (${t.reasonId} is not null)`),
    check('work_periods_length', sql`${t.endedAt} > ${t.startedAt}`),
  ],
)

/** What somebody else says a period was. The last one of a period applies; the period stays as it was. */
export const workCorrections = table(
  'work_corrections',
  {
    id: rowId(),
    periodId: integer('period_id')
      .notNull()
      .references(() => workPeriods.id, { onDelete: 'cascade' }),
    state: text('state', { enum: workStates }).notNull(),
    reasonId: integer('reason_id').references(() => pauseReasons.id),
    limitMinutes: integer('limit_minutes'),
    countsAsWork: boolean('counts_as_work').notNull().default(false),
    why: text('why').notNull(),
    byUserId: integer('by_user_id')
      .notNull()
      .references(() => users.id),
    createdAt: at('created_at').notNull().default(appNow),
  },
  {
    backup: {
      part: 'complete',
      label: 'Correções de jornadas',
      restored: { isAdded: isNewIn('work_periods', sql`s.period_id`) },
    },
    ends: { kept: 'with its period' },
    other: 'id periodId state reasonId limitMinutes countsAsWork why byUserId createdAt',
  },
  (t) => [
    index('work_corrections_period').on(t.periodId, t.id),
    check('work_corrections_state', oneOf(t.state, workStates)),
    check('work_corrections_pause', sql`(${t.state} = 'paused') = (${t.reasonId} is not null)`),
  ],
)
