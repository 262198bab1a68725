import * as z from 'zod/mini'
import { endpoint } from '#shared/endpoint.ts'
import { settingText } from '#shared/settings/schedule.ts'
import { maxShortcut, quickResponseFile } from '#shared/settings/settings.ts'
import { showsNothing } from '#shared/text/shows-nothing.ts'
import { id, idParam } from '#shared/users/users.ts'

// What only who saves, changes or deletes a quick reply calls.

/** So many has a person alone, and so many a sector. */
export const mostReplies = 200

const shortcut = settingText(maxShortcut).check(
  z.trim(),
  z.refine((text) => !showsNothing(text), 'Atalho é obrigatório'),
  z.refine((text) => !/[\s\p{Cc}/]/u.test(text), 'Use uma palavra só, sem barra'),
)

export const replyForm = z.object({
  /** Typed after the slash. */
  shortcut,
  text: settingText(),
  file: z.optional(z.nullable(quickResponseFile)),
  /** Whose people have it; null: the caller alone. */
  sectorId: z.nullable(id),
})

export const createQuickReply = endpoint({
  method: 'POST',
  path: '/api/quick-replies',
  summary: 'Criar uma resposta rápida, própria ou de um setor pelo qual a pessoa é responsável',
  needs: [],
  audit: 'reply.create',
  body: replyForm,
  reply: z.object({ id }),
  status: 201,
})
export type NewReply = z.output<NonNullable<(typeof createQuickReply)['body']>>

export const updateQuickReply = endpoint({
  method: 'PATCH',
  path: '/api/quick-replies/:id',
  summary: 'Mudar uma resposta rápida: só o que vem no corpo muda',
  needs: [],
  audit: 'reply.change',
  ids: { id: 'quick reply' },
  params: z.object({ id: idParam }),
  body: z.object({
    ...z.partial(replyForm).shape,
    /** The version that the caller has. Without it, the last change wins. */
    version: z.optional(z.int().check(z.minimum(1), z.maximum(2 ** 31 - 1))),
  }),
})
export type ReplyChange = z.output<NonNullable<(typeof updateQuickReply)['body']>>

export const deleteQuickReply = endpoint({
  method: 'DELETE',
  path: '/api/quick-replies/:id',
  summary: 'Excluir uma resposta rápida',
  needs: [],
  audit: 'reply.delete',
  ids: { id: 'quick reply' },
  params: z.object({ id: idParam }),
})

/** The body is multipart/form-data with the part `file`. */
export const uploadQuickReplyFile = endpoint({
  method: 'POST',
  path: '/api/quick-replies/file',
  summary: 'Guardar o arquivo de uma resposta rápida; passa a valer quando ela é salva',
  act: 'attachFile',
  audit: { not: 'takes effect with the reply that names the file, which is recorded' },
  takesFile: true,
  reply: quickResponseFile,
  status: 201,
})

export const importQuickReplies = endpoint({
  method: 'POST',
  path: '/api/quick-replies/import',
  summary: 'Criar várias respostas rápidas de uma vez; um atalho que já existe ganha um número',
  needs: [],
  audit: 'reply.import',
  body: z.object({
    sectorId: z.nullable(id),
    replies: z
      .array(z.object({ shortcut, text: settingText().check(z.minLength(1, 'Texto é obrigatório')) }))
      .check(z.minLength(1), z.maxLength(mostReplies)),
  }),
  reply: z.object({ ids: z.array(id) }),
  status: 201,
})
export type ReplyImport = z.output<NonNullable<(typeof importQuickReplies)['body']>>
