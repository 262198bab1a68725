import { queryOptions, useQuery } from '@tanstack/react-query'
import { listMacros, type Macro } from '#shared/macros/macros.ts'
import { call } from '#web/platform/api/api.ts'
import { useMe } from '#web/users/users.tsx'
import { macroKeys } from './live.ts'

const macroQueries = {
  /** The macros that the person runs, by name. */
  usable: () =>
    queryOptions({
      queryKey: [...macroKeys.all, 'usable'],
      queryFn: ({ signal }) => call(listMacros, { signal }),
      staleTime: Infinity,
    }),
}

/** Those that the person runs; asked where there are any. */
export function useMacros(): { macros: readonly Macro[]; isLoading: boolean } {
  const { hasMacros } = useMe()
  const { data, failureCount } = useQuery({ ...macroQueries.usable(), enabled: hasMacros })
  return { macros: data ?? none, isLoading: hasMacros && !data && failureCount === 0 }
}

const none: readonly Macro[] = []
