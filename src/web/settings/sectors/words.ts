import { sectorPalette } from '#shared/sectors/managed-sectors.ts'

/** What the colours are called. */
export const colorNames: Record<(typeof sectorPalette)[number], string> = {
  '#0d9488': 'Verde-azulado',
  '#2563eb': 'Azul',
  '#ea580c': 'Laranja',
  '#9333ea': 'Roxo',
  '#db2777': 'Rosa',
  '#16a34a': 'Verde',
  '#ca8a04': 'Amarelo',
  '#64748b': 'Cinza',
}

export const counted = (count: number, one: string, many: string) =>
  `${count.toLocaleString('pt-BR')} ${count === 1 ? one : many}`

export const peopleWords = (count: number) => counted(count, 'pessoa', 'pessoas')
export const openWords = (count: number) => counted(count, 'aberta', 'abertas')

/** 'a', 'a e b', 'a, b e c' */
export function listedWords(words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} e ${last}`
}

/** The line of the client's menu: '1 - Comercial: preços, pedidos e prazos'. */
export function menuLine(place: number, name: string, description: string): string {
  const said = description.trim()
  // As the end of a sentence, unless it begins with an abbreviation.
  const [first = '', second = ''] = said
  const lowered =
    second === second.toLocaleUpperCase('pt-BR') ? said : first.toLocaleLowerCase('pt-BR') + said.slice(1)
  return `${place} - ${name.trim()}${said === '' ? '' : `: ${lowered}`}`
}
