import * as z from 'zod/mini'
import { listFilterParams, type ListFilters } from '#shared/views/list-filters.ts'
import { writeParam } from '#web/platform/browser/use-page-filter.ts'

// The filters of the list in the address.

/** What each is called there. */
const names = {
  instanceId: 'numero',
  sectorId: 'setor',
  personId: 'pessoa',
  category: 'categoria',
  tagId: 'etiqueta',
  priority: 'prioridade',
  waitingMinutes: 'espera',
  unread: 'naolidas',
  sla: 'prazo',
  snoozed: 'emespera',
} as const satisfies Record<keyof ListFilters, string>

const kinds = Object.keys(names) as (keyof ListFilters)[]

/** What cannot be read asks for nothing. */
export function filtersIn(params: URLSearchParams): ListFilters {
  const asked = kinds.flatMap((kind) => {
    const read = z.safeParse(listFilterParams[kind], params.get(names[kind]) ?? undefined)
    return read.success && read.data !== undefined ? [[kind, read.data] as const] : []
  })
  return Object.fromEntries(asked)
}

export function writeFilters(params: URLSearchParams, filters: ListFilters): void {
  for (const kind of kinds) writeParam(params, names[kind], String(filters[kind] ?? ''))
}

/** The filters of a larger object; without `all`, only those that are set. */
export const filtersOf = (all: ListFilters): ListFilters =>
  Object.fromEntries(kinds.flatMap((kind) => (all[kind] === undefined ? [] : [[kind, all[kind]]])))

/** Takes all of them away. */
export const noFilters = Object.fromEntries(kinds.map((kind) => [kind, undefined])) as ListFilters

export const isFilter = (name: string): boolean => name in names
