import type { Sector } from '#shared/sectors/sectors.ts'

/** For tests: a sector that is open, with these people. */
export const testSector = (id: number, name = `Setor ${id}`, userIds: readonly number[] = []): Sector => ({
  id,
  name,
  color: '#2563eb',
  description: '',
  isActive: true,
  isDeleted: false,
  numberIds: null,
  people: userIds.map((userId) => ({ userId, isLead: false })),
  isOpenNow: true,
  changesAt: null,
})
