import { useSearchParams } from 'wouter'
import * as z from 'zod/mini'
import { writeParam } from './use-page-filter.ts'

/** The fields of a filter with the schemas of the call, by their names in the URL. */
type Fields = Readonly<Record<string, z.ZodMiniType>>
export type FilterOf<Of extends Fields> = { [Name in keyof Of]?: NonNullable<z.output<Of[Name]>> }

/**
 * The filter of a list, kept in the URL so that reload, back and a sent link restore it. Another filter
 * begins with the first page.
 */
export function useUrlFilter<Of extends Fields>(fields: Of) {
  const [params, setParams] = useSearchParams()
  const names = Object.keys(fields) as (keyof Of & string)[]
  const filter = filterIn(fields, params)
  /** Sets these fields, undefined for any value. */
  const change = (next: { [Name in keyof Of]?: FilterOf<Of>[Name] | undefined }) =>
    setParams((old) => {
      writeParam(old, 'page', '')
      for (const name of names) {
        const value = next[name] as string | number | undefined
        if (name in next) writeParam(old, name, String(value ?? ''))
      }
      return old
    })
  const clear = () =>
    setParams((old) => {
      for (const name of ['page', ...names]) writeParam(old, name, '')
      return old
    })
  return { filter, change, clear, isFiltered: Object.keys(filter).length > 0 }
}

/** What cannot be read is left out: somebody may have typed it. */
function filterIn<Of extends Fields>(fields: Of, params: URLSearchParams): FilterOf<Of> {
  const found = Object.entries(fields).flatMap(([name, schema]) => {
    const { data } = z.safeParse(schema, params.get(name) ?? undefined)
    return data === undefined ? [] : [[name, data]]
  })
  return Object.fromEntries(found) as FilterOf<Of>
}
