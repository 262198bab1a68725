import * as z from 'zod/mini'
import { endpoint } from '#shared/endpoint.ts'
import { id, idParam } from '#shared/users/users.ts'

const conversationParams = z.object({ id: idParam })
/** As in `conversations/conversation-endpoints.ts`. */
const holderId = z.optional(z.nullable(id))

export const transferToSector = endpoint({
  method: 'POST',
  path: '/api/conversations/:id/transfer-to-sector',
  summary: 'Transferir à fila de um setor',
  act: 'transfer',
  audit: 'conversation.move',
  ids: { id: 'conversation' },
  params: conversationParams,
  body: z.object({
    sectorId: id,
    /** Shown to the team only. */
    note: z.optional(z.string().check(z.maxLength(2000))),
    /** One that is on hold returns at once; absent: it stays on hold, and is queued at its time. */
    endsSnooze: z.optional(z.boolean()),
    holderId,
    version: z.optional(z.int()),
  }),
})

export const setSector = endpoint({
  method: 'PATCH',
  path: '/api/conversations/:id/sector',
  summary: 'Mudar o setor de uma conversa (sectorId null: nenhum), sem avisar o cliente',
  act: 'transfer',
  audit: 'conversation.move',
  ids: { id: 'conversation' },
  params: conversationParams,
  body: z.object({ sectorId: z.nullable(id), holderId, version: z.optional(z.int()) }),
})
