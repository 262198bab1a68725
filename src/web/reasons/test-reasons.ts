/** Reasons for tests. */
import type { KnownReasons, Reason } from '#shared/reasons/reasons.ts'

export const reasonRow = (id: number, name: string, given: Partial<Reason> = {}): Reason => ({
  id,
  name,
  parentId: null,
  sectorId: null,
  isActive: true,
  ...given,
})

export const knownReasons = (reasons: Reason[] = [], given: Partial<KnownReasons> = {}): KnownReasons => ({
  reasons,
  ask: 'optional',
  ofNumbers: [],
  ofSectors: [],
  ...given,
})
