/** Why a request is refused: its HTTP status, and what is said. */
export const reportErrors = {
  'reports.not_found': [404, 'Relatório salvo não encontrado'],
  'reports.too_many': [409, 'Você já tem 20 relatórios salvos. Apague um para salvar outro.'],
} as const
