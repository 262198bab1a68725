/** The emojis with their Portuguese names, and what is found among them. */
import * as z from 'zod/mini'
import { fold } from '#shared/fold.ts'
import address from './emojis.json?url'

/** @see scripts/emoji-data.ts */
const row = z.tuple([z.string(), z.number(), z.string(), z.string()], z.string())

export interface Emoji {
  emoji: string
  /** Of Unicode's groups. */
  group: number
  name: string
  /** From light to dark; empty where there is only one. */
  tones: string[]
  /** What it is found by, without accents: each word after a space. */
  words: string
}

/** By Unicode's groups, in their order. */
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

/** @throws when they cannot be had; asked again, they are fetched again */
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

/** Those with a word for each of the asked ones, begun alike; what is named so comes first. */
export function findEmojis(all: readonly Emoji[], search: string): Emoji[] {
  const asked = fold(search).split(/\s+/).filter(Boolean)
  const found = all.filter(({ words }) => asked.every((word) => words.includes(` ${word}`)))
  const rank = ({ words }: Emoji) => words.indexOf(` ${asked[0] ?? ''}`)
  const isNamed = ({ name, words }: Emoji) => words.indexOf(` ${asked[0] ?? ''}`) < name.length
  return found.toSorted(
    (a, b) => Number(isNamed(b)) - Number(isNamed(a)) || (isNamed(a) ? rank(a) - rank(b) : 0),
  )
}

/** @param tone 0: as it stands */
export function toned({ emoji, tones }: Emoji, tone: number): string {
  return tones[tone - 1] ?? emoji
}
