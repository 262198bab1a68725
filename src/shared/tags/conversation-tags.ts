import * as z from 'zod/mini'
import { conversation } from '#shared/conversations/conversations.ts'
import { endpoint } from '#shared/endpoint.ts'
import { id, idParam } from '#shared/users/users.ts'
import { mostTagsOfOne } from './tags.ts'

const ids = z.array(id).check(z.maxLength(mostTagsOfOne))

/** Says what changes, not what there is: two people who tag at once do not undo each other. */
export const tagConversation = endpoint({
  method: 'PATCH',
  path: '/api/conversations/:id/tags',
  summary: 'Pôr etiquetas em uma conversa e tirar outras; de uma finalizada, só supervisores',
  rows: {
    'PATCH /api/conversations/{open}/tags': { act: 'viewConversations', audit: 'conversation.tags' },
    'PATCH /api/conversations/{completed}/tags': { act: 'tagArchived', audit: 'conversation.tags' },
  },
  ids: { id: 'conversation' },
  params: z.object({ id: idParam }),
  body: z.object({ add: z.optional(ids), remove: z.optional(ids) }),
  reply: z.object({ conversation }),
})
