import { useQuery } from '@tanstack/react-query'
import type { Sector } from '#shared/sectors/sectors.ts'
import { sectorQueries } from './queries.ts'

export interface Sectors {
  /** Those that exist, in their order. */
  living: readonly Sector[]
  /** Also those that were deleted and have conversations. */
  all: readonly Sector[]
  /** Whether there is any: without, nothing of sectors is shown. */
  areAny: boolean
  /** undefined: none, or not known yet. */
  find: (id: number | null | undefined) => Sector | undefined
  /** False until they have been fetched. */
  areKnown: boolean
}

export function useSectors(): Sectors {
  return useQuery({ ...sectorQueries.known(), select: sectorsOf }).data ?? notKnown
}

function sectorsOf(all: readonly Sector[]): Sectors {
  const living = all.filter(({ isDeleted }) => !isDeleted)
  return {
    all,
    living,
    areAny: living.length > 0,
    areKnown: true,
    find: (id) => all.find((sector) => sector.id === id),
  }
}

const notKnown = { ...sectorsOf([]), areKnown: false }
