import { getTableColumns, is, Table } from 'drizzle-orm'
import { schema } from '#server/schema/schema.ts'

/** A number in [0, 1); a seeded one makes a run repeatable. */
type Random = () => number

/** Unexpected texts that have broken databases, logs, screens, shells or parsers. */
export const strangeTexts: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud83d',
  '\udc00x',
  '\u202eabc\u200b\ufeff',
  `Z${'\u0335\u0321\u0489'.repeat(300)}`,
  'ﷺ'.repeat(300),
  '😀'.repeat(100),
  'a\r\nSet-Cookie: x=1\u2028b',
  '__proto__',
  'constructor',
  "'; drop table messages; --",
  '%_\\',
  '$1 $& ::text',
  '{{constructor.constructor("x")()}}',
  '<img src=x onerror=alert(1)>',
  '../../etc/passwd',
  '..%2f..%2f',
  '%00',
  '1e3',
  '１２',
  '0x10',
  '-1',
  '1;',
  '1 ',
  '2147483648',
  '9223372036854775808',
  'NaN',
  'null',
  'true',
  '{"a":1}',
  '9'.repeat(400),
  'x'.repeat(70_000),
]

const strangeNumbers: readonly number[] = [
  0,
  -0,
  -1,
  1.5,
  1e3,
  1e308,
  -1e308,
  5e-324,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  2 ** 53 + 2,
  2 ** 63,
]

/** Keys that a body must not be able to set: the names of all columns, and of inherited properties. */
export const foreignKeys: readonly string[] = [
  ...new Set(
    Object.values(schema)
      .filter((one) => is(one, Table))
      .flatMap((table) =>
        Object.entries(getTableColumns(table)).flatMap(([key, column]) => [key, column.name]),
      ),
  ),
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
]

const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T

/** A random JSON value of at most this depth. */
export function anything(random: Random, depth: number): unknown {
  const dice = Math.floor(random() * (depth > 0 ? 10 : 6))
  if (dice < 2) return pick(random, strangeTexts)
  if (dice < 4) return pick(random, strangeNumbers)
  if (dice < 6) return pick(random, [null, true, false, {}, []])
  const some = Array.from({ length: Math.floor(random() * 5) }, () => anything(random, depth - 1))
  return dice < 8 ? some : record(some.map((value) => [pick(random, foreignKeys), value]))
}

/** Damages a value in one place: another type, a missing or additional key, or an unbounded value. */
export function damaged(random: Random, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || random() < 0.1) return anything(random, 3)
  const entries = Object.entries(value)
  const at = Math.floor(random() * entries.length)
  const [name, inner] = entries[at] ?? ['', undefined]
  const without = entries.filter((_, index) => index !== at)
  switch (Math.floor(random() * 7)) {
    case 0:
      return record(without)
    case 1:
      return record([
        ...entries,
        ...foreignKeys.map((key): [string, unknown] => [key, pick(random, [1, 'admin', true, null])]),
      ])
    case 2:
      return record([...entries, [pick(random, foreignKeys), anything(random, 2)]])
    case 3:
      return record([...without, [name, [inner, inner]]])
    case 4:
      return record([...without, [name, { [name]: inner }]])
    case 5:
      return record([...without, [name, pick(random, strangeTexts)]])
    default:
      return record([
        ...without,
        [name, random() < 0.3 ? damaged(random, inner) : pick(random, strangeNumbers)],
      ])
  }
}

/** Defines the keys instead of assigning them, because a key may be `__proto__`. */
function record(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const made = {}
  for (const [key, value] of entries)
    Object.defineProperty(made, key, { value, enumerable: true, configurable: true, writable: true })
  return made
}
