import { plural, type Sentences } from '#shared/text/audit/telling.ts'

/** The nouns of its acts, as the audit log is filtered by them, and what each is about. */
export const groups = {
  reply: { name: 'Respostas rápidas', place: 70, about: 'reply' },
} as const

/**
 * What its acts are about, and what stands instead of the name of what is gone. Stored with every row, so a
 * key never changes.
 */
export const resources = {
  reply: { name: 'Resposta rápida', gone: 'uma resposta rápida que não existe mais' },
} as const

/**
 * The details of each act: ids, codes, counts and values of no person. Without secrets, passwords, codes and
 * message texts. Those that a person has alone are not named: nobody else sees them.
 */
export interface Details {
  'reply.create': { shortcut?: string; sectorId: number | null }
  'reply.change': { shortcut?: string; sectorId: number | null; fields: string[] }
  'reply.delete': { shortcut?: string; sectorId: number | null }
  'reply.import': { sectorId: number | null; count: number }
}

const named = (shortcut: string | undefined) =>
  shortcut === undefined ? 'uma resposta rápida sua' : `a resposta rápida /${shortcut}`

/** What each act says, without its subject. */
export const sentences: Sentences<Details> = {
  'reply.create': ({ details }) => [`criou ${named(details.shortcut)}`],
  'reply.change': ({ details }) => [`mudou ${named(details.shortcut)}`],
  'reply.delete': ({ details }) => [`excluiu ${named(details.shortcut)}`],
  'reply.import': ({ details: { count = 0, sectorId } }) => [
    `importou ${plural(count, 'resposta rápida', 'respostas rápidas')}`,
    sectorId === null ? ' para si' : '',
  ],
}
