import { supervisorsWith } from '#shared/rights.ts'

export const acts = {
  /** Whoever leads a sector changes those of it. */
  manageTags: { ...supervisorsWith('canManageCategories'), orLead: true },
  /** Those of every sector, those of all, and their order. */
  manageAllTags: supervisorsWith('canManageCategories'),
  /** Of a conversation that has ended. */
  tagArchived: supervisorsWith('canViewConversations'),
} as const

export type Subject = 'tag'

export type Action = 'tag.create' | 'tag.change' | 'tag.order' | 'tag.delete' | 'conversation.tags'
