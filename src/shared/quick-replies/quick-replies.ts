import * as z from 'zod/mini'
import { reading } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'
import { quickResponseFile } from '#shared/settings/settings.ts'
import { id, idParam, instant } from '#shared/users/users.ts'

const used = {
  /** How often it was sent, by anybody who has it. */
  uses: z.int(),
  lastUsedAt: z.nullable(instant),
}

export const quickReply = z.object({
  id,
  shortcut: z.string(),
  /** With a file its caption; '' with a voice. */
  text: z.string(),
  file: z.optional(quickResponseFile),
  /** Whose people have it; null: the caller alone. */
  sectorId: z.nullable(id),
  ...used,
  /** The caller may change and delete it. */
  isChangeable: z.boolean(),
  version: z.int(),
})
export type OwnedReply = z.infer<typeof quickReply>

const knownReplies = z.object({
  /** The caller's own and those of sectors that they see, by shortcut. */
  replies: z.array(quickReply),
  /** Of the general ones, which stand in the settings: those that were used. */
  general: z.array(z.object({ shortcut: z.string(), ...used })),
})
export type KnownReplies = z.infer<typeof knownReplies>

export const listQuickReplies = endpoint({
  method: 'GET',
  path: '/api/quick-replies',
  summary: 'As respostas rápidas da pessoa e as de seus setores, com o uso; das gerais, só o uso',
  needs: [],
  audit: reading,
  reply: knownReplies,
})

export const getQuickReplyFile = endpoint({
  method: 'GET',
  path: '/api/quick-replies/:id/file',
  summary: 'O arquivo de uma resposta rápida que a pessoa vê',
  act: 'attachFile',
  audit: reading,
  ids: { id: 'quick reply' },
  params: z.object({ id: idParam }),
  sendsFile: true,
})
