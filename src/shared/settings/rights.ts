import { admins, adminsWith, needs, supervisorsWith } from '#shared/rights.ts'

export const acts = {
  viewSettings: supervisorsWith('canViewSettings'),
  viewMediaSettings: needs('canViewSettings'),
  editSettings: supervisorsWith('canEditSettings'),
  openAdvancedSettings: adminsWith(),
}

export const screens = {
  '/settings': { title: 'Configurações', place: 110, inMenuOf: admins },
  '/settings-advanced': {
    title: 'Configurações Avançadas',
    place: 120,
    inMenuOf: [],
    opensWith: 'openAdvancedSettings',
  },
} as const

export type Subject = 'quick response'

export type Action = 'settings.change'
