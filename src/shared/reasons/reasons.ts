import * as z from 'zod/mini'
import { reading } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'
import { askReason } from '#shared/settings/ask-reason.ts'
import { id } from '#shared/users/users.ts'

/** Why conversations ended, in two levels: 'Financeiro › Segunda via'. */
export const reason = z.object({
  id,
  name: z.string(),
  /** null: of the first level. */
  parentId: z.nullable(id),
  /** Whose conversations it is for; null: all. A reason of the second level has that of the first. */
  sectorId: z.nullable(id),
  /** An inactive one is chosen no longer; one within an inactive one is inactive. */
  isActive: z.boolean(),
})
export type Reason = z.infer<typeof reason>

const knownReasons = z.object({
  /** In their order, each of the first level before those within it; inactive ones, too. */
  reasons: z.array(reason),
  /** Whether a person is asked for one: in the installation, and where a number or a sector differs. */
  ask: askReason,
  /** Of the numbers that the person answers. */
  ofNumbers: z.array(z.object({ instanceId: id, ask: askReason })),
  ofSectors: z.array(z.object({ sectorId: id, ask: askReason })),
})
export type KnownReasons = z.infer<typeof knownReasons>

export const listReasons = endpoint({
  method: 'GET',
  path: '/api/reasons',
  summary: 'Os motivos de finalização em sua ordem, os inativos também, e onde um motivo é pedido',
  needs: [],
  audit: reading,
  reply: knownReasons,
})

/** Between the name of a reason and that of the reason that it is within. */
export const pathSign = ' › '
