import { expect, test } from 'vitest'
import {
  clockDate,
  clockTime,
  clockTimeWithSeconds,
  dateTime,
  daySeparator,
  setTimeZone,
  timeZone,
} from './dates.ts'

const now = Date.parse('2026-11-19T17:32:08Z')

test('the top bar says the day and the time of São Paulo', () => {
  expect(`${clockDate(now)} ${clockTimeWithSeconds(now)}`).toBe('qui., 19/11/2026 14:32:08')
})

test('midnight is 00:00, never 24:00', () => {
  expect(clockTime('2026-11-19T03:00:00Z')).toBe('00:00')
})

test.each([
  ['2026-11-19T03:00:00Z', 'Hoje'],
  ['2026-11-19T02:59:59Z', 'Ontem'],
  ['2026-11-18T03:00:00Z', 'Ontem'],
  ['2026-11-17T12:00:00Z', 'terça-feira'],
  ['2026-11-13T12:00:00Z', 'sexta-feira'],
  ['2026-11-12T12:00:00Z', '12/11/2026'],
  ['2025-11-19T12:00:00Z', '19/11/2025'],
  ['2026-11-20T12:00:00Z', '20/11/2026'],
])('the day separator of %s is %s', (instant, words) => {
  expect(daySeparator(instant, now)).toBe(words)
})

test('an invalid date is shown as such', () => {
  expect(clockTime('ontem')).toBe('Data inválida')
  expect(dateTime('')).toBe('Data inválida')
})

test('every date is in the zone of the installation, and one that no browser knows changes nothing', () => {
  try {
    setTimeZone('America/Manaus')
    expect(`${clockDate(now)} ${clockTimeWithSeconds(now)}`).toBe('qui., 19/11/2026 13:32:08')
    expect(daySeparator('2026-11-19T03:30:00Z', now)).toBe('Ontem')
    setTimeZone('America/Atlantida')
    expect([clockTime(now), timeZone()]).toEqual(['13:32', 'America/Manaus'])
  } finally {
    setTimeZone('America/Sao_Paulo')
  }
})
