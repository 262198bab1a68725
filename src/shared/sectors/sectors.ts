import * as z from 'zod/mini'
import { reading } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'
import { id, instant } from '#shared/users/users.ts'

/** A sector as everybody knows it. */
export const sector = z.object({
  id,
  name: z.string(),
  color: z.string(),
  description: z.string(),
  /** An inactive one gets no new conversations. */
  isActive: z.boolean(),
  /** Its conversations are still shown. */
  isDeleted: z.boolean(),
  /** The numbers that it serves; null: all. */
  numberIds: z.nullable(z.array(id)),
  /** Who is in it; of people who were deleted or blocked, nobody. */
  people: z.array(z.object({ userId: id, isLead: z.boolean() })),
  /** Whether it is open now, and when that changes; null if not within 400 days. */
  isOpenNow: z.boolean(),
  changesAt: z.nullable(instant),
})
export type Sector = z.infer<typeof sector>

export const listSectors = endpoint({
  method: 'GET',
  path: '/api/sectors',
  summary: 'Os setores em sua ordem, os excluídos por último',
  needs: [],
  audit: reading,
  reply: z.array(sector),
})
