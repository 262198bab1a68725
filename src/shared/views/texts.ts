import { asked } from '#shared/text/rights/controls.ts'

/** Why a request is refused: its HTTP status, and what is said. */
export const errors = {
  'views.not_found': [404, 'Visão não encontrada'],
  'views.not_yours': [403, 'Esta visão é de outra pessoa. Salve uma sua.'],
  'views.may_not_share': [403, 'Você não pode compartilhar esta visão com essas pessoas.'],
  'views.duplicate': [409, 'Já existe a visão ‘{name}’'],
  'views.changed': [409, 'Um colega mudou esta visão enquanto você editava.'],
  'views.too_many': [409, 'Há {most} visões, e não cabem mais. Exclua uma que não se usa.'],
} as const

/** What its screens offer. */
export const controls = {
  '/conversas-ativas': [
    asked('shareViews', 'Compartilhar com a equipe'),
    asked('shareViewsWithAll', 'Toda a equipe'),
  ],
}

/** What the calls under a path are about, for the sentence of a refused one. */
export const areas = {
  '/api/views': 'Visões da lista',
}
