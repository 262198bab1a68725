import { supervisorsWith } from '#shared/rights.ts'

export const acts = {
  /** Whoever leads a sector shares views with its people. */
  shareViews: { ...supervisorsWith('canViewConversations'), orLead: true },
  shareViewsWithAll: supervisorsWith('canViewConversations'),
} as const

export type Subject = 'view'

export type Action = 'view.create' | 'view.change' | 'view.delete'
