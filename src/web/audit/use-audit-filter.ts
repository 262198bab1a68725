import { useSearchParams } from 'wouter'
import * as z from 'zod/mini'
import { type AuditFilter, auditFilterFields, auditPageSizes } from '#shared/audit/audit-logs.ts'
import { pageIn, writeParam } from '#web/platform/browser/use-page-filter.ts'

const usualLimit = 20
const names = Object.keys(auditFilterFields) as (keyof AuditFilter)[]

/** Filter, page and page size, kept in the URL so that reload, back and a sent link restore them. */
export function useAuditFilter() {
  const [params, setParams] = useSearchParams()
  const filter = filterIn(params)
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
  /** Sets these fields, undefined for any value, and begins with the first page. */
  const change = (next: { [Name in keyof AuditFilter]?: AuditFilter[Name] | undefined }) =>
    setParams((old) => {
      writeParam(old, 'page', '')
      for (const name of names) if (name in next) writeParam(old, name, String(next[name] ?? ''))
      return old
    })
  const clear = () => change(Object.fromEntries(names.map((name) => [name, undefined])))
  return { filter, page, limit, setPage, setLimit, change, clear, isFiltered: Object.keys(filter).length > 0 }
}

/** What cannot be read is left out: somebody may have typed it. */
function filterIn(params: URLSearchParams): AuditFilter {
  const found = names.flatMap((name) => {
    const { data } = z.safeParse(auditFilterFields[name], params.get(name) ?? undefined)
    return data === undefined ? [] : [[name, data]]
  })
  const { resourceId, ...filter } = Object.fromEntries(found) as AuditFilter
  return resourceId === undefined || filter.resourceType === undefined ? filter : { ...filter, resourceId }
}

/** The address of the file with what the filter shows. */
export function exportAddress(filter: AuditFilter): string {
  const query = new URLSearchParams()
  for (const name of names) if (filter[name] !== undefined) query.set(name, String(filter[name]))
  return `/api/audit-logs/export?${query.toString()}`
}
