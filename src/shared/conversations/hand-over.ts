import * as z from 'zod/mini'
import { endpoint } from '#shared/endpoint.ts'
import { id } from '#shared/users/users.ts'

/** 'Passar meu turno'. */
export const handOver = endpoint({
  method: 'POST',
  path: '/api/conversations/hand-over',
  summary: 'Passar todas as minhas conversas abertas à fila (to null) ou a um colega',
  rows: {
    'POST /api/conversations/hand-over (queue)': { act: 'handOverToQueue', audit: 'conversation.unassign' },
    'POST /api/conversations/hand-over (other)': {
      act: 'handOverToColleague',
      audit: 'conversation.transfer',
    },
  },
  body: z.object({
    to: z.nullable(id),
    /** Shown to the team only. */
    note: z.optional(z.string().check(z.maxLength(2000))),
  }),
  reply: z.object({ handedOver: z.int() }),
})
