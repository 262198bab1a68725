import { asked } from '#shared/text/rights/controls.ts'

/** Why a request is refused: its HTTP status, and what is said. */
export const errors = {
  'reports.not_found': [404, 'Relatório salvo não encontrado'],
  'reports.too_many': [409, 'Você já tem 20 relatórios salvos. Apague um para salvar outro.'],
} as const

/** What its screens offer. */
export const controls = {
  '/reports': [
    asked('viewReports', 'Gerar Relatório'),
    asked('viewReports', 'CSV'),
    asked('viewReportRows', 'estas conversas'),
  ],
}

/** What the calls under a path are about, for the sentence of a refused one. */
export const areas = {
  '/api/reports': 'Relatórios',
}
