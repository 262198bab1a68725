import { adminsWith } from '#shared/rights.ts'

export const acts = {
  /** Whoever leads a sector changes those of it; those of a person change by that person alone. */
  manageSectorReplies: { ...adminsWith(), orLead: true },
  manageAllReplies: adminsWith(),
} as const

export type Subject = 'quick reply'

export type Action = 'reply.create' | 'reply.change' | 'reply.delete' | 'reply.import'
