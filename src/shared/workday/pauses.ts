import * as z from 'zod/mini'
import { ownState, reading } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'
import { showsNothing } from '#shared/text/shows-nothing.ts'
import { id, idParam, me, pauseIcons } from '#shared/users/users.ts'

export const pauseLimits = { name: 40, minutes: 600, reasons: 30 } as const

/** Why somebody pauses, such as 'Almoço'. */
export const pauseReason = z.object({
  id,
  name: z.string(),
  icon: z.enum(pauseIcons),
  color: z.string(),
  /** After how many minutes a pause is too long; null: never. */
  limitMinutes: z.nullable(z.int()),
  /** Whether its time is productive, as that of a meeting. */
  countsAsWork: z.boolean(),
  /** An inactive one is offered no longer; pauses of before keep it. */
  isActive: z.boolean(),
  /** Whether anybody has ever paused for it: such a reason cannot be deleted. */
  isUsed: z.boolean(),
  version: z.int(),
})
export type PauseReason = z.infer<typeof pauseReason>

export const listPauseReasons = endpoint({
  method: 'GET',
  path: '/api/pauses',
  summary: 'Os motivos de pausa em sua ordem, também os inativos',
  needs: [],
  audit: reading,
  reply: z.array(pauseReason),
})

const name = z.string().check(
  z.trim(),
  z.refine((text) => !showsNothing(text), 'Nome é obrigatório'),
  z.refine((text) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text), 'Use uma linha só'),
  z.maxLength(pauseLimits.name),
)
const minutes = `De 1 a ${pauseLimits.minutes} minutos`

/** What a form asks for. */
export const pauseReasonForm = z.object({
  name,
  icon: z.enum(pauseIcons),
  color: z.string().check(z.regex(/^#[0-9a-f]{6}$/i, 'Use o formato #rrggbb, como #2563eb')),
  limitMinutes: z.nullable(
    z.int(minutes).check(z.minimum(1, minutes), z.maximum(pauseLimits.minutes, minutes)),
  ),
  countsAsWork: z.boolean(),
})
export type PauseReasonForm = z.output<typeof pauseReasonForm>

/** The reasons that an installation may begin with. */
export const suggestedReasons: readonly PauseReasonForm[] = [
  { name: 'Almoço', icon: 'meal', color: '#ea580c', limitMinutes: 60, countsAsWork: false },
  { name: 'Banheiro', icon: 'restroom', color: '#2563eb', limitMinutes: 10, countsAsWork: false },
  { name: 'Lanche', icon: 'snack', color: '#ca8a04', limitMinutes: 15, countsAsWork: false },
  { name: 'Reunião', icon: 'meeting', color: '#9333ea', limitMinutes: null, countsAsWork: true },
  { name: 'Treinamento', icon: 'training', color: '#0d9488', limitMinutes: null, countsAsWork: true },
]

export const createPauseReasons = endpoint({
  method: 'POST',
  path: '/api/pauses',
  summary: 'Criar motivos de pausa: todos, ou nenhum',
  act: 'managePauses',
  audit: 'pause.create',
  body: z.object({
    reasons: z.array(pauseReasonForm).check(z.minLength(1), z.maxLength(pauseLimits.reasons)),
  }),
  /** In the order of the forms. */
  reply: z.object({ ids: z.array(id) }),
  status: 201,
})

const reasonChange = z.object({
  ...z.partial(pauseReasonForm).shape,
  isActive: z.optional(z.boolean()),
  /** The version that the caller has. Without it, the last change wins. */
  version: z.optional(z.int().check(z.minimum(1), z.maximum(2 ** 31 - 1))),
})
export type PauseReasonChange = z.output<typeof reasonChange>

export const updatePauseReason = endpoint({
  method: 'PATCH',
  path: '/api/pauses/:id',
  summary: 'Mudar um motivo de pausa: só o que vem no corpo muda',
  act: 'managePauses',
  audit: 'pause.change',
  ids: { id: 'pause reason' },
  params: z.object({ id: idParam }),
  body: reasonChange,
})

export const orderPauseReasons = endpoint({
  method: 'PUT',
  path: '/api/pauses/order',
  summary: 'Mudar a ordem em que os motivos de pausa são oferecidos',
  act: 'managePauses',
  audit: 'pause.order',
  body: z.object({
    /** All of them; after a restore there may be more than can be made. */
    ids: z.array(id).check(z.maxLength(1000)),
  }),
})

export const deletePauseReason = endpoint({
  method: 'DELETE',
  path: '/api/pauses/:id',
  summary: 'Excluir um motivo de pausa que ninguém usou',
  act: 'managePauses',
  audit: 'pause.delete',
  ids: { id: 'pause reason' },
  params: z.object({ id: idParam }),
})

/** What a person says of themselves. */
export const chosenPresence = z.discriminatedUnion('state', [
  z.object({ state: z.literal('available') }),
  z.object({ state: z.literal('away') }),
  z.object({ state: z.literal('paused'), reasonId: id }),
])
export type ChosenPresence = z.output<typeof chosenPresence>

export const setPresence = endpoint({
  method: 'PUT',
  path: '/api/profile/presence',
  summary: 'Ficar disponível, ausente ou em pausa; só de si mesmo',
  needs: [],
  audit: ownState,
  body: chosenPresence,
  reply: z.object({ user: me }),
})
