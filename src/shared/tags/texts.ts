import { asked } from '#shared/text/rights/controls.ts'

/** Why a request is refused: its HTTP status, and what is said. */
export const errors = {
  'tags.required': [422, 'Ponha uma etiqueta'],
  'tags.unknown': [422, 'Etiqueta não encontrada'],
  'tags.not_found': [404, 'Etiqueta não encontrada'],
  'tags.inactive': [422, 'A etiqueta {name} foi desativada. Escolha outra.'],
  'tags.other_sector': [422, 'A etiqueta {name} é de outro setor.'],
  'tags.too_many_on': [409, 'Uma conversa tem no máximo {most} etiquetas.'],
  'tags.not_yours': [403, 'Você cuida só das etiquetas dos setores pelos quais é responsável.'],
  'tags.duplicate': [409, 'Já existe a etiqueta ‘{name}’'],
  'tags.duplicate_inactive': [409, 'Já existe a etiqueta ‘{name}’, inativa. Ative-a de novo.'],
  'tags.too_many': [409, 'Há {most} etiquetas, e não cabem mais. Exclua uma que não se usa.'],
  'tags.changed': [409, 'Um colega mudou esta etiqueta enquanto você editava.'],
  'tags.used': [409, 'Há conversas com a etiqueta {name}. Desative-a: elas a mantêm.'],
  'tags.order_changed': [409, 'Um colega criou ou excluiu uma etiqueta. Confira a ordem e mova de novo.'],
} as const

/** What its screens offer. */
export const controls = {
  '/settings': [asked('manageTags', 'Etiquetas')],
  '/settings-advanced': [asked('manageTags', 'Etiquetas'), asked('manageAllTags', 'Mover para cima')],
  '/conversas-arquivadas': [asked('tagArchived', 'Alterar etiquetas')],
}

/** What the calls under a path are about, for the sentence of a refused one. */
export const areas = {
  '/api/tags': 'Etiquetas de conversas',
}
