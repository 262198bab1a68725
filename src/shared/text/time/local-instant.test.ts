import { expect, test } from 'vitest'
import { localInstant } from './local-instant.ts'

test.each([
  ['America/Sao_Paulo', '2026-11-20', '09:00', '2026-11-20T12:00:00.000Z'],
  ['America/Manaus', '2026-11-20', '09:00', '2026-11-20T13:00:00.000Z'],
  ['Pacific/Kiritimati', '2026-01-01', '00:00', '2025-12-31T10:00:00.000Z'],
  ['Asia/Kolkata', '2026-02-28', '23:59', '2026-02-28T18:29:00.000Z'],
  // The hours beside the changes to summer time and back.
  ['America/New_York', '2026-03-08', '01:59', '2026-03-08T06:59:00.000Z'],
  ['America/New_York', '2026-03-08', '03:00', '2026-03-08T07:00:00.000Z'],
  ['America/New_York', '2026-11-01', '00:59', '2026-11-01T04:59:00.000Z'],
  ['America/New_York', '2026-11-01', '02:00', '2026-11-01T07:00:00.000Z'],
])('in %s the local time %s %s is the instant %s', (zone, day, time, instant) => {
  expect(new Date(localInstant(zone, day, time)).toISOString()).toBe(instant)
})

test.each([
  ['', '09:00'],
  ['2026-13-40', '09:00'],
  ['2026-11-20', ''],
  ['2026-11-20', '25:00'],
])('the date %j with the time %j is no instant', (day, time) => {
  expect(localInstant('America/Sao_Paulo', day, time)).toBeNaN()
})
