/** Pseudo-random draws, the same at every start for the same seed. */
export interface Dice {
  /** In [0, 1). */
  next(): number
  /** True with this probability. */
  chance(share: number): boolean
  /** An integer, both bounds inclusive. */
  between(from: number, to: number): number
  pick<T>(from: readonly T[]): T
  /** One item, drawn by weight; undefined when all weights are 0. */
  weighted<T>(from: readonly T[], weightOf: (item: T) => number): T | undefined
  /** A log-normal draw: mostly near the median, a few far above it, as human delays are. */
  around(median: number, spread: number): number
}

/** FNV-1a. */
function hashOf(words: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < words.length; at++) hash = Math.imul(hash ^ words.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/** @see https://gist.github.com/tommyettinger/46a874533244883189143505d203312c mulberry32, public domain */
export function dice(seed: string): Dice {
  let state = hashOf(seed)
  function next() {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  function pick<T>(from: readonly T[]): T {
    const item = from[Math.floor(next() * from.length)]
    if (item === undefined) throw new Error('nothing to pick from')
    return item
  }
  return {
    next,
    chance: (share) => next() < share,
    between: (from, to) => from + Math.floor(next() * (to - from + 1)),
    pick,
    weighted(from, weightOf) {
      const weights = from.map(weightOf)
      let left = next() * weights.reduce((sum, weight) => sum + weight, 0)
      return from.find((_, index) => (left -= weights[index] ?? 0) < 0)
    },
    // Box-Muller transform, then exp().
    around(median, spread) {
      const normal = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
      return median * Math.exp(spread * normal)
    },
  }
}
