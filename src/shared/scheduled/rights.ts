import { needs, roles, supervisorsWith } from '#shared/rights.ts'

export const acts = {
  schedule: needs('canViewConversations', 'canEditConversations'),
  /** Beside one's own, those of all within one's reach; leads those of their sectors. */
  overseeScheduled: { ...supervisorsWith('canViewConversations'), orLead: true },
}

export const screens = {
  '/agendadas': { title: 'Agendadas', place: 45, inMenuOf: roles, opensWith: 'viewConversations' },
} as const

export type Subject = 'scheduled message'

export type Action =
  | 'conversation.schedule'
  | 'conversation.change_scheduled'
  | 'conversation.cancel_scheduled'
  | 'conversation.send_scheduled'
