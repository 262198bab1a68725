import type { Result } from '../support/scenario.ts'

/** What is checked at every level. */
const properties = {
  reported: 'a run or a command that fails says so with a message, and none is without an end',
  reserve: 'below what is left for the database nothing is taken, and with room for everything all of it',
  stored: 'texts are stored while the disk is full, as long as the database can write',
  once: 'every text that was sent is stored once',
  visible: 'no file can be seen, and no backup restored, that is not what its row says',
  left: 'nothing half is left when the work has ended',
  works: 'with space again everything works, without a restart',
} as const
type Property = keyof typeof properties

/** Gathers what was checked at the levels. */
export interface Tally {
  add(property: Property, checked: number, faults: readonly string[]): void
  results(): Result[]
}

/** @param at of each fault, where it was found */
export function createTally(at: () => string): Tally {
  const names = Object.keys(properties) as Property[]
  const found = new Map(names.map((name) => [name, { checked: 0, faults: [] as string[] }]))
  return {
    add(property, checked, faults) {
      const entry = found.get(property)
      if (!entry) return
      entry.checked += Math.max(checked, faults.length)
      entry.faults.push(...faults.slice(0, 5).map((fault) => `${at()}: ${fault}`))
    },
    results: () =>
      names.map((name) => ({
        property: properties[name],
        ...(found.get(name) ?? { checked: 0, faults: [] }),
      })),
  }
}
