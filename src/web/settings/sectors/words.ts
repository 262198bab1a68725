import { sectorPalette } from '#shared/sectors/managed-sectors.ts'
import { menuLine } from '#shared/sectors/sector-menu.ts'

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

const list = new Intl.ListFormat('pt-BR')

/** 'a', 'a e b', 'a, b e c' */
export const listedWords = (words: readonly string[]): string => list.format(words)

/** The line of the client's menu, as it is typed. */
export const typedMenuLine = (place: number, name: string, description: string): string =>
  menuLine(place, { name: name.trim(), description: description.trim(), opensAt: null })
