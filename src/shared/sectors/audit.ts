import { fieldName } from '#shared/text/audit/field-texts.ts'
import { type Changes, listed, plural, textsIn, type Sentences } from '#shared/text/audit/telling.ts'

/** The nouns of its acts, as the audit log is filtered by them, and what each is about. */
export const groups = {
  sector: { name: 'Setores', place: 65, about: 'sector' },
} as const

/**
 * What its acts are about, and what stands instead of the name of what is gone. Stored with every row, so a
 * key never changes.
 */
export const resources = {
  sector: { name: 'Setor', gone: 'um setor que não existe mais' },
} as const

/**
 * The details of each act: ids, codes, counts and values of no person. Without secrets, passwords, codes and
 * message texts.
 */
export interface Details {
  'sector.create': { name: string }
  /** Its name after the change. `changes`: also those of its own settings. */
  'sector.change': { name: string; names: string[]; changes: Changes }
  /** Who came, who went, and who leads it now, by their ids. */
  'sector.people': { name: string; added: number[]; removed: number[]; leads: number[] }
  'sector.order': { ids: number[] }
  /** Where its open conversations, contacts and numbers went; null: 'Sem setor'. */
  'sector.delete': {
    name: string
    targetId: number | null
    conversations: number
    contacts: number
    quickReplies?: number
  }
}

const people = (ids: unknown) => plural(Array.isArray(ids) ? ids.length : 0, 'pessoa', 'pessoas')

/** What each act says, without its subject. */
export const sentences: Sentences<Details> = {
  'sector.create': ({ details, about }) => [
    'criou o setor ',
    details.name === undefined ? about : { name: details.name },
  ],
  'sector.change': ({ details, about }) => [
    'mudou o setor ',
    details.name === undefined ? about : { name: details.name },
    `: ${listed(textsIn(details.names).map((field) => fieldName(field).toLowerCase()))}`,
  ],
  'sector.people': ({ details, about }) => [
    'mudou as pessoas do setor ',
    details.name === undefined ? about : { name: details.name },
    `: ${people(details.added)} a mais, ${people(details.removed)} a menos`,
  ],
  'sector.order': () => ['mudou a ordem dos setores'],
  'sector.delete': ({ details, about }) => [
    'excluiu o setor ',
    details.name === undefined ? about : { name: details.name },
    details.conversations
      ? `, que tinha ${plural(details.conversations, 'conversa aberta', 'conversas abertas')}`
      : '',
  ],
}
