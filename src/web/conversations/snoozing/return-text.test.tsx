// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { returnText } from './return-text.ts'

const now = Date.parse('2026-11-19T17:32:08Z')

test.each([
  ['2026-11-19T17:44:00Z', 'em 12 min'],
  ['2026-11-19T17:32:20Z', 'em 1 min'],
  ['2026-11-19T17:32:00Z', 'em 1 min'],
  ['2026-11-19T18:32:00Z', 'em 60 min'],
  ['2026-11-19T20:00:00Z', 'hoje, 17:00'],
  ['2026-11-20T12:00:00Z', 'amanhã, 09:00'],
  ['2026-11-23T12:00:00Z', '23/11, 09:00'],
  ['2027-01-04T12:00:00Z', '04/01/2027, 09:00'],
])('a return at %s is told as %s', (until, text) => {
  expect(returnText(until, now)).toBe(text)
})
