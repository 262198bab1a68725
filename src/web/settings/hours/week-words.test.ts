import { expect, test } from 'vitest'
import type { Schedule } from '#shared/settings/schedule.ts'
import { openWeek } from '#shared/settings/working-hours.ts'
import { weekWords } from './week-words.ts'

const schedule: Schedule = {
  workingHours: { start: '08:00', end: '18:00', days: [1, 2, 3, 4, 5] },
  lunchBreak: { enabled: false, start: '12:00', end: '13:00' },
  timezone: 'America/Sao_Paulo',
  scheduleExceptions: [],
}
const { workingHours } = schedule
const saturday = { day: 6, start: '08:00', end: '12:00', lunch: 'usual' } as const
const wednesday = { ...saturday, day: 3, start: '00:00', end: '00:00' }

test.each<[string, Partial<Schedule>]>([
  ['Seg a Sex 08:00–18:00', {}],
  [
    'Seg a Sex 08:00–18:00 · Sáb 08:00–12:00',
    { workingHours: { ...workingHours, differentDays: [saturday] } },
  ],
  [
    'Seg a Ter 08:00–18:00 · Qua 00:00–24:00 · Qui a Sex 08:00–18:00',
    { workingHours: { ...workingHours, differentDays: [wednesday] } },
  ],
  ['Seg 08:00–18:00 · Dom 08:00–18:00', { workingHours: { ...workingHours, days: [0, 1] } }],
  [
    'Seg 08:00–12:00, 13:00–18:00',
    {
      workingHours: { ...workingHours, days: [1] },
      lunchBreak: { enabled: true, start: '12:00', end: '13:00' },
    },
  ],
  ['Fechado', { workingHours: { ...workingHours, days: [] } }],
])('the hours of a week are told as "%s"', (words, change) => {
  expect(weekWords(openWeek({ ...schedule, ...change })).join(' · ')).toBe(words)
})
