import * as z from 'zod/mini'
import { reading } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'
import { id, idParam, presenceStates } from '#shared/users/users.ts'

// Whom an internal note mentions: people, and sectors, which stand for those of their people who are there.

/** Whom a note mentions: each a person or a sector whose name its text has behind an '@'. */
export const mentioned = z
  .array(
    z
      .object({ userId: z.optional(id), sectorId: z.optional(id) })
      .check(
        z.refine(
          ({ userId, sectorId }) => (userId === undefined) !== (sectorId === undefined),
          'Informe uma pessoa ou um setor',
        ),
      ),
  )
  .check(z.maxLength(50, 'Mencione no máximo 50 pessoas e setores'))
export type Mentioned = z.infer<typeof mentioned>

export const listMentionable = endpoint({
  method: 'GET',
  path: '/api/conversations/:id/mentionable',
  summary: 'Quem uma nota da conversa pode mencionar',
  rows: {
    'GET /api/conversations/{open}/mentionable': { act: 'writeNote', audit: reading },
    'GET /api/conversations/{completed}/mentionable': { act: 'writeNoteInArchive', audit: reading },
  },
  ids: { id: 'conversation' },
  params: z.object({ id: idParam }),
  reply: z.object({
    people: z.array(
      z.object({
        id,
        name: z.string(),
        pictureUrl: z.nullable(z.string()),
        presence: z.enum(presenceStates),
        /** Whether they may read the conversation: others cannot be mentioned. */
        isReader: z.boolean(),
      }),
    ),
    sectors: z.array(
      z.object({
        id,
        name: z.string(),
        color: z.string(),
        /** How many of its people would be told now: those who are there, and may read the conversation. */
        available: z.int(),
      }),
    ),
  }),
})
export type Mentionable = z.infer<NonNullable<(typeof listMentionable)['reply']>>
