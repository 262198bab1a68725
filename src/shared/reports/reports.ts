import * as z from 'zod/mini'
import { reading } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'
import { dayParam, idParam } from '#shared/users/users.ts'
import { dayCount, trendUnits } from './periods.ts'

/** The longest period: its trend in months still fits on a screen. */
const longestReportDays = 3700

/** The fields of a report's filter, by their names in a URL. */
export const reportFilterFields = {
  operatorId: z.optional(idParam),
  /** Only of one number. */
  instanceId: z.optional(idParam),
  /** Only of one sector. */
  sectorId: z.optional(idParam),
  /** The name of a category. */
  category: z.optional(z.string().check(z.maxLength(100))),
  companyId: z.optional(idParam),
  tag: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
}

/** The days of a report, both inclusive. */
export const days = { startDate: dayParam, endDate: dayParam }
export const isPeriod = z.refine<{ startDate: string; endDate: string }>(
  (period) => period.startDate <= period.endDate && dayCount(period) <= longestReportDays,
  {
    error: ({ input }) =>
      input && (input as { startDate: string }).startDate > (input as { endDate: string }).endDate
        ? 'A data final é anterior à data inicial'
        : 'O período é longo demais',
    path: ['endDate'],
  },
)

export const reportFilter = z.object({ ...days, ...reportFilterFields }).check(isPeriod)
export type ReportFilter = z.infer<typeof reportFilter>

/** What a period is compared with. */
const statsFilter = z
  .object({
    ...days,
    ...reportFilterFields,
    /** 'now': of the last day only what began before the present time of day. */
    until: z.optional(z.enum(['now'])),
  })
  .check(isPeriod)
export type StatsFilter = z.infer<typeof statsFilter>

/** In milliseconds; null without data. */
const spread = z.object({
  mean: z.nullable(z.number()),
  median: z.nullable(z.number()),
  p90: z.nullable(z.number()),
})
export type Spread = z.infer<typeof spread>

export const times = z.object({
  /** How many conversations have this time. */
  count: z.int(),
  /** How many of these have none within the hours of the settings, since it was closed all the while. */
  outside: z.int(),
  /** Within the hours of the settings, without those outside of them, and by the clock. */
  open: spread,
  clock: spread,
})
export type Times = z.infer<typeof times>

/** The figures of some conversations. */
export const measures = {
  total: z.int(),
  waitingClient: z.int(),
  waitingOperator: z.int(),
  inQueue: z.int(),
  /** Open and assigned, and of these the ones that wait for their operator. */
  active: z.int(),
  activeWaiting: z.int(),
  completed: z.int(),
  byPerson: z.int(),
  byInactivity: z.int(),
  firstReply: times,
  queue: times,
  handling: times,
  messages: z.object({ contact: z.int(), team: z.int() }),
  rated: z.object({
    count: z.int(),
    /** From 1 to 5; null without ratings. */
    mean: z.nullable(z.number()),
    commented: z.int(),
  }),
  /** Of those that have a target: how many kept it. */
  sla: z.object({ replyKept: z.int(), replyBroken: z.int(), endKept: z.int(), endBroken: z.int() }),
}

export const reportStats = z.object({
  ...measures,
  /** Conversations that the team began: nobody waited for a first reply. */
  byTeam: z.int(),
  /** How many got 1 to 5 stars. */
  stars: z.array(z.int()),
  /** The period in parts; each part of it is here, also without conversations. */
  trendUnit: z.enum(trendUnits),
  trend: z.array(
    z.object({
      /** Days, both inclusive, and the hour if the parts are hours. */
      from: z.string(),
      to: z.string(),
      hour: z.nullable(z.int()),
      total: z.int(),
      sameDay: z.int(),
      /**
       * How many have a first reply, how many of these outside of the hours, and the mean in milliseconds,
       * in open time without those outside, and by the clock.
       */
      replied: z.int(),
      outside: z.int(),
      open: z.nullable(z.number()),
      clock: z.nullable(z.number()),
    }),
  ),
  /** By weekday (0 is Sunday) and hour of the start; absent without conversations. */
  hours: z.array(
    z.object({
      weekday: z.int(),
      hour: z.int(),
      total: z.int(),
      replied: z.int(),
      outside: z.int(),
      open: z.nullable(z.number()),
      clock: z.nullable(z.number()),
    }),
  ),
  /** Conversations of any period whose times are being computed: they, or the hours, have just changed. */
  due: z.int(),
  /** Of the days: the one of the settings. */
  timezone: z.string(),
})
export type ReportStats = z.infer<typeof reportStats>

export const getReportStats = endpoint({
  method: 'GET',
  path: '/api/reports/stats',
  summary: 'Os números do período: contagens, tempos, avaliações, por dia e por hora da semana',
  act: 'viewReports',
  audit: reading,
  query: statsFilter,
  reply: reportStats,
})
