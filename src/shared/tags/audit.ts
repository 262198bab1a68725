import { type Changes, plural, type Sentences } from '#shared/text/audit/telling.ts'

/** The nouns of its acts, as the audit log is filtered by them, and what each is about. */
export const groups = {
  tag: { name: 'Etiquetas', place: 68, about: 'tag' },
} as const

/**
 * What its acts are about, and what stands instead of the name of what is gone. Stored with every row, so a
 * key never changes.
 */
export const resources = {
  tag: { name: 'Etiqueta', gone: 'uma etiqueta que não existe mais' },
} as const

/**
 * The details of each act: ids, codes, counts and values of no person. Without secrets, passwords, codes and
 * message texts.
 */
export interface Details {
  'tag.create': { name: string }
  'tag.change': { name: string; changes: Changes<'name' | 'color' | 'sectorId' | 'isActive'> }
  'tag.order': { ids: number[] }
  'tag.delete': { name: string }
  /** By their names. */
  'conversation.tags': { added: string[]; removed: string[] }
}

const named = (name: string | undefined, about: string | { name: string }) =>
  name === undefined ? about : { name }

const listed = (names: unknown) => (Array.isArray(names) ? names.join(', ') : '')

/** What each act says, without its subject. */
export const sentences: Sentences<Details> = {
  'tag.create': ({ details, about }) => ['criou a etiqueta ', named(details.name, about)],
  'tag.change': ({ details, about }) => {
    const isActive = details.changes?.isActive?.[1]
    const isSwitch = Object.keys(details.changes ?? {}).length === 1 && typeof isActive === 'boolean'
    const verb = isSwitch ? (isActive ? 'ativou' : 'desativou') : 'mudou'
    return [`${verb} a etiqueta `, named(details.name, about)]
  },
  'tag.order': ({ details }) => [
    'mudou a ordem das etiquetas',
    Array.isArray(details.ids) ? `, ${plural(details.ids.length, 'etiqueta', 'etiquetas')}` : '',
  ],
  'tag.delete': ({ details, about }) => ['excluiu a etiqueta ', named(details.name, about)],
  'conversation.tags': ({ details, about }) => {
    const [added, removed] = [listed(details.added), listed(details.removed)]
    if (added === '') return [`tirou ${removed} da conversa de `, about]
    return [`pôs ${added} na conversa de `, about, removed === '' ? '' : `, e tirou ${removed}`]
  },
}
