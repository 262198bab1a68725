import { adminsWith } from '#shared/rights.ts'

export const acts = {
  /** Of sectors: whoever leads one changes its own. Those of a person change by that person alone. */
  manageSectorReplies: { ...adminsWith(), orLead: true },
} as const

export type Subject = 'quick reply'

export type Action = 'reply.create' | 'reply.change' | 'reply.delete' | 'reply.import'
