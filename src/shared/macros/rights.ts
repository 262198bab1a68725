import { supervisorsWith } from '#shared/rights.ts'

export const acts = {
  /** Whoever leads a sector makes macros for its people. */
  shareMacros: { ...supervisorsWith('canViewConversations'), orLead: true },
  shareMacrosWithAll: supervisorsWith('canViewConversations'),
} as const

export type Subject = 'macro'

export type Action = 'macro.create' | 'macro.change' | 'macro.delete' | 'conversation.macro'
