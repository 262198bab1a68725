/** Sectors for tests. */
import type { Inherited, ManagedSector, ManagedSectors } from '#shared/sectors/managed-sectors.ts'
import { sectorSettings } from '#shared/settings/own-settings.ts'

const texts = Object.fromEntries(
  Object.keys(sectorSettings.shape).map((key) => [key, key.endsWith('Message') ? `Texto ${key}` : false]),
)

export const inheritedOf = (given: Partial<Inherited> = {}): Inherited => ({
  installation: {
    ...texts,
    workingHours: { start: '09:00', end: '18:00', days: [1, 2, 3, 4, 5] },
    lunchBreak: { enabled: false, start: '12:00', end: '13:00' },
    scheduleExceptions: [],
    askReason: 'optional',
    askTag: 'no',
    timezone: 'America/Sao_Paulo',
    maxActivePerOperator: 7,
  } as unknown as Inherited['installation'],
  numbers: [{ id: 1, name: 'matriz', own: {} }],
  ...given,
})

export const sectorPerson = (
  userId: number,
  given: Partial<ManagedSector['people'][number]> = {},
): ManagedSector['people'][number] => ({
  userId,
  name: `Pessoa ${userId}`,
  pictureUrl: null,
  isLead: false,
  open: 0,
  otherSectorIds: [],
  ...given,
})

export const managedSector = (id: number, given: Partial<ManagedSector> = {}): ManagedSector => ({
  id,
  name: `Setor ${id}`,
  color: '#2563eb',
  description: '',
  isActive: true,
  numberIds: null,
  people: [],
  isOpenNow: true,
  changesAt: null,
  isWhole: true,
  maxActivePerOperator: null,
  own: {},
  waiting: 0,
  waitingSince: null,
  open: 0,
  contacts: 0,
  quickReplies: 0,
  defaultOf: [],
  version: 1,
  ...given,
})

export const managedSectors = (
  sectors: ManagedSector[],
  given: Partial<ManagedSectors> = {},
): ManagedSectors => ({
  sectors,
  none: { waiting: 0, waitingSince: null },
  candidates: [1, 2, 3].map((userId) => ({ userId, name: `Pessoa ${userId}`, pictureUrl: null })),
  inherited: inheritedOf(),
  ...given,
})
