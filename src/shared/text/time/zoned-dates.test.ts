import { expect, test } from 'vitest'
import { daysBefore, periodText, zonedDates } from './zoned-dates.ts'

const noronha = zonedDates('America/Noronha')
const paulo = zonedDates('America/Sao_Paulo')
const now = Date.parse('2026-11-19T17:32:08Z')

test('days and times are those of the zone', () => {
  expect(paulo.time('2026-11-19T17:32:08.500Z')).toBe('14:32:08')
  expect(noronha.time('2026-11-19T17:32:08.500Z')).toBe('15:32:08')
  expect(paulo.dateTime('2026-11-19T02:59:00Z')).toBe('18/11/2026 23:59')
  expect(noronha.day('2026-11-19T02:59:00Z')).toBe('2026-11-19')
})

test.each([
  ['2026-11-19T03:00:00Z', 'Hoje'],
  ['2026-11-19T02:59:59Z', 'Ontem, 18/11'],
  ['2026-11-17T12:00:00Z', 'terça-feira, 17/11'],
  ['2026-11-13T12:00:00Z', 'sexta-feira, 13/11'],
  ['2026-11-12T12:00:00Z', '12/11/2026'],
  ['2026-11-20T12:00:00Z', '20/11/2026'],
])('the day of %s is %s', (instant, name) => expect(paulo.dayName(instant, now)).toBe(name))

test.each([
  [undefined, undefined, undefined],
  ['2026-11-12', '2026-11-19', '12/11 a 19/11/2026'],
  ['2025-12-30', '2026-01-02', '30/12/2025 a 02/01/2026'],
  ['2026-11-12', '2026-11-12', '12/11/2026'],
  ['2026-11-12', undefined, 'desde 12/11/2026'],
  [undefined, '2026-11-12', 'até 12/11/2026'],
])('the period from %s to %s is %s', (from, to, text) => expect(periodText(from, to)).toBe(text))

test('days are counted back over months', () => expect(daysBefore('2026-03-02', 6)).toBe('2026-02-24'))
