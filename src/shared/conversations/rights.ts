import { adminsWith, needs, roles, supervisorsWith } from '#shared/rights.ts'

export const acts = {
  viewDashboard: needs('canViewDashboard'),
  viewTeam: needs('canViewConversations', ['canViewStatistics', 'canTransferConversations']),
  /** The team before everything else on the dashboard, and who waits for long. */
  leadTeam: supervisorsWith('canViewConversations', ['canViewStatistics', 'canTransferConversations']),
  viewConversations: needs('canViewConversations'),
  viewWholeArchive: needs('canViewConversations', 'canViewArchivedConversations'),
  viewTracking: adminsWith('canViewTrackingMessages'),
  startConversation: needs('canViewContacts', 'canCreateConversations'),
  takeNext: needs('canEditConversations'),
  take: needs('canEditConversations'),
  transfer: needs('canTransferConversations'),
  finalize: needs('canFinalizeConversations'),
  handOver: needs('canViewConversations', ['canEditConversations', 'canTransferConversations']),
  handOverToQueue: needs('canEditConversations'),
  handOverToColleague: needs('canTransferConversations'),
  toggleAutoClose: needs('canEditConversations'),
  prioritize: needs('canEditConversations'),
  snooze: needs('canEditConversations'),
  deleteConversation: needs('canDeleteConversations'),
  deleteArchived: adminsWith('canDeleteConversations'),
}

export const screens = {
  '/': { title: 'Dashboard', place: 10, inMenuOf: roles, opensWith: 'viewDashboard' },
  '/conversas-ativas': {
    title: 'Conversas Ativas',
    place: 20,
    inMenuOf: roles,
    opensWith: 'viewConversations',
  },
  '/chat': { title: 'Chat', place: 30, inMenuOf: [], opensWith: 'viewConversations' },
  '/conversas-arquivadas': {
    title: 'Arquivamento',
    place: 40,
    inMenuOf: roles,
    opensWith: 'viewConversations',
  },
} as const

export type Subject = 'conversation'

export type Action =
  | 'conversation.read'
  | 'conversation.export'
  | 'conversation.start'
  | 'conversation.take'
  | 'conversation.assign'
  | 'conversation.unassign'
  | 'conversation.transfer'
  | 'conversation.move'
  | 'conversation.distribute'
  | 'conversation.auto_close'
  | 'conversation.priority'
  | 'conversation.snooze'
  | 'conversation.resume'
  | 'conversation.finalize'
  | 'conversation.auto_finalize'
  | 'conversation.reopen'
  | 'conversation.delete'
  | 'conversation.assistant'
  | 'conversation.summarize'
  | 'conversation.suggest'
  | 'conversation.transcribe'
