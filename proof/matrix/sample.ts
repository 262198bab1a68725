import type { Random } from '#simulator/random.ts'
import type { Row } from '../access/law/table.ts'
import type { Caller } from '../access/world/people.ts'

/** The flag in which a principal differs from those who have all flags, or none. */
const ownFlag = (name: string) => / (?:only|all but) (\w+)$/.exec(name)?.[1]

/**
 * The callers by whom a row is tried in a short run, in their order: whoever is not told apart by one flag,
 * or by a flag that the row names, and `others` of the rest, by chance.
 */
export function sampleCallers(
  callers: readonly Caller[],
  row: Row,
  { others, random }: { others: number; random: Random },
): readonly Caller[] {
  const named = new Set(row.flags.flat())
  const isTelling = ({ principal }: Caller) => {
    const flag = ownFlag(principal.name)
    return flag === undefined || named.has(flag)
  }
  const rest = callers.filter((caller) => !isTelling(caller))
  const chosen = new Set<Caller>()
  while (chosen.size < Math.min(others, rest.length)) {
    const one = rest[Math.floor(random() * rest.length)]
    if (one) chosen.add(one)
  }
  return callers.filter((caller) => isTelling(caller) || chosen.has(caller))
}
