import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Grouping } from '#shared/reports/figures.ts'
import {
  getReportStats,
  listOperatorPerformance,
  listReportConversations,
  listReportGroups,
  type ReportFilter,
  type RowOrder,
  type RowsFilter,
} from '#shared/reports/reports.ts'
import { listSavedReports } from '#shared/reports/saved-reports.ts'
import { call } from '#web/platform/api/api.ts'

const all = ['reports'] as const
const ofPeriod = [...all, 'period'] as const

export const reportQueries = {
  /** All that is computed of a period, as against what is saved. */
  ofPeriod,
  stats: (filter: ReportFilter) =>
    queryOptions({
      queryKey: [...ofPeriod, 'stats', filter],
      queryFn: ({ signal }) => call(getReportStats, { query: filter, signal }),
    }),
  operators: (filter: ReportFilter) =>
    queryOptions({
      queryKey: [...ofPeriod, 'operators', filter],
      queryFn: ({ signal }) => call(listOperatorPerformance, { query: filter, signal }),
    }),
  groups: (filter: ReportFilter, by: Grouping) =>
    queryOptions({
      queryKey: [...ofPeriod, 'groups', filter, by],
      queryFn: ({ signal }) => call(listReportGroups, { query: { ...filter, by }, signal }),
    }),
  rows: (
    filter: RowsFilter,
    page: { page: number; limit: number; order: RowOrder | undefined; asOf: string | undefined },
  ) =>
    queryOptions({
      queryKey: [...ofPeriod, 'rows', filter, page],
      queryFn: ({ signal }) => call(listReportConversations, { query: { ...filter, ...page }, signal }),
      placeholderData: keepPreviousData,
    }),
  savedKey: [...all, 'saved'] as const,
  saved: () =>
    queryOptions({
      queryKey: [...all, 'saved'],
      queryFn: ({ signal }) => call(listSavedReports, { signal }),
    }),
}
