import { asked } from '#shared/text/rights/controls.ts'

/** Why a request is refused: its HTTP status, and what is said. */
export const errors = {
  'sla.changed': [409, 'Um colega mudou os prazos enquanto você editava.'],
  'sla.unknown': [422, 'Um setor ou uma categoria destes prazos não existe mais. Confira e salve de novo.'],
} as const

/** What its screens offer. */
export const controls = {
  '/settings-advanced': [asked('manageSla', 'SLA')],
}

/** What the calls under a path are about, for the sentence of a refused one. */
export const areas = {
  '/api/sla-targets': 'Prazos (SLA)',
}
