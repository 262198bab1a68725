import * as z from 'zod/mini'
import { listing } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'
import { quickResponseFile } from '#shared/settings/settings.ts'
import { showsNothing } from '#shared/text/shows-nothing.ts'
import { id, idParam, instant } from '#shared/users/users.ts'
import { macroStep, macroSteps } from './steps.ts'

// What only who makes, changes or deletes a macro calls.

export const macroLimits = { name: 60, shortcut: 30, own: 50, shared: 200 } as const

const name = z.string().check(
  z.trim(),
  z.refine((text) => !showsNothing(text), 'Nome é obrigatório'),
  z.refine((text) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text), 'Use uma linha só'),
  z.maxLength(macroLimits.name),
)

/** Without the slash. */
const shortcut = z.pipe(
  z.pipe(
    z.string(),
    z.transform((text) => text.trim().replace(/^\//, '')),
  ),
  z
    .string()
    .check(
      z.minLength(1, 'Atalho é obrigatório'),
      z.maxLength(macroLimits.shortcut),
      z.regex(/^[\p{L}\p{N}_-]+$/u, 'Use letras, números, - e _, sem espaços'),
    ),
)

const macroForm = z.object({
  name,
  shortcut,
  isShared: z.boolean(),
  /** Of a shared one: whose people have it; null: everybody. */
  sectorId: z.nullable(id),
  steps: macroSteps,
})

/** A macro as it is edited. */
const managedMacro = z.object({
  id,
  name: z.string(),
  shortcut: z.string(),
  steps: z.array(macroStep),
  ownerId: id,
  /** Others have it, too. */
  isShared: z.boolean(),
  /** Of a shared one: only the people of this sector have it; null: everybody. */
  sectorId: z.nullable(id),
  /** Whether the person runs it: their own, of all, or of a sector that they are in. */
  isUsable: z.boolean(),
  /** Whether the person changes and deletes it. */
  isChangeable: z.boolean(),
  uses: z.int(),
  lastUsedAt: z.nullable(instant),
  lastUsedBy: z.nullable(z.string()),
  version: z.int(),
})
export type ManagedMacro = z.infer<typeof managedMacro>

export const listManagedMacros = endpoint({
  method: 'GET',
  path: '/api/macros/managed',
  summary: 'As macros que a pessoa roda ou pode mudar, com os passos, por nome',
  act: 'viewConversations',
  audit: listing,
  reply: z.array(managedMacro),
})

export const createMacro = endpoint({
  method: 'POST',
  path: '/api/macros',
  summary: 'Criar uma macro, própria ou compartilhada',
  act: 'viewConversations',
  audit: 'macro.create',
  body: macroForm,
  reply: z.object({ id }),
  status: 201,
})
export type NewMacro = z.output<NonNullable<(typeof createMacro)['body']>>

export const updateMacro = endpoint({
  method: 'PATCH',
  path: '/api/macros/:id',
  summary: 'Mudar uma macro: só o que vem no corpo muda',
  act: 'viewConversations',
  audit: 'macro.change',
  ids: { id: 'macro' },
  params: z.object({ id: idParam }),
  body: z.object({
    ...z.partial(macroForm).shape,
    /** The version that the caller has. Without it, the last change wins. */
    version: z.optional(z.int().check(z.minimum(1), z.maximum(2 ** 31 - 1))),
  }),
  /** The version that it has now: the same where nothing has changed. */
  reply: z.object({ version: z.int() }),
})
export type MacroChange = z.output<NonNullable<(typeof updateMacro)['body']>>

export const deleteMacro = endpoint({
  method: 'DELETE',
  path: '/api/macros/:id',
  summary: 'Excluir uma macro',
  act: 'viewConversations',
  audit: 'macro.delete',
  ids: { id: 'macro' },
  params: z.object({ id: idParam }),
})

export const uploadMacroFile = endpoint({
  method: 'POST',
  path: '/api/macros/files',
  summary: 'Guardar o arquivo de um passo; a macro que o nomeia fica com ele',
  act: 'attachFile',
  audit: { not: 'takes effect with the macro that names the file, which is recorded' },
  takesFile: true,
  reply: quickResponseFile,
  status: 201,
})
