import { type Changes, plural, type Sentences } from '#shared/text/audit/telling.ts'

/** The nouns of its acts, as the audit log is filtered by them, and what each is about. */
export const groups = {
  macro: { name: 'Macros', place: 70, about: 'macro' },
} as const

/**
 * What its acts are about, and what stands instead of the name of what is gone. Stored with every row, so a
 * key never changes.
 */
export const resources = {
  macro: { name: 'Macro', gone: 'uma macro que não existe mais' },
} as const

/**
 * The details of each act: ids, codes, counts and values of no person. Without secrets, passwords, codes and
 * message texts.
 */
export interface Details {
  'macro.create': { name: string; isShared: boolean }
  /** Of the steps only how many there are: they have texts. */
  'macro.change': { name: string; changes: Changes<'name' | 'shortcut' | 'isShared' | 'sectorId' | 'steps'> }
  'macro.delete': { name: string }
  /** `steps`: their kinds, as they were done. */
  'conversation.macro': { macroId: number; name: string; steps: string[] }
}

const named = (name: string | undefined, about: string | { name: string }) =>
  name === undefined ? about : { name }

/** What each act says, without its subject. */
export const sentences: Sentences<Details> = {
  'macro.create': ({ details, about }) => [
    details.isShared ? 'criou para a equipe a macro ' : 'criou a macro ',
    named(details.name, about),
  ],
  'macro.change': ({ details, about }) => ['mudou a macro ', named(details.name, about)],
  'macro.delete': ({ details, about }) => ['excluiu a macro ', named(details.name, about)],
  'conversation.macro': ({ details, about }) => [
    'rodou a macro ',
    { name: details.name ?? '?' },
    ' na conversa de ',
    about,
    Array.isArray(details.steps) ? `, ${plural(details.steps.length, 'passo', 'passos')}` : '',
  ],
}
