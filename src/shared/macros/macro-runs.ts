import * as z from 'zod/mini'
import { reading } from '#shared/audit/unaudited.ts'
import { told } from '#shared/contacts/client-phone.ts'
import { endpoint } from '#shared/endpoint.ts'
import { clientMessageId } from '#shared/messages/messages.ts'
import { placeholders } from '#shared/text/template.ts'
import { id, idParam, instant } from '#shared/users/users.ts'
import { mostSteps } from './steps.ts'

const params = z.object({ id: idParam, macroId: idParam })

/** A step as it would be done now. */
const previewedStep = z.object({
  kind: z.string(),
  /** What it is about, with the values of the conversation: a text, a name, a time. */
  detail: told,
  /** Of a text: the placeholders that have no value here, with their braces. */
  missing: z.array(z.string()),
  /** Of a note: how many people it tells. */
  tells: z.optional(z.int()),
  /** Of 'Lembrar': when the conversation returns, and whether that is the next opening instead. */
  until: z.optional(instant),
  isMoved: z.optional(z.boolean()),
  /** Why it cannot be done. */
  error: z.nullable(z.string()),
  /** What it names does not exist any more: the macro must be mended. */
  isBroken: z.boolean(),
  /** It may be left out: a file. */
  isSkippable: z.boolean(),
})
export type PreviewedStep = z.infer<typeof previewedStep>

/** What a macro would do in a conversation now, tried out and taken back. */
export const previewMacro = endpoint({
  method: 'GET',
  path: '/api/conversations/:id/macros/:macroId/preview',
  summary: 'O que uma macro faria na conversa agora, passo a passo, e o que a impede; nada muda',
  act: 'viewConversations',
  audit: reading,
  ids: { id: 'conversation', macroId: 'macro' },
  params,
  reply: z.object({
    conversationId: id,
    name: z.string(),
    version: z.int(),
    /** The state that the person sees, to be given with the run. */
    holderId: z.nullable(id),
    lastEntryId: z.nullable(id),
    timezone: z.string(),
    steps: z.array(previewedStep),
  }),
})
export type MacroPreview = z.infer<NonNullable<(typeof previewMacro)['reply']>>

export const runMacro = endpoint({
  method: 'POST',
  path: '/api/conversations/:id/macros/:macroId/run',
  summary: 'Rodar uma macro na conversa: todos os passos, ou nenhum',
  act: 'viewConversations',
  audit: 'conversation.macro',
  ids: { id: 'conversation', macroId: 'macro' },
  params,
  body: z.object({
    /** Given by the browser: a repeated call has no further effect. */
    runId: clientMessageId,
    /** Of the macro that the person saw. */
    version: z.optional(z.int()),
    /** The assignee that they saw, and the newest entry: whatever came since refuses the run. */
    holderId: z.optional(z.nullable(id)),
    lastEntryId: z.optional(z.nullable(id)),
    /** What stands for placeholders that have no value of their own. */
    values: z.optional(
      z
        .array(
          z.object({
            field: z.enum(placeholders),
            value: z.string().check(z.trim(), z.minLength(1), z.maxLength(500)),
          }),
        )
        .check(z.maxLength(placeholders.length)),
    ),
    /** Files that are left out, by the places of their steps from 0. */
    skip: z.optional(
      z.array(z.int().check(z.minimum(0), z.maximum(mostSteps))).check(z.maxLength(mostSteps)),
    ),
    /** The caller offers to undo a finalization, as with a single one. */
    isUndoable: z.optional(z.boolean()),
  }),
  reply: z.object({
    at: instant,
    /** What was written to the client. */
    messageIds: z.array(id),
  }),
})
export type MacroRun = z.output<NonNullable<(typeof runMacro)['body']>>
