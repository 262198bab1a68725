import { expect, test } from 'vitest'
import { percentOf, usedText, sizeText } from './words.ts'

test.each([
  [0, '0 Bytes'],
  [1, '1 Bytes'],
  [1023, '1.023 Bytes'],
  [1024, '1,00 KB'],
  [1024 ** 2 - 1, '1.024,00 KB'],
  [1024 ** 2, '1,00 MB'],
  [767_012_454, '731,48 MB'],
  [1024 ** 3, '1,00 GB'],
  // There is no larger unit.
  [5 * 1024 ** 4, '5.120,00 GB'],
])('a size of %i bytes is shown as %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text)
})

test.each([
  [71.4, '71,4% de 1 GB usado'],
  [0, '0,0% de 1 GB usado'],
  [142.26, '142,3% de 1 GB usado'],
])('a use of %f percent is shown as %s', (percent, text) => {
  expect(usedText(percent)).toBe(text)
})

test.each([
  [0, 0, 0],
  [999, 1000, 99],
  [1000, 1000, 100],
  // What was counted before may have grown.
  [12, 10, 100],
])('%i of %i are %i percent', (done, total, percent) => {
  expect(percentOf(done, total)).toBe(percent)
})
