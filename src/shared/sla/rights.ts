import { adminsWith } from '#shared/rights.ts'

export const acts = {
  manageSla: adminsWith(),
} as const

export type Action = 'sla.change'
