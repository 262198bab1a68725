import { supervisors, supervisorsWith } from '#shared/rights.ts'

export const flags = {
  canManageSectors: { servesRoles: supervisors, givenTo: ['supervisor'] },
} as const

export const acts = {
  manageSectors: supervisorsWith('canManageSectors'),
  /** People, hours and texts of a sector. */
  runSector: { ...supervisorsWith('canManageSectors'), orLead: true },
} as const

export const screens = {
  '/setores': {
    title: 'Setores',
    place: 95,
    inMenuOf: ['admin', 'supervisor', 'operator'],
    inMenuWith: 'runSector',
    opensWith: 'runSector',
  },
} as const

export type Subject = 'sector'

export type Action = 'sector.create' | 'sector.change' | 'sector.people' | 'sector.order' | 'sector.delete'
