import * as z from 'zod/mini'
import { priorities } from '#shared/conversations/conversations.ts'
import { snoozeTimeNames } from '#shared/conversations/snooze.ts'
import { mentioned } from '#shared/messages/mentions.ts'
import { messageText } from '#shared/messages/messages.ts'
import { quickResponseFile } from '#shared/settings/settings.ts'
import { id } from '#shared/users/users.ts'

export const mostSteps = 20
/** Of a text, a caption or a note. */
export const maxStepText = 4096

const text = messageText.check(z.maxLength(maxStepText))
/** null: what was chosen is gone. */
const chosen = z.nullable(id)

/** What a macro does, one after the other. Texts may have placeholders, as quick replies may. */
export const macroStep = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text }),
  z.object({
    kind: z.literal('file'),
    file: quickResponseFile,
    /** The caption. */
    text: z.string().check(z.maxLength(maxStepText)),
  }),
  z.object({ kind: z.literal('note'), text, mentions: z.optional(mentioned) }),
  z.object({ kind: z.literal('tag'), tagId: chosen }),
  /** Of the contact. */
  z.object({ kind: z.literal('category'), categoryId: chosen }),
  z.object({ kind: z.literal('priority'), priority: z.enum(priorities) }),
  z.object({
    kind: z.literal('snooze'),
    time: z.enum(snoozeTimeNames),
    reason: z.optional(z.string().check(z.maxLength(200))),
  }),
  /** To the queue of a sector. */
  z.object({ kind: z.literal('sector'), sectorId: chosen }),
  z.object({ kind: z.literal('person'), userId: chosen }),
  /** Without a reason: null. */
  z.object({ kind: z.literal('finalize'), reasonId: chosen }),
])
export type MacroStep = z.infer<typeof macroStep>
export type StepKind = MacroStep['kind']

/** What each kind of step is called in the editor, in the order in which they are offered. */
export const stepLabels: Readonly<Record<StepKind, string>> = {
  text: 'Texto',
  file: 'Arquivo',
  note: 'Nota',
  tag: 'Etiqueta',
  category: 'Categoria',
  sector: 'Setor',
  person: 'Pessoa',
  priority: 'Prioridade',
  snooze: 'Lembrar',
  finalize: 'Finalizar',
}

/** What a step does, as it is shown before it is done. */
export const stepActs: Readonly<Record<StepKind, string>> = {
  text: 'Envia o texto',
  file: 'Envia o arquivo',
  note: 'Escreve a nota',
  tag: 'Põe a etiqueta',
  category: 'Muda a categoria do contato',
  sector: 'Transfere ao setor',
  person: 'Transfere a',
  priority: 'Muda a prioridade',
  snooze: 'Lembra',
  finalize: 'Finaliza como',
}

/** Why nothing of a macro was done: which step was refused, and what was said of it. @param index from 0 */
export const stepRefusal = (index: number, kind: StepKind, why: string): string =>
  `Passo ${index + 1}, ${stepLabels[kind]}: ${why.replace(/\.$/, '')}. Nada foi feito.`

/** Of these a macro has one at most: the second would undo the first. */
const onlyOnce = ['category', 'priority', 'snooze', 'sector', 'person', 'finalize'] as const
/** After these the conversation is no longer the person's, so nothing follows. */
const closing: readonly StepKind[] = ['sector', 'person', 'finalize']

/**
 * Why steps cannot be a macro; undefined: they can. Whether what they name exists is another question.
 */
export function faultOf(steps: readonly Pick<MacroStep, 'kind'>[]): string | undefined {
  if (steps.length === 0) return 'Adicione pelo menos um passo.'
  if (steps.length > mostSteps) return `Uma macro tem no máximo ${mostSteps} passos.`
  const kinds = steps.map(({ kind }) => kind)
  const twice = onlyOnce.find((kind) => kinds.indexOf(kind) !== kinds.lastIndexOf(kind))
  if (twice) return `Só cabe um passo ‘${stepLabels[twice]}’.`
  if (kinds.includes('snooze') && kinds.includes('finalize'))
    return '‘Lembrar’ com ‘Finalizar’ não vale: uma conversa finalizada não espera.'
  if (kinds.includes('sector') && kinds.includes('person'))
    return 'Escolha ‘Setor’ ou ‘Pessoa’: a conversa só se transfere uma vez.'
  const end = kinds.findIndex((kind) => closing.includes(kind))
  const kind = kinds[end]
  if (kind === undefined || end === kinds.length - 1) return undefined
  return kind === 'finalize'
    ? 'Depois de ‘Finalizar’ não vem outro passo.'
    : `Depois de ‘${stepLabels[kind]}’ não vem outro passo: a conversa já não é de quem roda.`
}

export const macroSteps = z.array(macroStep).check(
  z.maxLength(mostSteps, `Uma macro tem no máximo ${mostSteps} passos.`),
  z.superRefine((steps, { addIssue }) => {
    const fault = faultOf(steps)
    if (fault !== undefined) addIssue({ code: 'custom', message: fault, input: steps })
  }),
)
