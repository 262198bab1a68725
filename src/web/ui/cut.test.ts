import { expect, test } from 'vitest'
import { cut } from './cut.ts'

test.each([
  ['', ''],
  ['x'.repeat(300), 'x'.repeat(300)],
  ['x'.repeat(301), `${'x'.repeat(300)}…`],
  ['x'.repeat(131_072), `${'x'.repeat(300)}…`],
  [`${'x'.repeat(299)}🙈!`, `${'x'.repeat(299)}…`],
])('%j is cut where it must be, and between characters', (text, shown) => {
  expect(cut(text)).toBe(shown)
})
