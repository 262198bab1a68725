import * as z from 'zod/mini'
import { reading } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'
import { id, instant } from '#shared/users/users.ts'

export const listSectorQueues = endpoint({
  method: 'GET',
  path: '/api/sectors/queues',
  summary: 'Quantos esperam na fila de cada setor, e desde quando',
  act: 'transfer',
  audit: reading,
  reply: z.array(
    z.object({
      /** null: of what has no sector. */
      sectorId: z.nullable(id),
      waiting: z.int(),
      waitingSince: z.nullable(instant),
    }),
  ),
})
