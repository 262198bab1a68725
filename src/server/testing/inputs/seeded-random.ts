import { randomInt } from 'node:crypto'
import { createRandom, type Random } from '#simulator/random.ts'

/** Random numbers for a test; their seed is printed under its name. */
export const seededRandom = (name: string): Random => createRandom(newSeed(name))

/** A seed, printed under the name: the one of SEED, with which a run is repeated, or else a new one. */
export function newSeed(name: string): number {
  const seed = Number(process.env['SEED'] ?? randomInt(2 ** 32))
  console.info(`${name}: SEED=${seed}`)
  return seed
}
