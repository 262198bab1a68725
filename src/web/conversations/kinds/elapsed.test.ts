import { expect, test } from 'vitest'
import { elapsed } from './measures.ts'

test.each([
  [0, 'menos de 1 min'],
  [1, '1 min'],
  [59, '59 min'],
  [60, '1 h'],
  [72, '1 h 12 min'],
  [24 * 60, '1 d'],
  [51 * 60 + 5, '2 d 3 h'],
])('an elapsed time of %d minutes is shown as %s', (minutes, text) => {
  expect(elapsed(minutes)).toBe(text)
})
