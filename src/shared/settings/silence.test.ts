import { expect, test } from 'vitest'
import type { Schedule } from './schedule.ts'
import { silenceAt } from './silence.ts'
import { type SilentHours, silentHours } from './silent-hours.ts'

const schedule: Schedule = {
  workingHours: { start: '09:00', end: '18:00', days: [1, 2, 3, 4, 5] },
  lunchBreak: { enabled: true, start: '12:00', end: '13:00' },
  timezone: 'America/Sao_Paulo',
  scheduleExceptions: [{ date: '2026-03-04', hours: null, message: '' }],
}
const nights: SilentHours = {
  mode: 'hours',
  start: '22:00',
  end: '07:00',
  days: [1, 2, 3, 4, 5],
  daysOff: [],
  mentions: false,
}
/** A local time in São Paulo, three hours behind; 2026-03-02 is a Monday. */
const at = (local: string) => new Date(`${local}-03:00`)
const until = (silent: SilentHours, local: string, hours = schedule) => {
  const found = silenceAt(silent, hours, at(local))
  return found && (found.until?.toISOString() ?? null)
}
const instant = (local: string) => at(local).toISOString()

test('silent hours over midnight include their first minute, and end with the last', () => {
  expect(until(nights, '2026-03-02T21:59:59')).toBeUndefined()
  expect(until(nights, '2026-03-02T22:00:00')).toBe(instant('2026-03-03T07:00'))
  expect(until(nights, '2026-03-03T00:00:00')).toBe(instant('2026-03-03T07:00'))
  expect(until(nights, '2026-03-03T06:59:59')).toBe(instant('2026-03-03T07:00'))
  expect(until(nights, '2026-03-03T07:00:00')).toBeUndefined()
})

test('a night belongs to the day on which it begins', () => {
  // From Friday on, and not from Sunday on.
  expect(until(nights, '2026-03-07T03:00')).toBe(instant('2026-03-07T07:00'))
  expect(until(nights, '2026-03-07T23:00')).toBeUndefined()
  expect(until(nights, '2026-03-02T03:00')).toBeUndefined()
})

test('silent hours within one day end on it', () => {
  const siesta = { ...nights, start: '12:30', end: '13:30' }
  expect(until(siesta, '2026-03-02T12:29')).toBeUndefined()
  expect(until(siesta, '2026-03-02T12:30')).toBe(instant('2026-03-02T13:30'))
  expect(until(siesta, '2026-03-02T13:30')).toBeUndefined()
})

test('a day off is quiet from midnight to midnight, and joins the nights beside it', () => {
  const off = { ...nights, days: [0, 5], daysOff: [6, 0] }
  expect(until(off, '2026-03-06T21:59')).toBeUndefined()
  // Friday night, Saturday, Sunday, and the night that begins on Sunday.
  expect(until(off, '2026-03-06T22:00')).toBe(instant('2026-03-09T07:00'))
  expect(until(off, '2026-03-08T12:00')).toBe(instant('2026-03-09T07:00'))
  expect(until({ ...off, days: [] }, '2026-03-08T23:59:59')).toBe(instant('2026-03-09T00:00'))
  expect(until({ ...off, days: [] }, '2026-03-09T00:00')).toBeUndefined()
})

test('a week without a loud minute has no end', () => {
  const always = { ...nights, days: [], daysOff: [0, 1, 2, 3, 4, 5, 6] }
  expect(until(always, '2026-03-02T12:00')).toBeNull()
})

test('outside of the opening hours means lunch, closed days and exceptions, too', () => {
  const closed = { ...nights, mode: 'closed' as const }
  expect(until(closed, '2026-03-02T08:59:59')).toBe(instant('2026-03-02T09:00'))
  expect(until(closed, '2026-03-02T09:00')).toBeUndefined()
  expect(until(closed, '2026-03-02T12:00')).toBe(instant('2026-03-02T13:00'))
  // Wednesday is a holiday.
  expect(until(closed, '2026-03-03T18:00')).toBe(instant('2026-03-05T09:00'))
  expect(until(closed, '2026-03-06T18:00')).toBe(instant('2026-03-09T09:00'))
})

test('silent hours that are off are never on', () => {
  expect(until({ ...nights, mode: 'off' }, '2026-03-02T23:00')).toBeUndefined()
})

test('silent hours are those of the time zone of the installation', () => {
  const manaus: Schedule = { ...schedule, timezone: 'America/Manaus' }
  expect(until(nights, '2026-03-02T22:30', manaus)).toBeUndefined()
  expect(until(nights, '2026-03-02T23:00', manaus)).toBe(instant('2026-03-03T08:00'))
})

test('a night in which clocks are set forward ends by the clock on the wall', () => {
  const newYork: Schedule = { ...schedule, timezone: 'America/New_York' }
  const found = silenceAt({ ...nights, days: [6] }, newYork, new Date('2026-03-08T05:00:00Z'))
  expect(found?.until?.toISOString()).toBe('2026-03-08T11:00:00.000Z')
})

test('silent hours say whether mentions are announced', () => {
  const found = silenceAt({ ...nights, mentions: true }, schedule, at('2026-03-02T23:00'))
  expect(found?.mentions).toBe(true)
})

test('silent hours without a day, or of no length, are refused in words', () => {
  const refused = (change: Partial<SilentHours>) =>
    silentHours.safeParse({ ...nights, ...change }).error?.issues.map(({ message }) => message)
  expect(refused({ days: [] })).toEqual(['Escolha pelo menos um dia'])
  expect(refused({ end: '22:00' })).toEqual([
    'O fim é igual ao início; para o dia inteiro, marque-o como dia de folga',
  ])
  expect(refused({ start: '24:00' })).toEqual(['Use o formato hh:mm, como 22:00'])
  expect(refused({ days: [], daysOff: [0], end: '22:00' })).toBeUndefined()
  expect(refused({ mode: 'closed', days: [] })).toBeUndefined()
})
