import * as z from 'zod/mini'
import { reading } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'
import { idParam } from '#shared/users/users.ts'

/** Apart from the others: every chat asks it, and few have anything to show. */
export const countOfConversation = endpoint({
  method: 'GET',
  path: '/api/conversations/:id/scheduled-messages/count',
  summary: 'Quantas mensagens agendadas a conversa tem para mostrar',
  act: 'viewConversations',
  audit: reading,
  ids: { id: 'conversation' },
  params: z.object({ id: idParam }),
  reply: z.object({ count: z.int() }),
})
