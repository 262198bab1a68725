import { expect, test } from 'vitest'
import { openText } from './open-text.ts'

const now = Date.parse('2026-11-19T14:32:00-03:00')

test.each([
  [true, '2026-11-19T18:00:00-03:00', 'Aberto até 18:00'],
  [true, '2026-11-21T18:00:00-03:00', 'Aberto'],
  [true, null, 'Sempre aberto'],
  [false, '2026-11-19T15:00:00-03:00', 'Abre às 15:00'],
  [false, '2026-11-20T08:00:00-03:00', 'Abre às 08:00 de amanhã'],
  [false, '2026-11-23T08:00:00-03:00', 'Abre em 23/11 às 08:00'],
  [false, null, 'Fechado'],
])('a sector that is open (%s) until that changes at %s is said to be: %s', (isOpenNow, changesAt, text) => {
  expect(openText({ isOpenNow, changesAt }, now)).toBe(text)
})
