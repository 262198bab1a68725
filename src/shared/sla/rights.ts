import { needs } from '#shared/rights.ts'

export const acts = {
  manageSla: needs('canEditSettings'),
} as const

export type Action = 'sla.change'
