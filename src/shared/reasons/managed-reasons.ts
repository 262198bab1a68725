import * as z from 'zod/mini'
import { reading } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'
import { showsNothing } from '#shared/text/shows-nothing.ts'
import { id, idParam } from '#shared/users/users.ts'
import { reason } from './reasons.ts'

// What only the page of the reasons calls.

export const reasonLimits = { name: 60, reasons: 500 } as const

const managedReason = z.object({
  ...reason.shape,
  /** As it was switched: not whether the one that it is within is inactive. */
  isSwitchedOn: z.boolean(),
  /** How many conversations ended with it. */
  uses: z.int(),
  version: z.int(),
})
export type ManagedReason = z.infer<typeof managedReason>

export const listManagedReasons = endpoint({
  method: 'GET',
  path: '/api/reasons/managed',
  summary: 'Os motivos de finalização, com o número de conversas de cada um',
  act: 'manageReasons',
  audit: reading,
  reply: z.array(managedReason),
})

/** A line of a list, in which '›' stands between two levels. */
const name = z.string().check(
  z.trim(),
  z.refine((text) => !showsNothing(text), 'Nome é obrigatório'),
  z.refine((text) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text), 'Use uma linha só'),
  z.refine((text) => !text.includes('›'), 'O sinal › separa os dois níveis e não pode estar no nome'),
  z.maxLength(reasonLimits.name),
)

export const reasonForm = z.object({
  name,
  /** null: all. One of the second level is for whom the first one is. */
  sectorId: z.nullable(id),
})

export const createReason = endpoint({
  method: 'POST',
  path: '/api/reasons',
  summary: 'Criar um motivo de finalização, ou um dentro de outro (`parentId`)',
  act: 'manageReasons',
  audit: 'reason.create',
  body: z.object({ name, sectorId: z.optional(z.nullable(id)), parentId: z.optional(z.nullable(id)) }),
  reply: z.object({ id }),
  status: 201,
})
export type NewReason = z.output<NonNullable<(typeof createReason)['body']>>

export const updateReason = endpoint({
  method: 'PATCH',
  path: '/api/reasons/:id',
  summary: 'Mudar um motivo de finalização: só o que vem no corpo muda',
  act: 'manageReasons',
  audit: 'reason.change',
  ids: { id: 'reason' },
  params: z.object({ id: idParam }),
  body: z.object({
    ...z.partial(reasonForm).shape,
    isActive: z.optional(z.boolean()),
    /** The version that the caller has. Without it, the last change wins. */
    version: z.optional(z.int().check(z.minimum(1), z.maximum(2 ** 31 - 1))),
  }),
})
export type ReasonChange = z.output<NonNullable<(typeof updateReason)['body']>>

export const orderReasons = endpoint({
  method: 'PUT',
  path: '/api/reasons/order',
  summary: 'Mudar a ordem dos motivos de um nível',
  act: 'manageReasons',
  audit: 'reason.order',
  body: z.object({
    /** The one within which they are; null: those of the first level. */
    parentId: z.nullable(id),
    /** All of them. */
    ids: z.array(id).check(z.maxLength(reasonLimits.reasons)),
  }),
})

export const deleteReason = endpoint({
  method: 'DELETE',
  path: '/api/reasons/:id',
  summary: 'Excluir um motivo que nenhuma conversa usou; um usado só se desativa',
  act: 'manageReasons',
  audit: 'reason.delete',
  ids: { id: 'reason' },
  params: z.object({ id: idParam }),
})
