import * as z from 'zod/mini'
import { ownState } from '#shared/audit/unaudited.ts'
import { maxTextLength, quotedMessage } from '#shared/messages/messages.ts'
import { endpoint } from '#shared/endpoint.ts'
import { id, idParam, instant } from '#shared/users/users.ts'

/** The unsent text of a person in a conversation: private, and shared by all of the person's devices. */
export const draft = z.object({
  conversationId: id,
  content: z.string(),
  quoted: z.nullable(quotedMessage),
  updatedAt: instant,
})
export type Draft = z.infer<typeof draft>

export const listDrafts = endpoint({
  method: 'GET',
  path: '/api/drafts',
  summary: 'Os meus rascunhos em conversas abertas',
  act: 'viewConversations',
  audit: ownState,
  reply: z.array(draft),
})

export const saveDraft = endpoint({
  method: 'PUT',
  path: '/api/conversations/:id/draft',
  summary: 'Guardar o meu rascunho de uma conversa; vazio e sem citação, ele some',
  act: 'viewConversations',
  audit: ownState,
  ids: { id: 'conversation' },
  params: z.object({ id: idParam }),
  body: z.object({ content: z.string().check(z.maxLength(maxTextLength)), quotedMessageId: z.nullable(id) }),
  reply: z.object({ draft: z.nullable(draft) }),
})
