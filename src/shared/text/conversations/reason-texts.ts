import { enders } from '#shared/reports/figures.ts'

/** What ends a conversation without a person who says why. */
export const automaticEnds = enders.filter((ender) => ender !== 'person')
export type AutomaticEnd = (typeof automaticEnds)[number]

/** The reasons of conversations that no person has ended, which nobody edits. */
export const automaticReasons: Readonly<Record<AutomaticEnd, string>> = {
  inactivity: 'Automático › Inatividade',
  blocked: 'Automático › Contato bloqueado',
  anonymized: 'Automático › Contato anonimizado',
}

export const isAutomaticEnd = (key: string | null): key is AutomaticEnd =>
  key !== null && key in automaticReasons

export const noReason = 'Sem motivo'
