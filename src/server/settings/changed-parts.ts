import { isDeepStrictEqual } from 'node:util'
import type { Change } from '#shared/text/audit/telling.ts'

/** What differs of a setting before and after: of a list the entries, of an object the fields. */
export function changedParts(before: unknown, after: unknown): Change {
  if (Array.isArray(before) && Array.isArray(after)) {
    const [gone, come] = [withoutThose(before, after), withoutThose(after, before)]
    // The same entries in another order.
    return gone.length + come.length === 0 ? [before, after] : [gone, come]
  }
  if (!isObject(before) || !isObject(after)) return [before, after]
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !isDeepStrictEqual(before[name], after[name]),
  )
  const part = (value: Record<string, unknown>) =>
    Object.fromEntries(names.map((name) => [name, value[name]]))
  return [part(before), part(after)]
}

const withoutThose = (list: unknown[], others: unknown[]) =>
  list.filter((one) => !others.some((other) => isDeepStrictEqual(one, other)))

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
