import { needs } from '#shared/rights.ts'

export const acts = {
  reply: needs('canViewConversations', 'canEditConversations'),
  attachFile: needs('canUploadMedia', 'canEditConversations'),
  openFiles: needs('canDownloadMedia', 'canViewConversations'),
  changeMessage: needs('canViewConversations', 'canEditConversations'),
  writeNote: needs('canViewConversations', 'canEditConversations'),
  writeNoteInArchive: needs('canViewConversations', 'canViewArchivedConversations', 'canEditConversations'),
}

export type Subject = 'message' | 'file'

export type Action =
  | 'message.edit'
  | 'message.delete'
  | 'message.undo'
  | 'conversation.note'
  | 'conversation.edit_note'
  | 'conversation.delete_note'
