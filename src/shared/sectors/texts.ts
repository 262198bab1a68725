import { always, asked } from '#shared/text/rights/controls.ts'

/** Why a request is refused: its HTTP status, and what is said. */
export const errors = {
  'sectors.not_found': [404, 'Setor não encontrado'],
  'sectors.unknown': [422, 'Setor não encontrado'],
  'sectors.inactive': [422, 'O setor {name} está inativo e não recebe novas conversas.'],
  'sectors.other_number': [422, 'O setor {name} não atende este número.'],
  'sectors.duplicate': [409, 'Já existe o setor ‘{name}’'],
  'sectors.too_many': [409, 'Há {most} setores, e não cabem mais. Exclua um que não se usa.'],
  'sectors.changed': [409, 'Um colega mudou este setor enquanto você editava.'],
  'sectors.needs_target': [409, 'Escolha para onde vai o que este setor tem.'],
  'sectors.person_unavailable': [422, 'Uma das pessoas foi bloqueada ou excluída.'],
  'sectors.unknown_number': [422, 'Um dos números não existe mais.'],
  'sectors.order_changed': [409, 'Um colega criou ou excluiu um setor. Confira a ordem e salve de novo.'],
} as const

/** What its screens offer. */
export const controls = {
  '/setores': [
    asked('manageSectors', 'Novo setor'),
    always('runSector', 'Salvar'),
    always('manageSectors', 'Excluir setor'),
  ],
}

/** What its fields are called where the audit log shows a change. */
export const fields = {
  numberIds: 'Números',
  people: 'Pessoas',
  leads: 'Responsáveis',
  maxActivePerOperator: 'Limite por pessoa',
}

/** What the calls under a path are about, for the sentence of a refused one. */
export const areas = {
  '/api/sectors': 'Setores',
}

export const flagTexts = {
  canManageSectors: {
    group: 'Sistema',
    label: 'Gerenciar setores',
    purpose: 'Criar e mudar setores, suas pessoas, horários e textos',
  },
}
