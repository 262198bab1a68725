import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type AuditFilter, listAuditLogs } from '#shared/audit/audit-logs.ts'
import { call } from '#web/platform/api/api.ts'

/** How soon new rows come automatically, on the first page; the others only move. */
const newRowsMs = 15_000

export const auditQueries = {
  /** A page of the log, newest first. The page before stays until the next one has come. */
  page: (filter: AuditFilter, { page, limit }: { page: number; limit: number }) =>
    queryOptions({
      queryKey: ['audit-logs', filter, page, limit],
      queryFn: ({ signal }) => call(listAuditLogs, { query: { ...filter, page, limit }, signal }),
      placeholderData: keepPreviousData,
      ...(page === 1 && { refetchInterval: newRowsMs }),
    }),
}
