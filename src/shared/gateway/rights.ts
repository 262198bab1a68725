import { adminsWith } from '#shared/rights.ts'

export const acts = { manageGateway: adminsWith('canManageEvolutionApi') }

export type Subject = 'number'

export type Action =
  | 'gateway.create'
  | 'gateway.update'
  | 'gateway.settings'
  | 'gateway.delete'
  | 'gateway.test'
  | 'gateway.webhook'
  | 'gateway.connect'
  | 'gateway.restart'
  | 'gateway.logout'
  | 'gateway.examine'
  | 'gateway.retry'
  | 'gateway.refused'
