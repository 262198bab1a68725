/** The names of the columns. An import knows them again. */
export const exportHead = [
  'Nome',
  'Telefone',
  'Email',
  'Empresa',
  'Categoria',
  'Etiquetas',
  'Notas',
  'Bloqueado',
  'Criado em',
] as const

/** The last column, where there are sectors. */
export const exportedSector = 'Setor fixo'

/** A cell of the column 'Bloqueado'. */
export const blockedCell = (isBlocked: boolean): string => (isBlocked ? 'Sim' : 'Não')
