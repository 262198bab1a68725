import * as z from 'zod/mini'
import { reading } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'
import { sectorSettings, sectorSettingsChange } from '#shared/settings/own-settings.ts'
import { systemSettings } from '#shared/settings/settings.ts'
import { showsNothing } from '#shared/text/shows-nothing.ts'
import { id, idParam, instant } from '#shared/users/users.ts'
import { sector } from './sectors.ts'

// What only the screen of sectors calls: a chat does not load it.

/** The colours that are offered for a sector. */
export const sectorPalette = [
  '#0d9488',
  '#2563eb',
  '#ea580c',
  '#9333ea',
  '#db2777',
  '#16a34a',
  '#ca8a04',
  '#64748b',
] as const

export const sectorLimits = { name: 60, description: 200, sectors: 200, people: 1000, numbers: 200 } as const

/** A sector as whoever manages it sees it. */
const managedSector = z.object({
  ...z.omit(sector, { isDeleted: true }).shape,
  /** As the person may: false for a lead, who changes people, hours and texts only. */
  isWhole: z.boolean(),
  maxActivePerOperator: z.nullable(z.int()),
  /** The settings that are its own. */
  own: z.partial(sectorSettings),
  people: z.array(
    z.object({
      userId: id,
      name: z.string(),
      pictureUrl: z.nullable(z.string()),
      isLead: z.boolean(),
      /** How many open conversations of this sector they have. */
      open: z.int(),
      /** The other sectors that they are in. */
      otherSectorIds: z.array(id),
    }),
  ),
  /** Its conversations that nobody has yet, and since when the first of them waits. */
  waiting: z.int(),
  waitingSince: z.nullable(instant),
  /** All of its open ones. */
  open: z.int(),
  /** Contacts whose sector it is. */
  contacts: z.int(),
  /** Quick replies of its people. */
  quickReplies: z.int(),
  /** Numbers whose conversations go to it. */
  defaultOf: z.array(id),
  version: z.int(),
})
export type ManagedSector = z.infer<typeof managedSector>

/** What applies where a sector has nothing of its own: that of the number, else the installation's. */
const inherited = z.object({
  installation: z.object({
    ...sectorSettings.shape,
    timezone: systemSettings.shape.timezone,
    maxActivePerOperator: z.int(),
  }),
  /** The numbers, the main one first. */
  numbers: z.array(z.object({ id, name: z.string(), own: z.partial(sectorSettings) })),
})
export type Inherited = z.infer<typeof inherited>

const managedSectors = z.object({
  sectors: z.array(managedSector),
  /** What has no sector: waiting, and since when. */
  none: z.object({ waiting: z.int(), waitingSince: z.nullable(instant) }),
  /** Who may be put into a sector: everybody who may sign in. */
  candidates: z.array(z.object({ userId: id, name: z.string(), pictureUrl: z.nullable(z.string()) })),
  inherited,
})
export type ManagedSectors = z.infer<typeof managedSectors>
export type Candidate = ManagedSectors['candidates'][number]

export const listManagedSectors = endpoint({
  method: 'GET',
  path: '/api/sectors/managed',
  summary: 'Os setores que a pessoa administra, ou pelos quais responde, com tudo o que têm de seu',
  act: 'runSector',
  audit: reading,
  reply: managedSectors,
})

/** Name and description are a line of the client's menu. */
const oneLine = z.refine<string>((text) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text), 'Use uma linha só')

const name = z.string().check(
  z.trim(),
  z.refine((text) => !showsNothing(text), 'Nome é obrigatório'),
  oneLine,
  z.maxLength(sectorLimits.name),
)
const color = z.string().check(z.regex(/^#[0-9a-f]{6}$/i, 'Use o formato #rrggbb, como #2563eb'))
const description = z.string().check(z.trim(), oneLine, z.maxLength(sectorLimits.description))
const capacity = z.int('De 1 a 1000').check(z.minimum(1, 'De 1 a 1000'), z.maximum(1000, 'De 1 a 1000'))

/** What only who manages sectors may change. */
const wholeForm = {
  name,
  color,
  description,
  isActive: z.boolean(),
  /** The numbers that it serves; null: all. */
  numberIds: z.nullable(z.array(id).check(z.minLength(1, 'Escolha pelo menos um número'))),
  /** null: as in the installation. */
  maxActivePerOperator: z.nullable(capacity),
  /** The numbers whose new conversations go to it. */
  defaultOf: z.array(id).check(z.maxLength(sectorLimits.numbers)),
}
const people = z.array(z.object({ userId: id, isLead: z.boolean() })).check(z.maxLength(sectorLimits.people))

/** What a form asks for. */
export const sectorForm = z.object({ ...wholeForm, people })

export const createSector = endpoint({
  method: 'POST',
  path: '/api/sectors',
  summary: 'Criar um setor',
  act: 'manageSectors',
  audit: 'sector.create',
  body: z.object({
    name,
    color,
    description: z.optional(description),
    numberIds: z.optional(wholeForm.numberIds),
    people: z.optional(people),
    defaultOf: z.optional(wholeForm.defaultOf),
  }),
  reply: z.object({ id }),
  status: 201,
  // Whose scope is 'Do setor' sees everything of theirs.
  isSensitive: ['people'],
})
export type NewSector = z.output<NonNullable<(typeof createSector)['body']>>

const sectorChange = z.object({
  ...z.partial(z.object(wholeForm)).shape,
  /** All of them, in place of those of before. */
  people: z.optional(people),
  /** What becomes its own; null: it follows its number and the installation again. */
  own: z.optional(sectorSettingsChange),
  /** The version that the caller has. Without it, the last change wins. */
  version: z.optional(z.int().check(z.minimum(1), z.maximum(2 ** 31 - 1))),
})
export type SectorChange = z.output<typeof sectorChange>

/** The fields of a change that a lead may not make. */
export const wholeFields = Object.keys(wholeForm) as (keyof typeof wholeForm)[]

export const updateSector = endpoint({
  method: 'PATCH',
  path: '/api/sectors/:id',
  summary: 'Mudar um setor: só o que vem no corpo muda; responsáveis mudam pessoas, horários e textos',
  rows: {
    'PATCH /api/sectors/{id} (whole)': { act: 'manageSectors', audit: 'sector.change' },
    'PATCH /api/sectors/{id} (led)': { act: 'runSector', audit: 'sector.change' },
  },
  ids: { id: 'sector' },
  params: z.object({ id: idParam }),
  body: sectorChange,
  isSensitive: ['people'],
})

export const orderSectors = endpoint({
  method: 'PUT',
  path: '/api/sectors/order',
  summary: 'Mudar a ordem dos setores, como o menu do cliente os oferece',
  act: 'manageSectors',
  audit: 'sector.order',
  body: z.object({
    /** All of them. */
    ids: z.array(id).check(z.maxLength(sectorLimits.sectors)),
  }),
})

/** What it has goes to the target, or has no sector; what happened in it keeps its name. */
export const deleteSector = endpoint({
  method: 'DELETE',
  path: '/api/sectors/:id',
  summary: 'Excluir um setor; `targetId` é para onde vão suas conversas abertas, contatos e números',
  act: 'manageSectors',
  audit: 'sector.delete',
  ids: { id: 'sector' },
  params: z.object({ id: idParam }),
  query: z.object({ targetId: z.optional(z.union([idParam, z.literal('none')])) }),
})
