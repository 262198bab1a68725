import { asked } from '#shared/text/rights/controls.ts'

/** Why a request is refused: its HTTP status, and what is said. */
export const errors = {
  'pauses.not_found': [404, 'Motivo de pausa não encontrado'],
  'pauses.unknown': [422, 'Este motivo de pausa não existe mais. Escolha outro.'],
  'pauses.duplicate': [409, 'Já existe o motivo ‘{name}’'],
  'pauses.changed': [409, 'Um colega mudou este motivo enquanto você editava.'],
  'pauses.too_many': [409, 'Há {most} motivos, e não cabem mais. Exclua um que não se usa.'],
  'pauses.used': [409, 'Alguém já fez esta pausa. Desative o motivo: as pausas de antes o mantêm.'],
  'pauses.order_changed': [409, 'Um colega criou ou excluiu um motivo. Confira a ordem e salve de novo.'],
  'timesheets.not_found': [404, 'Registro de jornada não encontrado'],
  'timesheets.under_way': [409, 'Este registro ainda está em curso. Corrija-o quando terminar.'],
  'timesheets.own': [403, 'A própria jornada é corrigida por outra pessoa.'],
  'timesheets.no_change': [422, 'Escolha um estado diferente do registrado.'],
} as const

/** What its screens offer. */
export const controls = {
  '/jornada': [asked('viewTimesheets', 'Todas as pessoas'), asked('correctTimesheets', 'Corrigir')],
}

/** What its fields are called where the audit log shows a change. */
export const fields = {
  icon: 'Ícone',
  limitMinutes: 'Limite (min)',
  countsAsWork: 'Conta como trabalho',
}

/** What the calls under a path are about, for the sentence of a refused one. */
export const areas = {
  '/api/pauses': 'Pausas',
  '/api/timesheets': 'Jornada',
}
