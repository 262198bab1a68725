import * as z from 'zod/mini'
import { reading } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'
import { id } from '#shared/users/users.ts'
import type { SlaClockName } from './clocks.ts'

// How soon clients are answered, and their conversations ended, in minutes of working hours.

export const slaLimits = { minutes: 14_400, targets: 200 } as const

/** From this part of its target on a clock is near its end. */
export const nearPart = 0.75

const minutes = `De 1 a ${slaLimits.minutes.toLocaleString('pt-BR')} minutos`
const target = z.nullable(z.int(minutes).check(z.minimum(1, minutes), z.maximum(slaLimits.minutes, minutes)))

/** What holds for conversations of a sector and a category of contacts; null: of any. */
export const slaTarget = z.object({
  sectorId: z.nullable(id),
  categoryId: z.nullable(id),
  /** null: none. */
  replyMinutes: target,
  endMinutes: target,
})
export type SlaTarget = z.infer<typeof slaTarget>

const targets = z.object({
  targets: z.array(slaTarget),
  /** Changes with each change of them. */
  version: z.string(),
})

export const listSlaTargets = endpoint({
  method: 'GET',
  path: '/api/sla-targets',
  summary: 'Prazos de resposta e de encerramento, por setor e categoria',
  act: 'manageSla',
  audit: reading,
  reply: targets,
})

export const setSlaTargets = endpoint({
  method: 'PUT',
  path: '/api/sla-targets',
  summary: 'Mudar os prazos: todos de uma vez; sem nenhum, nada é medido',
  act: 'manageSla',
  audit: 'sla.change',
  body: z.object({
    targets: z.array(slaTarget).check(
      z.maxLength(slaLimits.targets),
      z.refine(
        (all) => new Set(all.map(keyOf)).size === all.length,
        'Há dois prazos para o mesmo setor e categoria',
      ),
      z.refine(
        (all) => all.every(({ replyMinutes, endMinutes }) => (replyMinutes ?? endMinutes) !== null),
        'Diga um prazo, ou tire a linha',
      ),
    ),
    /** The version that the caller has; absent: the last change wins. */
    version: z.optional(z.string()),
  }),
  reply: targets,
})

const keyOf = ({ sectorId, categoryId }: Pick<SlaTarget, 'sectorId' | 'categoryId'>) =>
  `${sectorId} ${categoryId}`

/**
 * The target of a clock for a conversation, in minutes: of what fits it, what says the category before what
 * says the sector alone, and both before the general one. null: none is set.
 */
export function targetOf(
  all: readonly SlaTarget[],
  name: SlaClockName,
  { sectorId, categoryId }: Pick<SlaTarget, 'sectorId' | 'categoryId'>,
): number | null {
  const minutesOf = (one: SlaTarget) => (name === 'reply' ? one.replyMinutes : one.endMinutes)
  const fitting = all.filter(
    (one) =>
      minutesOf(one) !== null &&
      (one.sectorId === null || one.sectorId === sectorId) &&
      (one.categoryId === null || one.categoryId === categoryId),
  )
  const weight = (one: SlaTarget) => (one.categoryId === null ? 0 : 2) + (one.sectorId === null ? 0 : 1)
  const best = fitting.toSorted((a, b) => weight(b) - weight(a))[0]
  return best ? minutesOf(best) : null
}
