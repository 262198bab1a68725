import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Grouping } from '#shared/reports/figures.ts'
import {
  listOperatorPerformance,
  listReportConversations,
  listReportGroups,
  type RowOrder,
  type RowsFilter,
} from '#shared/reports/report-parts.ts'
import type { ReportFilter } from '#shared/reports/reports.ts'
import { call } from '#web/platform/api/api.ts'
import { ofPeriod } from './queries.ts'

/** What a report lists. */
export const partQueries = {
  operators: (filter: ReportFilter) =>
    queryOptions({
      queryKey: [...ofPeriod, 'operators', filter],
      queryFn: ({ signal }) => call(listOperatorPerformance, { query: filter, signal }),
      placeholderData: keepPreviousData,
    }),
  groups: (filter: ReportFilter, by: Grouping) =>
    queryOptions({
      queryKey: [...ofPeriod, 'groups', filter, by],
      queryFn: ({ signal }) => call(listReportGroups, { query: { ...filter, by }, signal }),
      // Of another period, but never other groups.
      placeholderData: (before, query) => (query?.queryKey[4] === by ? before : undefined),
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
}
