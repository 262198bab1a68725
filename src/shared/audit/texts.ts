import { asked } from '#shared/text/rights/controls.ts'

/** What its screens offer. */
export const controls = {
  '/auditoria': [asked('viewAudit', 'Exportar CSV')],
}

/** What the calls under a path are about, for the sentence of a refused one. */
export const areas = {
  '/api/audit-logs': 'Auditoria',
}
