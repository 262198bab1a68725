import * as z from 'zod/mini'
import { reading } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'
import { id } from '#shared/users/users.ts'

export const getTeamStats = endpoint({
  method: 'GET',
  path: '/api/stats/team',
  summary: 'A primeira resposta de hoje, por pessoa com quem a conversa está',
  act: 'viewStatistics',
  audit: reading,
  reply: z.array(
    z.object({
      userId: id,
      /** How many conversations that began today have a first reply. */
      replied: z.int(),
      /** How many of them were answered without a second of the hours of work. */
      outside: z.int(),
      /** How long it took on average, in milliseconds of the hours of work; null if all were outside. */
      openMs: z.nullable(z.number()),
      /** The same by the clock, of all. */
      clockMs: z.number(),
    }),
  ),
})
export type TeamStats = z.infer<NonNullable<typeof getTeamStats.reply>>
