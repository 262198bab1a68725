import { type Changes, plural, type Sentences } from '#shared/text/audit/telling.ts'

/** The nouns of its acts, as the audit log is filtered by them, and what each is about. */
export const groups = {
  reason: { name: 'Motivos', place: 67, about: 'reason' },
} as const

/**
 * What its acts are about, and what stands instead of the name of what is gone. Stored with every row, so a
 * key never changes.
 */
export const resources = {
  reason: { name: 'Motivo', gone: 'um motivo que não existe mais' },
} as const

/**
 * The details of each act: ids, codes, counts and values of no person. Without secrets, passwords, codes and
 * message texts.
 */
export interface Details {
  /** `name`: with the reason that it is within. */
  'reason.create': { name: string }
  'reason.change': { name: string; changes: Changes<'name' | 'sectorId' | 'isActive'> }
  /** null: of the first level. */
  'reason.order': { parentId: number | null; ids: number[] }
  'reason.delete': { name: string }
  /** By their names; null: none. */
  'conversation.reason': { from: string | null; to: string | null }
}

const named = (name: string | undefined, about: string | { name: string }) =>
  name === undefined ? about : { name }

/** What each act says, without its subject. */
export const sentences: Sentences<Details> = {
  'reason.create': ({ details, about }) => ['criou o motivo ', named(details.name, about)],
  'reason.change': ({ details, about }) => {
    const isActive = details.changes?.isActive?.[1]
    const isSwitch = Object.keys(details.changes ?? {}).length === 1 && typeof isActive === 'boolean'
    const verb = isSwitch ? (isActive ? 'ativou' : 'desativou') : 'mudou'
    return [`${verb} o motivo `, named(details.name, about)]
  },
  'reason.order': ({ details }) => [
    'mudou a ordem dos motivos',
    Array.isArray(details.ids) ? `, ${plural(details.ids.length, 'motivo', 'motivos')}` : '',
  ],
  'reason.delete': ({ details, about }) => ['excluiu o motivo ', named(details.name, about)],
  'conversation.reason': ({ details, about }) => [
    'mudou o motivo da conversa de ',
    about,
    ` de ${details.from ?? 'Sem motivo'} para ${details.to ?? 'Sem motivo'}`,
  ],
}
