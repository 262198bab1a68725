import { plural, type Sentences } from '#shared/text/audit/telling.ts'

/** The nouns of its acts, as the audit log is filtered by them, and what each is about. */
export const groups = {
  sla: { name: 'Prazos (SLA)', place: 68, about: 'sla_targets' },
} as const

/**
 * What its acts are about, and what stands instead of the name of what is gone. Stored with every row, so a
 * key never changes.
 */
export const resources = {
  sla_targets: { name: 'Prazos (SLA)', gone: 'os prazos' },
} as const

/** The details of each act: ids, codes, counts and values of no person. */
export interface Details {
  /** The targets before and after, each as sector, category, minutes to the reply and to the end. */
  'sla.change': { count: number; before: (number | null)[][]; after: (number | null)[][] }
}

/** What each act says, without its subject. */
export const sentences: Sentences<Details> = {
  'sla.change': ({ details }) =>
    details.count === 0
      ? ['tirou todos os prazos (SLA)']
      : [`mudou os prazos (SLA): são ${plural(details.count, 'linha', 'linhas')}`],
}
