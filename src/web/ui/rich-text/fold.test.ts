import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldAt } from './fold.ts'

test.each([
  ['', 0],
  ['x'.repeat(3000), 3000],
  ['x'.repeat(3001), 2000],
  ['a\n'.repeat(60), 120],
  ['a\n'.repeat(61), 80],
  [`${'palavra '.repeat(400)}`, 2000],
  [`${'palavras '.repeat(400)}`, 1998],
  // Not inside of a pair of surrogates.
  [`x${'🙈'.repeat(2000)}`, 1999],
])('a part of the text %j is shown first', (text, end) => {
  expect(foldAt(text)).toBe(end)
})

test('each press shows more, at most some thousand characters, until all of it is shown', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a', 'b ', '\n', '🙈', 'x'.repeat(500)), { maxLength: 300 }),
      (bits) => {
        const text = bits.join('')
        let shown = foldAt(text)
        while (shown < text.length) {
          const next = foldAt(text, shown)
          expect(next).toBeGreaterThan(shown)
          expect(next - shown).toBeLessThanOrEqual(3000)
          shown = next
        }
        expect(shown).toBe(text.length)
      },
    ),
  )
})
