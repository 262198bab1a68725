import { useSearchParams } from 'wouter'
import { type AuditFilter, auditFilterFields, auditPageSizes } from '#shared/audit/audit-logs.ts'
import { writeParam } from '#web/platform/browser/use-page-filter.ts'
import { pageIn } from '#web/platform/page-number.ts'
import { useUrlFilter } from '#web/platform/browser/use-url-filter.ts'

const usualLimit = 20

/** Filter, page and page size, kept in the URL. */
export function useAuditFilter() {
  const [params, setParams] = useSearchParams()
  const { filter: fields, change, clear } = useUrlFilter(auditFilterFields)
  const page = pageIn(params.get('page'))
  const limit = auditPageSizes.find((size) => String(size) === params.get('limit')) ?? usualLimit
  const setPage = (to: number) =>
    setParams((old) => {
      writeParam(old, 'page', to === 1 ? '' : String(to))
      return old
    })
  const setLimit = (to: number) =>
    setParams((old) => {
      writeParam(old, 'page', '')
      writeParam(old, 'limit', to === usualLimit ? '' : String(to))
      return old
    })
  const filter = withoutLoneId(fields)
  return { filter, page, limit, setPage, setLimit, change, clear, isFiltered: Object.keys(filter).length > 0 }
}

/** The id of an object says nothing without its type. */
function withoutLoneId({ resourceId, ...filter }: AuditFilter): AuditFilter {
  return resourceId === undefined || filter.resourceType === undefined ? filter : { ...filter, resourceId }
}

/** The address of the file with what the filter shows. */
export function exportAddress(filter: AuditFilter): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(filter)) query.set(name, String(value))
  return `/api/audit-logs/export?${query.toString()}`
}
