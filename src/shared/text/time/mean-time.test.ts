import { expect, test } from 'vitest'
import { meanTime } from './mean-time.ts'

test.each([
  [0, '0 s'],
  [18.4, '18 s'],
  [60, '1 min 0 s'],
  [402, '6 min 42 s'],
  [3599.6, '1 h 0 min'],
  [4320, '1 h 12 min'],
])('a mean time of %d seconds is shown as %s', (seconds, text) => {
  expect(
    meanTime(seconds)
      ?.map((part) => `${part.amount} ${part.unit}`)
      .join(' '),
  ).toBe(text)
})

test.each([null, undefined, Number.NaN])('no mean time is shown for %s', (seconds) => {
  expect(meanTime(seconds)).toBeUndefined()
})
