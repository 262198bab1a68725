import { queryOptions } from '@tanstack/react-query'
import { listSectors, type Sector } from '#shared/sectors/sectors.ts'
import { call } from '#web/platform/api/api.ts'
import { sectorKeys } from './live.ts'

const { all } = sectorKeys

export const sectorQueries = {
  /** The sectors as everybody knows them; in an installation without any, none. */
  known: () =>
    queryOptions({
      queryKey: [...all, 'known'],
      queryFn: ({ signal }): Promise<Sector[]> => call(listSectors, { signal }),
      staleTime: Infinity,
    }),
}
