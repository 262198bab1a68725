import { createHash } from 'node:crypto'
import type { Principal } from '../access/law/principals.ts'
import type { Row } from '../access/law/table.ts'

/** The flag in which a principal differs from those who have all flags, or none. */
const ownFlag = (name: string) => / (?:only|all but) (\w+)$/.exec(name)?.[1]

/**
 * The callers by whom a row is tried in a short run, in their order: whoever is not told apart by one flag,
 * or by a flag that the row names, and `others` of the rest, at even distances from one that the id of the
 * row decides. So a run is repeated by the next one, and all rows together meet everybody.
 */
export function sampleCallers<Caller extends { principal: Principal }>(
  callers: readonly Caller[],
  { id, flags }: Pick<Row, 'id' | 'flags'>,
  others: number,
): readonly Caller[] {
  const named = new Set(flags.flat())
  const isTelling = ({ principal }: Caller) => {
    const flag = ownFlag(principal.name)
    return flag === undefined || named.has(flag)
  }
  const rest = callers.filter((caller) => !isTelling(caller))
  const first = createHash('sha256').update(id).digest().readUInt32BE()
  const count = Math.min(others, rest.length)
  const places = Array.from({ length: count }, (_, n) => Math.floor((n * rest.length) / count) + first)
  const chosen = new Set(places.map((place) => rest[place % rest.length]))
  return callers.filter((caller) => isTelling(caller) || chosen.has(caller))
}
