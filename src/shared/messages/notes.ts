import * as z from 'zod/mini'
import { endpoint } from '#shared/endpoint.ts'
import { idParam } from '#shared/users/users.ts'
import { mentioned } from './mentions.ts'
import { editWindowMs } from './message-changes.ts'
import { clientMessageId, message, type Message, messageText } from './messages.ts'

// Internal notes: entries of the timeline that the client never gets.

const conversationParams = z.object({ id: idParam })
const noteParams = z.object({ id: idParam, messageId: idParam })

export const writeNote = endpoint({
  method: 'POST',
  path: '/api/conversations/:id/notes',
  summary: 'Escrever uma nota interna, que só a equipe vê; também numa conversa finalizada',
  rows: {
    'POST /api/conversations/{open}/notes': { act: 'writeNote', audit: 'conversation.note' },
    'POST /api/conversations/{completed}/notes': {
      act: 'writeNoteInArchive',
      audit: 'conversation.note',
    },
  },
  ids: { id: 'conversation' },
  params: conversationParams,
  body: z.object({
    content: messageText,
    clientMessageId: z.optional(clientMessageId),
    mentions: z.optional(mentioned),
  }),
  reply: message,
  status: 201,
})

export const editNote = endpoint({
  method: 'PATCH',
  path: '/api/conversations/:id/notes/:messageId',
  summary: 'Editar uma nota interna própria, até 15 minutos depois de escrita',
  rows: {
    'PATCH /api/conversations/{open}/notes/{messageId}': {
      act: 'writeNote',
      audit: 'conversation.edit_note',
    },
    'PATCH /api/conversations/{completed}/notes/{messageId}': {
      act: 'writeNoteInArchive',
      audit: 'conversation.edit_note',
    },
  },
  ids: { id: 'conversation', messageId: 'message' },
  params: noteParams,
  /** Without `mentions`: those of before that the text still has. */
  body: z.object({ content: messageText, mentions: z.optional(mentioned) }),
  reply: message,
})

export const deleteNote = endpoint({
  method: 'DELETE',
  path: '/api/conversations/:id/notes/:messageId',
  summary: 'Excluir uma nota interna: própria, até 15 minutos; supervisores e administradores, qualquer uma',
  rows: {
    'DELETE /api/conversations/{open}/notes/{messageId}': {
      act: 'writeNote',
      audit: 'conversation.delete_note',
    },
    'DELETE /api/conversations/{completed}/notes/{messageId}': {
      act: 'writeNoteInArchive',
      audit: 'conversation.delete_note',
    },
  },
  ids: { id: 'conversation', messageId: 'message' },
  params: noteParams,
  reply: message,
})

/** How long its author may change a note, in milliseconds. */
export const noteWindowMs = editWindowMs

interface Person {
  id: number
  role: string
}
type Note = Pick<Message, 'senderId' | 'deletedAt' | 'createdAt' | 'metadata'>

/** Whether a person may edit a note now: the author, for a while. */
export function isEditableNote(note: Note, who: Person, nowMs: number): boolean {
  if (note.deletedAt !== null || note.metadata.isErased || note.metadata.isExpired) return false
  return note.senderId === who.id && nowMs - Date.parse(note.createdAt) < noteWindowMs
}

/** Whether a person may delete a note now: those who lead any, the author for a while. */
export function isDeletableNote(note: Note, who: Person, nowMs: number): boolean {
  if (note.deletedAt !== null) return false
  if (who.role !== 'operator') return true
  return note.senderId === who.id && nowMs - Date.parse(note.createdAt) < noteWindowMs
}
