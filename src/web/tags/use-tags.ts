import { useMemo } from 'react'
import type { Tag } from '#shared/tags/tags.ts'
import { useKnownTags } from './queries.ts'

export interface Tags {
  /** In their order; inactive ones, too. */
  all: readonly Tag[]
  /** Whether there is any: without, nothing of tags is shown. */
  areAny: boolean
  /** Those with the ids, in their order. */
  of: (ids: readonly number[] | undefined) => Tag[]
}

export function useTags(): Tags {
  const known = useKnownTags()
  return useMemo(() => tagsOf(known?.tags ?? []), [known])
}

const tagsOf = (all: readonly Tag[]): Tags => ({
  all,
  areAny: all.length > 0,
  of: (ids = []) => all.filter(({ id }) => ids.includes(id)),
})
