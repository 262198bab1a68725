// The words of the file that the audit exports.

/** The columns of the file. */
export const csvHead = [
  'Registro',
  'Quando',
  'Pessoa',
  'Perfil',
  'O que aconteceu',
  'Resultado',
  'Vezes',
  'Mudanças',
  'Objeto',
  'Id do objeto',
  'Endereço',
  'Aparelho',
  'Ação',
  'Lugar na corrente',
  'Elo',
] as const

export const outcomeNames = { done: 'Feito', refused: 'Recusado' } as const

/** Instead of what was changed. */
export const erasedValues = 'dados pessoais apagados'
