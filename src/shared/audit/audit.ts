import type { ErrorCode } from '#shared/refusals.ts'
import { attemptText } from '#shared/text/audit/call-texts.ts'
import { pairIn, plural, type Sentences } from '#shared/text/audit/telling.ts'

/** The nouns of its acts, as the audit log is filtered by them, and what each is about. */
export const groups = {
  access: { name: 'Acessos negados', place: 20, about: 'call' },
  audit: { name: 'Auditoria', place: 150, about: 'audit' },
} as const

/**
 * What its acts are about, and what stands instead of the name of what is gone. Stored with every row, so a
 * key never changes.
 */
export const resources = {
  call: { name: 'Chamada', gone: 'chamada' },
  audit: { name: 'Auditoria', gone: 'auditoria' },
} as const

/**
 * The details of each act: ids, codes, counts and values of no person. Without secrets, passwords, codes and
 * message texts.
 */
export interface Details {
  /** `call`: the row of the permission table. */
  'access.denied': { call: string; reason: ErrorCode }
  'audit.export': { filter: Record<string, string | number>; rows: number }
  /** The ids of the rows that lost their personal values, and whose these were. */
  'audit.erase': { resourceType: string; resourceId: string; rows: number[] }
}

/** What each act says, without its subject. */
export const sentences: Sentences<Details> = {
  'access.denied': ({ details }) => {
    const { verb, area } = attemptText(details.call ?? '')
    return [`tentou ${verb} `, { name: area }, ' sem permissão']
  },
  'audit.export': ({ details }) => [
    'exportou ',
    { name: plural(details.rows, 'registro', 'registros') },
    ' da auditoria',
  ],
  'audit.erase': ({ details }) => [
    'apagou os dados pessoais de ',
    { name: plural(pairIn(details.rows).length, 'registro', 'registros') },
    ' da auditoria',
  ],
}
