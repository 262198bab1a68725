import type { ReportStats, Times } from '#shared/reports/reports.ts'

const none = { mean: null, median: null, p90: null }
const noTimes: Times = { count: 0, outside: 0, open: none, clock: none }

/** A report of no conversation. */
export const noStats: ReportStats = {
  total: 0,
  waitingClient: 0,
  waitingOperator: 0,
  inQueue: 0,
  active: 0,
  activeWaiting: 0,
  completed: 0,
  byPerson: 0,
  byInactivity: 0,
  sla: { replyKept: 0, replyBroken: 0, endKept: 0, endBroken: 0 },
  byTeam: 0,
  firstReply: noTimes,
  queue: noTimes,
  handling: noTimes,
  messages: { contact: 0, team: 0 },
  rated: { count: 0, mean: null, commented: 0 },
  stars: [0, 0, 0, 0, 0],
  trendUnit: 'hour',
  trend: [],
  hours: [],
  due: 0,
  timezone: 'America/Sao_Paulo',
}
