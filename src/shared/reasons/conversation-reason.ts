import * as z from 'zod/mini'
import { reading } from '#shared/audit/unaudited.ts'
import { conversation } from '#shared/conversations/conversations.ts'
import { endpoint } from '#shared/endpoint.ts'
import { id, idParam, instant } from '#shared/users/users.ts'

const params = z.object({ id: idParam })

export const listLastReasons = endpoint({
  method: 'GET',
  path: '/api/conversations/:id/last-reasons',
  summary: 'Com que motivos terminaram as últimas conversas do contato, o mais novo primeiro',
  act: 'viewConversations',
  audit: reading,
  ids: { id: 'conversation' },
  params,
  reply: z.array(
    z.object({
      reasonId: id,
      at: instant,
      /** Of the contact's last conversation. */
      isOfLast: z.boolean(),
    }),
  ),
})
export type LastReason = z.infer<NonNullable<typeof listLastReasons.reply>>[number]

export const changeConversationReason = endpoint({
  method: 'PUT',
  path: '/api/conversations/:id/reason',
  summary: 'Mudar o motivo de uma conversa finalizada; `null` tira, onde um motivo não é obrigatório',
  act: 'changeReason',
  audit: 'conversation.reason',
  ids: { id: 'conversation' },
  params,
  body: z.object({ reasonId: z.nullable(id), version: z.optional(z.int()) }),
  reply: z.object({ conversation }),
})
