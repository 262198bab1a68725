import * as z from 'zod/mini'
import { reading } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'
import { id } from '#shared/users/users.ts'

/** A number as those who answer its clients know it. */
const givenNumber = z.object({
  id,
  name: z.string(),
  /** Digits with country code; null for one that was never connected. */
  phone: z.nullable(z.string()),
  /** Only from active ones may be written. */
  isActive: z.boolean(),
  isConnected: z.boolean(),
  /** Its finalized conversations are still shown. */
  isDeleted: z.boolean(),
})
export type GivenNumber = z.infer<typeof givenNumber>

export const listGivenNumbers = endpoint({
  method: 'GET',
  path: '/api/numbers',
  summary: 'Os números que a pessoa atende, o principal primeiro, os excluídos por último',
  needs: [],
  audit: reading,
  reply: z.array(givenNumber),
})
