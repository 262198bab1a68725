import { describe, expect, test } from 'vitest'
import { schedule as scheduleSchema, type Schedule } from './schedule.ts'
import { isOpen, neverOpens, nextChange, openMsBetween, openWeek } from './working-hours.ts'

const office: Schedule = {
  workingHours: { start: '09:00', end: '18:00', days: [1, 2, 3, 4, 5] },
  lunchBreak: { enabled: true, start: '12:00', end: '13:00' },
  timezone: 'America/Sao_Paulo',
  scheduleExceptions: [],
}
const saturday = { day: 6, start: '08:00', end: '12:00', lunch: 'usual' }
const night: Schedule = {
  ...office,
  workingHours: { start: '22:00', end: '06:00', days: [1] },
  lunchBreak: { enabled: false, start: '12:00', end: '13:00' },
}
/** São Paulo is UTC-3 all year. 2026-11-23 is a Monday. */
const saoPaulo = (text: string) => new Date(`${text}-03:00`)

describe('whether somebody answers', () => {
  test.each([
    ['2026-11-23T08:59:59.999', false],
    ['2026-11-23T09:00', true],
    ['2026-11-23T11:59:59.999', true],
    ['2026-11-23T12:00', false],
    ['2026-11-23T13:00', true],
    ['2026-11-23T17:59:59.999', true],
    ['2026-11-23T18:00', false],
    ['2026-11-22T10:00', false],
    ['2026-11-28T10:00', false],
  ])('start inclusive, end exclusive, at %s: %s', (at, expected) => {
    expect(isOpen(office, saoPaulo(at))).toBe(expected)
  })

  test.each([
    ['2026-11-23T21:59', false],
    ['2026-11-23T22:00', true],
    ['2026-11-24T05:59', true],
    ['2026-11-24T06:00', false],
    ['2026-11-24T22:00', false],
    ['2026-11-23T03:00', false],
  ])('a window over midnight belongs to the day on which it begins, at %s: %s', (at, expected) => {
    expect(isOpen(night, saoPaulo(at))).toBe(expected)
  })

  test('what ends when it begins is closed', () => {
    const none = { ...office, workingHours: { ...office.workingHours, end: '09:00' } }
    expect(isOpen(none, saoPaulo('2026-11-23T09:00'))).toBe(false)
    expect(nextChange(none, saoPaulo('2026-11-23T09:00'))).toBeNull()
  })

  test('a holiday is closed, and a day with hours of its own has these and no pause', () => {
    const withDays: Schedule = {
      ...office,
      scheduleExceptions: [
        { date: '2026-11-23', hours: null, message: '' },
        { date: '2026-11-24', hours: { start: '10:00', end: '12:30' }, message: '' },
      ],
    }
    expect(isOpen(withDays, saoPaulo('2026-11-23T10:00'))).toBe(false)
    expect(isOpen(withDays, saoPaulo('2026-11-24T09:30'))).toBe(false)
    expect(isOpen(withDays, saoPaulo('2026-11-24T12:10'))).toBe(true)
    expect(isOpen(withDays, saoPaulo('2026-11-24T12:30'))).toBe(false)
    expect(nextChange(withDays, saoPaulo('2026-11-22T10:00'))).toEqual(saoPaulo('2026-11-24T10:00'))
  })
})

describe('when it changes next', () => {
  test.each([
    ['2026-11-23T08:00', '2026-11-23T09:00'],
    ['2026-11-23T09:00', '2026-11-23T12:00'],
    ['2026-11-23T12:00:30', '2026-11-23T13:00'],
    ['2026-11-27T18:00', '2026-11-30T09:00'],
  ])('the working hours change next after %s at %s', (at, expected) => {
    expect(nextChange(office, saoPaulo(at))).toEqual(saoPaulo(expected))
  })

  test('also where the clock is set forward over the beginning: it begins with the jump', () => {
    // In Santiago 2026-09-06 has no hour between 00:00 and 01:00.
    const santiago: Schedule = {
      ...night,
      timezone: 'America/Santiago',
      workingHours: { start: '00:30', end: '03:00', days: [0] },
    }
    expect(nextChange(santiago, new Date('2026-09-06T00:00Z'))).toEqual(new Date('2026-09-06T04:00Z'))
    expect(nextChange(santiago, new Date('2026-09-06T04:00Z'))).toEqual(new Date('2026-09-06T06:00Z'))
  })
})

describe('a week', () => {
  const hour = (from: number, to: number) => ({ from: from * 60, to: to * 60 })

  test('a week of working hours has the open parts of each day, lunch left out', () => {
    const week = openWeek(office)
    expect(week.map((parts) => parts.length)).toEqual([0, 2, 2, 2, 2, 2, 0])
    expect(week[1]).toEqual([hour(9, 12), hour(13, 18)])
  })

  test('a week of working hours shows what goes over midnight on both days', () => {
    expect(openWeek(night)).toEqual([[], [hour(22, 24)], [hour(0, 6)], [], [], [], []])
  })

  test('a week of working hours is one bar where nothing closes it', () => {
    const whole = { start: '06:00', end: '05:59', days: [0, 1, 2, 3, 4, 5, 6] }
    expect(openWeek({ ...night, workingHours: whole })[3]).toEqual([
      { from: 0, to: 5 * 60 + 59 },
      { from: 360, to: 1440 },
    ])
  })
})

describe('days with hours of their own', () => {
  const hour = (from: number, to: number) => ({ from: from * 60, to: to * 60 })
  const shop: Schedule = {
    ...office,
    workingHours: {
      ...office.workingHours,
      differentDays: [
        { day: 6, start: '08:00', end: '12:30', lunch: 'usual' },
        { day: 1, start: '08:00', end: '20:00', lunch: 'none' },
        { day: 3, start: '20:00', end: '02:00', lunch: { start: '23:00', end: '01:00' } },
        { day: 5, start: '00:00', end: '00:00', lunch: { start: '11:00', end: '11:30' } },
      ],
    },
  }

  test('a week of working hours shows them in the place of the usual ones, each with its lunch', () => {
    expect(openWeek(shop)).toEqual([
      [],
      [hour(8, 20)],
      [hour(9, 12), hour(13, 18)],
      [hour(20, 23)],
      [hour(1, 2), hour(9, 12), hour(13, 18)],
      [hour(0, 11), hour(11.5, 24)],
      [hour(8, 12)],
    ])
    const noLunch = { ...shop, lunchBreak: { ...shop.lunchBreak, enabled: false } }
    expect(openWeek(noLunch)[6]).toEqual([hour(8, 12.5)])
    expect(openWeek(noLunch)[5]).toEqual([hour(0, 11), hour(11.5, 24)])
  })

  test('an exception wins over such a day, and the night of the day before goes on in it', () => {
    const date = '2026-11-26'
    const closedDay = { ...shop, scheduleExceptions: [{ date, hours: null, message: '' }] }
    expect(isOpen(closedDay, saoPaulo('2026-11-26T01:30'))).toBe(true)
    expect(isOpen(closedDay, saoPaulo('2026-11-26T10:00'))).toBe(false)
    const saturday = { ...shop, scheduleExceptions: [{ date: '2026-11-28', hours: null, message: '' }] }
    expect(isOpen(saturday, saoPaulo('2026-11-28T09:00'))).toBe(false)
    expect(nextChange(saturday, saoPaulo('2026-11-28T00:00'))).toEqual(saoPaulo('2026-11-30T08:00'))
  })

  test('a week in which only such days are open never closes for good', () => {
    const lunchBreak = { enabled: true, start: '08:00', end: '19:00' }
    expect(neverOpens({ ...office, lunchBreak })).toBe(true)
    expect(neverOpens({ ...shop, lunchBreak })).toBe(false)
  })
})

test('hours from midnight to midnight are open all day, and the lunch break may not take all hours', () => {
  const always = { ...office, workingHours: { start: '00:00', end: '00:00', days: [0, 1, 2, 3, 4, 5, 6] } }
  const open = { ...always, lunchBreak: { ...office.lunchBreak, enabled: false } }
  expect(scheduleSchema.safeParse(always).success).toBe(true)
  expect(isOpen(open, saoPaulo('2026-11-23T23:59'))).toBe(true)
  expect(nextChange(open, saoPaulo('2026-11-23T12:00'))).toBeNull()
  expect(openWeek(open)[3]).toEqual([{ from: 0, to: 1440 }])
  expect(neverOpens(office)).toBe(false)
  expect(neverOpens({ ...office, lunchBreak: { enabled: true, start: '08:00', end: '19:00' } })).toBe(true)
})

test('the time between two instants counts while it is open', () => {
  const hours = (from: string, to: string) => openMsBetween(office, saoPaulo(from), saoPaulo(to)) / 3_600_000
  expect(hours('2026-11-23T08:00', '2026-11-23T20:00')).toBe(8)
  expect(hours('2026-11-23T17:30', '2026-11-24T09:15')).toBe(0.75)
  expect(hours('2026-11-23T12:00', '2026-11-23T12:30')).toBe(0)
  expect(hours('2026-11-23T10:00', '2026-11-23T10:30')).toBe(0.5)
})

test.each([
  [{ workingHours: { ...office.workingHours, start: '' } }, 'Horário de início é obrigatório'],
  [{ workingHours: { ...office.workingHours, end: '25:00' } }, 'Horário de fim inválido'],
  [{ workingHours: { ...office.workingHours, start: '1:00' } }, 'Horário de início inválido'],
  [
    { workingHours: { ...office.workingHours, start: '09:00', end: '09:00' } },
    'O fim é igual ao início; para o dia inteiro, use 00:00 a 00:00',
  ],
  [{ lunchBreak: { enabled: true, start: '13:00', end: '12:00' } }, 'O almoço termina antes de começar'],
  [
    {
      scheduleExceptions: ['2026-12-24', '2026-12-25', '2026-12-24'].map((date) => ({
        date,
        hours: null,
        message: '',
      })),
    },
    'Esta data já tem uma exceção',
  ],
  [{ workingHours: { ...office.workingHours, days: [] } }, 'Selecione pelo menos um dia'],
  [
    { workingHours: { ...office.workingHours, differentDays: [saturday, saturday] } },
    'Este dia já tem um horário diferente',
  ],
  [
    { workingHours: { ...office.workingHours, differentDays: [{ ...saturday, end: '' }] } },
    'Horário de fim é obrigatório',
  ],
  [
    {
      workingHours: {
        ...office.workingHours,
        differentDays: [{ ...saturday, lunch: { start: '12:00', end: '11:00' } }],
      },
    },
    'O almoço termina antes de começar',
  ],
  [{ timezone: '' }, 'Fuso horário é obrigatório'],
])('what is missing is said: %s', (wrong, message) => {
  const { error } = scheduleSchema.safeParse({ ...office, ...wrong })
  expect(error?.issues.map((issue) => issue.message)).toEqual([message])
})
