import { queryOptions, useQuery } from '@tanstack/react-query'
import { type GivenNumber, listGivenNumbers } from '#shared/gateway/given-numbers.ts'
import { call } from '#web/platform/api/api.ts'

/** The numbers that were given to the person. The gateway's news have them fetched again. */
export const numbersQuery = () =>
  queryOptions({
    queryKey: ['numbers'],
    queryFn: ({ signal }) => call(listGivenNumbers, { signal }),
    staleTime: Infinity,
  })

export interface Numbers {
  /** Those that exist, the main one first. */
  living: readonly GivenNumber[]
  /** Those that exist, and those that were deleted and have conversations in the archive. */
  all: readonly GivenNumber[]
  /** Whether they have been fetched. */
  isKnown: boolean
  /** undefined: not given to the person, or not known yet. */
  find: (id: number | undefined) => GivenNumber | undefined
  /** The name of a number where there are several; undefined where nothing of a number is shown. */
  nameOf: (id: number) => string | undefined
}

/** The person's numbers: what is shown of them depends on whether there are several. */
export function useNumbers(): Numbers {
  return useQuery({ ...numbersQuery(), select: numbersOf }).data ?? notKnown
}

function numbersOf(all: readonly GivenNumber[]): Numbers {
  const living = all.filter(({ isDeleted }) => !isDeleted)
  const find = (id: number | undefined) => all.find((number) => number.id === id)
  return {
    all,
    isKnown: true,
    living,
    find,
    nameOf: (id) => (living.length > 1 ? find(id)?.name : undefined),
  }
}

const notKnown: Numbers = { ...numbersOf([]), isKnown: false }
