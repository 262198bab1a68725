import { queryOptions } from '@tanstack/react-query'
import { getReportStats, type StatsFilter } from '#shared/reports/reports.ts'
import { call } from '#web/platform/api/api.ts'

/** All that is computed of a period, as against what is saved. */
export const ofPeriod = ['reports', 'period'] as const

/** Apart from what a report lists: the dashboard asks for the figures alone. */
export const statsQuery = (filter: StatsFilter) =>
  queryOptions({
    queryKey: [...ofPeriod, 'stats', filter],
    queryFn: ({ signal }) => call(getReportStats, { query: filter, signal }),
  })
