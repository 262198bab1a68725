import type { Changes, Sentences } from '#shared/text/audit/telling.ts'

/** The nouns of its acts, as the audit log is filtered by them, and what each is about. */
export const groups = {
  view: { name: 'Visões', place: 69, about: 'view' },
} as const

/**
 * What its acts are about, and what stands instead of the name of what is gone. Stored with every row, so a
 * key never changes.
 */
export const resources = {
  view: { name: 'Visão', gone: 'uma visão que não existe mais' },
} as const

/**
 * The details of each act: ids, codes, counts and values of no person. Without secrets, passwords, codes and
 * message texts.
 */
export interface Details {
  'view.create': { name: string; isShared: boolean }
  'view.change': { name: string; changes: Changes<'name' | 'isShared' | 'sectorId' | 'content'> }
  'view.delete': { name: string }
}

const named = (name: string | undefined, about: string | { name: string }) =>
  name === undefined ? about : { name }

/** What each act says, without its subject. */
export const sentences: Sentences<Details> = {
  'view.create': ({ details, about }) => [
    details.isShared ? 'compartilhou a visão ' : 'salvou a visão ',
    named(details.name, about),
  ],
  'view.change': ({ details, about }) => ['mudou a visão ', named(details.name, about)],
  'view.delete': ({ details, about }) => ['excluiu a visão ', named(details.name, about)],
}
