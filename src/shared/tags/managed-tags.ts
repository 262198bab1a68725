import * as z from 'zod/mini'
import { reading } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'
import { showsNothing } from '#shared/text/shows-nothing.ts'
import { id, idParam } from '#shared/users/users.ts'
import { tag } from './tags.ts'

// What only the page of the tags calls.

export const tagLimits = { name: 40, tags: 500 } as const

const managedTag = z.object({
  ...tag.shape,
  /** How many conversations have it. */
  uses: z.int(),
  version: z.int(),
  /** The caller may change it: whoever leads sectors changes only those of these. */
  isChangeable: z.boolean(),
})
export type ManagedTag = z.infer<typeof managedTag>

export const listManagedTags = endpoint({
  method: 'GET',
  path: '/api/tags/managed',
  summary: 'As etiquetas de conversas, com o número de conversas de cada uma',
  act: 'manageTags',
  audit: reading,
  reply: z.array(managedTag),
})

const name = z.string().check(
  z.trim(),
  z.refine((text) => !showsNothing(text), 'Nome é obrigatório'),
  z.refine((text) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text), 'Use uma linha só'),
  z.maxLength(tagLimits.name),
)
const color = z.string().check(z.regex(/^#[0-9a-f]{6}$/i, 'Cor inválida'))

export const tagForm = z.object({
  name,
  color,
  /** null: all. */
  sectorId: z.nullable(id),
})

export const createTag = endpoint({
  method: 'POST',
  path: '/api/tags',
  summary: 'Criar uma etiqueta de conversas; quem só é responsável por setores, nos seus',
  act: 'manageTags',
  audit: 'tag.create',
  body: tagForm,
  reply: z.object({ id }),
  status: 201,
})
export type NewTag = z.output<NonNullable<(typeof createTag)['body']>>

export const updateTag = endpoint({
  method: 'PATCH',
  path: '/api/tags/:id',
  summary: 'Mudar uma etiqueta de conversas: só o que vem no corpo muda',
  act: 'manageTags',
  audit: 'tag.change',
  ids: { id: 'tag' },
  params: z.object({ id: idParam }),
  body: z.object({
    ...z.partial(tagForm).shape,
    isActive: z.optional(z.boolean()),
    /** The version that the caller has. Without it, the last change wins. */
    version: z.optional(z.int().check(z.minimum(1), z.maximum(2 ** 31 - 1))),
  }),
})
export type TagChange = z.output<NonNullable<(typeof updateTag)['body']>>

export const orderTags = endpoint({
  method: 'PUT',
  path: '/api/tags/order',
  summary: 'Mudar a ordem das etiquetas de conversas',
  act: 'manageAllTags',
  audit: 'tag.order',
  /** All of them. */
  body: z.object({ ids: z.array(id).check(z.maxLength(tagLimits.tags)) }),
})

export const deleteTag = endpoint({
  method: 'DELETE',
  path: '/api/tags/:id',
  summary: 'Excluir uma etiqueta que nenhuma conversa tem; uma usada só se desativa',
  act: 'manageTags',
  audit: 'tag.delete',
  ids: { id: 'tag' },
  params: z.object({ id: idParam }),
})
