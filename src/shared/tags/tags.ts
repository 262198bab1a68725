import * as z from 'zod/mini'
import { reading } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'
import { askReason } from '#shared/settings/ask-reason.ts'
import { id } from '#shared/users/users.ts'

/** What conversations are tagged with; tags of contacts are another thing. */
export const tag = z.object({
  id,
  name: z.string(),
  color: z.string(),
  /** Whose conversations it is for; null: all. */
  sectorId: z.nullable(id),
  /** An inactive one is put on nothing more. */
  isActive: z.boolean(),
})
export type Tag = z.infer<typeof tag>

const knownTags = z.object({
  /** In their order; inactive ones, too. */
  tags: z.array(tag),
  /** Whether who finalizes is asked for one: in the installation, and where a number or a sector differs. */
  ask: askReason,
  /** Of the numbers that the person answers. */
  ofNumbers: z.array(z.object({ instanceId: id, ask: askReason })),
  ofSectors: z.array(z.object({ sectorId: id, ask: askReason })),
})
export type KnownTags = z.infer<typeof knownTags>

export const listTags = endpoint({
  method: 'GET',
  path: '/api/tags',
  summary: 'As etiquetas de conversas em sua ordem, as inativas também, e onde uma é pedida',
  needs: [],
  audit: reading,
  reply: knownTags,
})

/** A conversation has so many. */
export const mostTagsOfOne = 20

/** The tags that may be put on a conversation of the sector (null: of none), in their order. */
export const tagsFor = (all: readonly Tag[], sectorId: number | null): Tag[] =>
  all.filter((one) => one.isActive && (one.sectorId === null || one.sectorId === sectorId))
