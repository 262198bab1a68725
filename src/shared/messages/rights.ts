import { needs } from '#shared/rights.ts'

export const acts = {
  reply: needs('canViewConversations', 'canEditConversations'),
  attachFile: needs('canUploadMedia', 'canEditConversations'),
  openFiles: needs('canDownloadMedia', 'canViewConversations'),
  changeMessage: needs('canViewConversations', 'canEditConversations'),
}

export type Subject = 'message' | 'file'

export type Action = 'message.edit' | 'message.delete' | 'message.undo'
