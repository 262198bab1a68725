/** The emojis with their Portuguese names, and the search among them. */
import * as z from 'zod/mini'
import { fold } from '#shared/text/fold.ts'
import address from './emojis.json?url'

/** @see scripts/emoji-data.ts */
const row = z.tuple([z.string(), z.number(), z.string(), z.string()], z.string())

export interface Emoji {
  emoji: string
  /** Number of the Unicode group. */
  group: number
  name: string
  /** From light to dark; empty if there is only one. */
  tones: string[]
  /** Search terms without accents, each preceded by a space. */
  words: string
}

/** The Unicode groups, in their order. */
export const categories = [
  { group: 0, icon: '😀', name: 'Sorrisos e emoções' },
  { group: 1, icon: '👋', name: 'Pessoas e corpo' },
  { group: 3, icon: '🐶', name: 'Animais e natureza' },
  { group: 4, icon: '🍔', name: 'Comida e bebida' },
  { group: 5, icon: '🚗', name: 'Viagens e lugares' },
  { group: 6, icon: '⚽', name: 'Atividades' },
  { group: 7, icon: '💡', name: 'Objetos' },
  { group: 8, icon: '💯', name: 'Símbolos' },
  { group: 9, icon: '🏁', name: 'Bandeiras' },
] as const

export const skinTones = ['Padrão', 'Clara', 'Morena clara', 'Morena', 'Morena escura', 'Escura'] as const

/** @throws when they cannot be loaded; a later call tries again */
export async function fetchEmojis(): Promise<Emoji[]> {
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(`the emojis answered ${answer.status}`)
  return emojisIn(await answer.json())
}

export function emojisIn(data: unknown): Emoji[] {
  return z
    .array(row)
    .parse(data)
    .map(([emoji, group, name, tags, tones]) => ({
      emoji,
      group,
      name,
      tones: tones?.split(' ') ?? [],
      words: ` ${fold(`${name} ${tags}`)}`,
    }))
}

/** The emojis that have a word beginning with each search term; matches in the name come first. */
export function findEmojis(all: readonly Emoji[], search: string): Emoji[] {
  const asked = fold(search).split(/\s+/).filter(Boolean)
  const found = all.filter(({ words }) => asked.every((word) => words.includes(` ${word}`)))
  const rank = ({ words }: Emoji) => words.indexOf(` ${asked[0] ?? ''}`)
  const isNamed = ({ name, words }: Emoji) => words.indexOf(` ${asked[0] ?? ''}`) < name.length
  return found.toSorted(
    (a, b) => Number(isNamed(b)) - Number(isNamed(a)) || (isNamed(a) ? rank(a) - rank(b) : 0),
  )
}

/** @param tone 0 for the default */
export function toned({ emoji, tones }: Emoji, tone: number): string {
  return tones[tone - 1] ?? emoji
}
