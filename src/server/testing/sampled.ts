import { createRandom } from '#simulator/random.ts'

/** `npm run test:whole`: nothing is left out. Every other run takes a share of what takes minutes, another each time. */
const isWhole = process.env['TESTS'] === 'whole'

/** So many rounds of something that is the same each time. */
export const rounds = (whole: number, share: number): number => (isWhole ? whole : share)

/** So many of these, in their order; whoever tests them says in each assertion which one it was. */
export function sampled<T>(items: readonly T[], share: number): readonly T[] {
  if (isWhole || items.length <= share) return items
  const random = createRandom(Date.now())
  const chosen = new Set(
    items
      .map((_, index) => ({ index, at: random() }))
      .toSorted((a, b) => a.at - b.at)
      .slice(0, share)
      .map(({ index }) => index),
  )
  return items.filter((_, index) => chosen.has(index))
}
