import { asked } from '#shared/text/rights/controls.ts'

/** Why a request is refused: its HTTP status, and what is said. */
export const errors = {
  'macros.not_found': [404, 'Macro não encontrada'],
  'macros.not_yours': [403, 'Esta macro é de outras pessoas. Duplique-a e mude a cópia.'],
  'macros.may_not_share': [403, 'Você não pode compartilhar esta macro com essas pessoas.'],
  'macros.duplicate': [409, 'Já existe a macro ‘{name}’'],
  'macros.duplicate_shortcut': [409, 'O atalho /{shortcut} já é da macro ‘{name}’'],
  'macros.changed': [409, 'Um colega mudou esta macro enquanto você editava.'],
  'macros.too_many': [409, 'Há {most} macros, e não cabem mais. Exclua uma que não se usa.'],
  'macros.changed_before_run': [409, 'A macro mudou depois que você a abriu. Confira os passos de novo.'],
  'macros.run_meanwhile': [409, '{who} acabou de rodar a macro ‘{name}’ nesta conversa. Nada foi repetido.'],
  'macros.of_others': [403, 'Esta macro é de um setor do qual você não faz parte.'],
  'macros.run_taken': [409, 'Este pedido já foi usado. Abra a macro de novo.'],
  'macros.no_value': [422, 'Falta o valor de {fields}'],
  'macros.file_gone': [422, 'O arquivo {name} não existe mais'],
  'macros.unknown_field': [422, 'Campo desconhecido: {fields}'],
  'macros.gone_tag': [422, 'A etiqueta não existe mais'],
  'macros.gone_category': [422, 'A categoria não existe mais'],
  'macros.gone_sector': [422, 'O setor não existe mais'],
  'macros.gone_person': [422, 'A pessoa não existe mais'],
  'macros.step_forbidden': [403, 'Você não tem permissão para este passo'],
  'macros.nothing_left': [422, 'Sem o arquivo não sobra nenhum passo.'],
  'macros.not_skippable': [422, 'Só um arquivo pode ficar de fora.'],
} as const

/** What its screens offer. */
export const controls = {
  '/settings': [asked('shareMacros', 'Quem usa'), asked('shareMacrosWithAll', 'Todos')],
}

/** What its fields are called where the audit log shows a change. */
export const fields = {
  shortcut: 'Atalho',
  steps: 'Passos',
}

/** What the calls under a path are about, for the sentence of a refused one. */
export const areas = {
  '/api/macros': 'Macros',
}
