import { createRandom } from '#simulator/random.ts'

/** Random choices, the same for the same seed. */
export interface Dice {
  is(probability: number): boolean
  /** An integer, both ends included. */
  between(from: number, to: number): number
  pick<Item>(items: readonly Item[]): Item
}

export function createDice(seed: number): Dice {
  const random = createRandom(seed)
  return {
    is: (probability) => random() < probability,
    between: (from, to) => Math.floor(from + random() * (to - from + 1)),
    pick: <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item,
  }
}
