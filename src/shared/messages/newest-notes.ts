import * as z from 'zod/mini'
import { reading } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'
import { id, idParam, instant } from '#shared/users/users.ts'

// Apart from the calls that write notes: every chat asks for them.

/** How many of the newest notes are listed. */
export const newestNotes = 3

export const listNotes = endpoint({
  method: 'GET',
  path: '/api/conversations/:id/notes',
  summary: 'Quantas notas internas a conversa tem, e as mais novas',
  rows: {
    'GET /api/conversations/{open}/notes': { act: 'viewConversations', audit: reading },
    'GET /api/conversations/{completed}/notes': { act: 'viewWholeArchive', audit: 'conversation.read' },
  },
  ids: { id: 'conversation' },
  params: z.object({ id: idParam }),
  reply: z.object({
    total: z.int(),
    /** Newest first. */
    notes: z.array(
      z.object({
        id,
        senderName: z.nullable(z.string()),
        /** The text, cut; '' for a note that is only a file. */
        content: z.string(),
        fileName: z.nullable(z.string()),
        sentAt: instant,
      }),
    ),
  }),
})
