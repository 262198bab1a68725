import { hashKey } from '@tanstack/react-query'

const hash = (value: unknown) => hashKey([value])
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Counts the changes between two values of a setting as a person does who made them: each field of an object,
 * each element added to a list or removed from it, each field of a changed element; another order is one.
 */
export function countChanges(before: unknown, after: unknown): number {
  if (hash(before) === hash(after)) return 0
  if (Array.isArray(before) && Array.isArray(after)) return countInList(before, after)
  if (!isObject(before) || !isObject(after)) return 1
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...keys].reduce((sum, key) => {
    // A file is replaced as a whole.
    const [one, other] = [before[key], after[key]]
    return sum + (key === 'file' ? Number(hash(one) !== hash(other)) : countChanges(one, other))
  }, 0)
}

function countInList(before: readonly unknown[], after: readonly unknown[]): number {
  const gone = without(before, after)
  const come = without(after, before)
  if (gone.length === 0 && come.length === 0) return 1
  const changed = isObject(gone[0]) ? Math.min(gone.length, come.length) : 0
  const fields = gone.slice(0, changed).reduce<number>((sum, one, n) => sum + countChanges(one, come[n]), 0)
  return fields + (gone.length - changed) + (come.length - changed)
}

/** The elements of a list that the other does not have; of equal ones, those that are too many. */
function without(list: readonly unknown[], other: readonly unknown[]): unknown[] {
  const left = other.map(hash)
  return list.filter((one) => {
    const at = left.indexOf(hash(one))
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}
