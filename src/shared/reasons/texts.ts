import { asked } from '#shared/text/rights/controls.ts'

/** Why a request is refused: its HTTP status, and what is said. */
export const errors = {
  'reasons.required': [422, 'Escolha o motivo'],
  'reasons.unknown': [422, 'Motivo não encontrado'],
  'reasons.not_found': [404, 'Motivo não encontrado'],
  'reasons.inactive': [422, 'O motivo {name} foi desativado. Escolha outro.'],
  'reasons.too_wide': [422, 'Escolha um dos motivos de {name}.'],
  'reasons.other_sector': [422, 'O motivo {name} é de outro setor.'],
  'reasons.duplicate': [409, 'Já existe o motivo ‘{name}’'],
  'reasons.duplicate_inactive': [409, 'Já existe o motivo ‘{name}’, inativo. Ative-o de novo.'],
  'reasons.too_many': [409, 'Há {most} motivos, e não cabem mais. Exclua um que não se usa.'],
  'reasons.too_deep': [422, 'Um motivo de segundo nível não tem outros dentro de si.'],
  'reasons.sector_of_first': [422, 'O setor é o do motivo de primeiro nível.'],
  'reasons.changed': [409, 'Um colega mudou este motivo enquanto você editava.'],
  'reasons.used': [409, 'Há conversas com o motivo {name}. Desative-o: elas o mantêm.'],
  'reasons.has_others': [409, 'O motivo {name} tem outros dentro de si. Exclua-os antes, ou desative-o.'],
  'reasons.order_changed': [409, 'Um colega criou ou excluiu um motivo. Confira a ordem e mova de novo.'],
  'reasons.not_ended': [409, 'A conversa está aberta: o motivo se escolhe ao finalizar.'],
} as const

/** What its screens offer. */
export const controls = {
  '/settings': [asked('manageReasons', 'Motivos')],
  '/settings-advanced': [asked('manageReasons', 'Motivos')],
  '/conversas-arquivadas': [asked('changeReason', 'Alterar motivo')],
}

/** What the calls under a path are about, for the sentence of a refused one. */
export const areas = {
  '/api/reasons': 'Motivos',
}
