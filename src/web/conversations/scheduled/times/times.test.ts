import { expect, test } from 'vitest'
import { atTime, dayAndTime, daysAfter, instantOf, quickTimes, shortTime } from './times.ts'

// Thursday, 19/11/2026, 14:32 in São Paulo.
const now = Date.parse('2026-11-19T17:32:08Z')

test.each([
  ['2026-11-19T18:00:00Z', 'hoje, 15:00'],
  ['2026-11-20T11:00:00Z', 'amanhã, 08:00'],
  ['2026-11-18T21:00:00Z', 'ontem, 18:00'],
  ['2026-11-21T12:00:00Z', 'sáb., 21/11, 09:00'],
  ['2027-01-04T12:00:00Z', 'seg., 04/01/2027, 09:00'],
])('the instant %s is shown as %s', (instant, shown) => {
  expect(dayAndTime(instant, now)).toBe(shown)
})

test('a sentence and a button name a time in their own ways', () => {
  expect(atTime('2031-11-21T12:00:00Z', now)).toBe('sex., 21/11/2031, às 09:00')
  expect(shortTime('2026-11-21T12:00:00Z')).toBe('21/11, 09:00')
})

test('a date and a time are an instant in the time zone of the screens', () => {
  expect(instantOf('2026-11-21', '09:00')).toBe('2026-11-21T12:00:00.000Z')
  expect(instantOf('', '09:00')).toBeUndefined()
  expect(instantOf('2026-11-21', '')).toBeUndefined()
})

test.each([
  ['2026-11-19T17:32:08Z', ['Hoje 16:00', 'Amanhã 09:00', 'Segunda 09:00'], '2026-11-23'],
  // Late in the evening nothing of the day is left; on Sundays tomorrow is the Monday.
  ['2026-11-20T02:30:00Z', ['Amanhã 09:00', 'Segunda 09:00'], '2026-11-23'],
  ['2026-11-22T15:00:00Z', ['Hoje 13:00', 'Amanhã 09:00'], '2026-11-23'],
  ['2026-11-23T15:00:00Z', ['Hoje 13:00', 'Amanhã 09:00', 'Segunda 09:00'], '2026-11-30'],
])('at %s the times %j are offered', (at, labels, monday) => {
  const times = quickTimes(Date.parse(at))
  expect(times.map(({ label }) => label)).toEqual(labels)
  expect(times.at(-1)?.day).toBe(monday)
})

test('days are counted over the ends of months and years', () => {
  expect(daysAfter('2026-12-31', 1)).toBe('2027-01-01')
  expect(daysAfter('2028-03-01', -1)).toBe('2028-02-29')
})
