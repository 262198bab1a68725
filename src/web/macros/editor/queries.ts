import { queryOptions } from '@tanstack/react-query'
import { listManagedMacros } from '#shared/macros/managed-macros.ts'
import { macroKeys } from '#web/macros/live.ts'
import { call } from '#web/platform/api/api.ts'

/** The macros that the person runs or may change, with their steps. */
export const managedMacros = () =>
  queryOptions({
    queryKey: [...macroKeys.all, 'managed'],
    queryFn: ({ signal }) => call(listManagedMacros, { signal }),
  })
