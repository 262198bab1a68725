import { supervisorsWith } from '#shared/rights.ts'

export const acts = {
  /** Like the categories of contacts: lists by which conversations and people are sorted. */
  manageReasons: supervisorsWith('canManageCategories'),
  /** Of a conversation that has ended. */
  changeReason: supervisorsWith('canViewConversations', 'canFinalizeConversations'),
}

export type Subject = 'reason'

export type Action =
  | 'reason.create'
  | 'reason.change'
  | 'reason.order'
  | 'reason.delete'
  | 'conversation.reason'
