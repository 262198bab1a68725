import * as z from 'zod/mini'
import { reading } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'

/** The figures of the dashboard. Blocks that the caller may not see are absent. @see security D8 */
export const stats = z.object({
  completedToday: z.optional(z.int()),
  /** That day, in the time zone of the settings: 'YYYY-MM-DD'. */
  today: z.optional(z.string()),
  waiting: z.optional(z.int()),
  inProgress: z.optional(z.int()),
  /** The mean time from a client's first unanswered message to the answer, in seconds; null without data. */
  averageResponseTimeMonthly: z.optional(z.nullable(z.number())),
  averageResponseTimeWeekly: z.optional(z.nullable(z.number())),
  operatorsOnline: z.optional(z.int()),
  totalOperators: z.optional(z.int()),
})
export type Stats = z.infer<typeof stats>

export const getStats = endpoint({
  method: 'GET',
  path: '/api/stats',
  summary: 'Números do momento',
  rows: {
    'GET /api/stats (queue block)': { act: 'viewDashboard', audit: reading },
    'GET /api/stats (statistics block)': { act: 'viewStatistics', audit: reading },
  },
  reply: stats,
})
