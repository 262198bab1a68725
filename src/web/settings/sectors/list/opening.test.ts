import { expect, test } from 'vitest'
import { opensWords } from './opening.ts'

const now = Date.parse('2026-11-19T17:32:00Z')

test.each([
  ['later today', '2026-11-19T21:00:00Z', 'abre às 18:00'],
  ['tomorrow, by the clock of the company', '2026-11-20T11:00:00Z', 'abre amanhã 08:00'],
  ['after the weekend', '2026-11-23T11:00:00Z', 'abre seg., 23/11 08:00'],
])('a closed sector says that it opens %s', (_when, at, words) => {
  expect(opensWords(at, now, 'America/Sao_Paulo')).toBe(words)
})
