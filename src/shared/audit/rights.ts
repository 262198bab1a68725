import { supervisors, supervisorsWith } from '#shared/rights.ts'

export const acts = { viewAudit: supervisorsWith('canViewAuditLogs') }

export const screens = {
  '/auditoria': {
    title: 'Auditoria',
    place: 150,
    inMenuOf: supervisors,
    inMenuWith: 'viewAudit',
    opensWith: 'viewAudit',
  },
} as const

export type Action = 'access.denied' | 'audit.export' | 'audit.erase'
