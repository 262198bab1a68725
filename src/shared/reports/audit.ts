import type { Sentences } from '#shared/text/audit/telling.ts'

/** The nouns of its acts, as the audit log is filtered by them, and what each is about. */
export const groups = {
  report: { name: 'Relatórios', place: 130, about: 'report' },
} as const

/**
 * What its acts are about, and what stands instead of the name of what is gone. Stored with every row, so a
 * key never changes.
 */
export const resources = {
  report: { name: 'Relatório', gone: 'relatório' },
} as const

/**
 * The details of each act: ids, codes, counts and values of no person. Without secrets, passwords, codes and
 * message texts.
 */
export interface Details {
  'report.rows': { filter: Record<string, string | number> }
  /** `rows`: how many rows left the product. */
  'report.export': { part: string; format: 'csv' | 'xlsx'; filter: Record<string, string | number> }
}

/** What each act says, without its subject. */
export const sentences: Sentences<Details> = {
  'report.rows': () => ['abriu as conversas de um relatório'],
  'report.export': () => ['exportou um relatório'],
}
