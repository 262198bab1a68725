import { queryOptions } from '@tanstack/react-query'
import { listManagedSectors, listSectorQueues, listSectors, type Sector } from '#shared/sectors/sectors.ts'
import { call } from '#web/platform/api/api.ts'

const all = ['sectors'] as const

export const sectorQueries = {
  all: () => ({ queryKey: all }),

  /** The sectors as everybody knows them; in an installation without any, none. */
  known: () =>
    queryOptions({
      queryKey: [...all, 'known'],
      queryFn: ({ signal }): Promise<Sector[]> => call(listSectors, { signal }),
      staleTime: Infinity,
    }),

  /** How many wait in each queue. */
  queues: () =>
    queryOptions({
      queryKey: [...all, 'queues'],
      queryFn: ({ signal }) => call(listSectorQueues, { signal }),
    }),

  /** With all that is a sector's own, of those that the person manages or leads. */
  managed: () =>
    queryOptions({
      queryKey: [...all, 'managed'],
      queryFn: ({ signal }) => call(listManagedSectors, { signal }),
    }),
}
