import * as z from 'zod/mini'
import { ownState } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'
import { showsNothing } from '#shared/text/shows-nothing.ts'
import { id, idParam } from '#shared/users/users.ts'
import { viewContent } from './views.ts'

// What only who saves, changes or deletes a view calls.

export const viewLimits = { name: 40, own: 50, shared: 200 } as const

const name = z.string().check(
  z.trim(),
  z.refine((text) => !showsNothing(text), 'Nome é obrigatório'),
  z.refine((text) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text), 'Use uma linha só'),
  z.maxLength(viewLimits.name),
)

export const viewForm = z.object({
  name,
  isShared: z.boolean(),
  /** Of a shared one: whose people see it; null: everybody. */
  sectorId: z.nullable(id),
})

export const createView = endpoint({
  method: 'POST',
  path: '/api/views',
  summary: 'Salvar uma visão da lista, própria ou compartilhada',
  act: 'viewConversations',
  audit: 'view.create',
  body: z.object({ ...viewForm.shape, content: viewContent }),
  reply: z.object({ id }),
  status: 201,
})
export type NewView = z.output<NonNullable<(typeof createView)['body']>>

export const updateView = endpoint({
  method: 'PATCH',
  path: '/api/views/:id',
  summary: 'Mudar uma visão da lista: só o que vem no corpo muda',
  act: 'viewConversations',
  audit: 'view.change',
  ids: { id: 'view' },
  params: z.object({ id: idParam }),
  body: z.object({
    ...z.partial(viewForm).shape,
    content: z.optional(viewContent),
    /** The version that the caller has. Without it, the last change wins. */
    version: z.optional(z.int().check(z.minimum(1), z.maximum(2 ** 31 - 1))),
  }),
})
export type ViewChange = z.output<NonNullable<(typeof updateView)['body']>>

export const orderViews = endpoint({
  method: 'PUT',
  path: '/api/views/order',
  summary: 'Mudar a própria ordem das visões da lista',
  act: 'viewConversations',
  audit: ownState,
  body: z.object({ ids: z.array(id).check(z.maxLength(viewLimits.own + viewLimits.shared)) }),
})

export const deleteView = endpoint({
  method: 'DELETE',
  path: '/api/views/:id',
  summary: 'Excluir uma visão da lista',
  act: 'viewConversations',
  audit: 'view.delete',
  ids: { id: 'view' },
  params: z.object({ id: idParam }),
})
