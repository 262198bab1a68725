import { fieldName } from '#shared/text/audit/field-texts.ts'
import { type Changes, listed, plural, textsIn, type Sentences } from '#shared/text/audit/telling.ts'

/** The nouns of its acts, as the audit log is filtered by them, and what each is about. */
export const groups = {
  pause: { name: 'Pausas', place: 66, about: 'pause_reason' },
  timesheet: { name: 'Jornada', place: 67, about: 'work_period' },
} as const

/**
 * What its acts are about, and what stands instead of the name of what is gone. Stored with every row, so a
 * key never changes.
 */
export const resources = {
  pause_reason: { name: 'Motivo de pausa', gone: 'um motivo de pausa que não existe mais' },
  work_period: { name: 'Registro de jornada', gone: 'um registro de jornada que não existe mais' },
} as const

/** The details of each act: ids, codes, counts and values of no person. */
export interface Details {
  'pause.create': { names: string[] }
  /** Its name after the change. */
  'pause.change': { name: string; names: string[]; changes: Changes }
  'pause.order': { ids: number[] }
  'pause.delete': { name: string }
  /** Whose, from when to when, and what it was and became, in words. */
  'timesheet.correct': {
    userId: number
    startedAt: string
    endedAt: string
    from: string
    to: string
    why: string
  }
  'timesheet.export': { format: string; startDate: string; endDate: string; people: number }
}

const named = (name: unknown, about: string | { name: string }) =>
  typeof name === 'string' ? { name } : about

/** What each act says, without its subject. */
export const sentences: Sentences<Details> = {
  'pause.create': ({ details }) => [
    `criou ${textsIn(details.names).length === 1 ? 'o motivo de pausa' : 'os motivos de pausa'} `,
    { name: listed(textsIn(details.names)) },
  ],
  'pause.change': ({ details, about }) => [
    'mudou o motivo de pausa ',
    named(details.name, about),
    `: ${listed(textsIn(details.names).map((field) => fieldName(field).toLowerCase()))}`,
  ],
  'pause.order': () => ['mudou a ordem dos motivos de pausa'],
  'pause.delete': ({ details, about }) => ['excluiu o motivo de pausa ', named(details.name, about)],
  'timesheet.correct': ({ details, nameOf }) => [
    'corrigiu a jornada de ',
    { name: nameOf(details.userId) },
    `: ${details.from ?? '?'} → ${details.to ?? '?'}, “${details.why ?? ''}”`,
  ],
  'timesheet.export': ({ details }) => [
    `exportou a jornada de ${plural(details.people, 'pessoa', 'pessoas')}`,
  ],
}
