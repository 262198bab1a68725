import { expect, test } from 'vitest'
import type { Schedule } from '#shared/settings/schedule.ts'
import { openMsBetween } from '#shared/settings/working-hours.ts'
import { openTime } from './open-time.ts'

const usual: Schedule = {
  workingHours: { start: '09:00', end: '18:00', days: [1, 2, 3, 4, 5] },
  lunchBreak: { enabled: true, start: '12:00', end: '13:00' },
  timezone: 'America/Sao_Paulo',
  scheduleExceptions: [
    { date: '2026-11-20', hours: null, message: '' },
    { date: '2026-11-21', hours: { start: '22:00', end: '02:00' }, message: '' },
  ],
}
const schedules: Record<string, Schedule> = {
  usual,
  'past midnight': { ...usual, workingHours: { start: '20:00', end: '04:00', days: [0, 5, 6] } },
  'a clock that is set back': { ...usual, timezone: 'America/New_York' },
}
const at = (text: string) => Date.parse(text)

test.each(Object.entries(schedules))('%s: as each change says, found one by one', (_, schedule) => {
  const [fromMs, toMs] = [at('2026-10-28T00:00:00Z'), at('2026-11-25T00:00:00Z')]
  const open = openTime(schedule, fromMs, toMs)
  for (let from = fromMs; from < toMs; from += 17 * 3_600_000 + 1234)
    for (const length of [0, 1, 59_999, 3_600_000, 86_400_000, 9 * 86_400_000]) {
      const to = Math.min(from + length, toMs)
      expect(open.between(from, to)).toBe(openMsBetween(schedule, new Date(from), new Date(to)))
    }
})

test('the open time is nothing backwards, and everything without a pause', () => {
  const always: Schedule = {
    ...usual,
    workingHours: { start: '00:00', end: '23:59', days: [0, 1, 2, 3, 4, 5, 6] },
    lunchBreak: { enabled: false, start: '12:00', end: '13:00' },
    scheduleExceptions: [],
  }
  const [from, to] = [at('2026-11-02T12:00:00Z'), at('2026-11-02T20:00:00Z')]
  expect(openTime(always, from, to).between(from, to)).toBe(to - from)
  expect(openTime(always, from, to).between(to, from)).toBe(0)
})
