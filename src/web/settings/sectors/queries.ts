import { queryOptions } from '@tanstack/react-query'
import { listManagedSectors } from '#shared/sectors/managed-sectors.ts'
import { call } from '#web/platform/api/api.ts'
import { sectorKeys } from '#web/sectors/sectors.tsx'

/** With all that is a sector's own, of those that the person manages or leads. */
export const managedSectorsQuery = () =>
  queryOptions({
    queryKey: [...sectorKeys.all, 'managed'],
    queryFn: ({ signal }) => call(listManagedSectors, { signal }),
  })
