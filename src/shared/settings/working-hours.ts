import { isWholeDay, type Schedule, type ScheduleException } from './schedule.ts'

/** A local date and time. */
interface LocalTime {
  /** Days since 1970-01-01. */
  day: number
  /** Minutes since midnight. */
  minute: number
}

const minuteMs = 60_000
const dayMinutes = 24 * 60
const formats = new Map<string, Intl.DateTimeFormat>()

function localTimeAt(atMs: number, timeZone: string): LocalTime {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    })
    formats.set(timeZone, format)
  }
  // '03/08/2026, 02:30'; only the year can have another number of digits.
  const text = format.format(atMs)
  const [date = '', time = ''] = text.split(', ')
  const day = Date.UTC(Number(date.slice(6)), Number(date.slice(0, 2)) - 1, Number(date.slice(3, 5)))
  return { day: day / 86_400_000, minute: minutesOf(time) }
}

/** 'HH:MM' as minutes since midnight. */
function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
}

/** 0 for Sunday. 1970-01-01 was a Thursday. */
function weekdayOf(day: number) {
  return (day + 4) % 7
}

interface Window {
  /** Minutes since midnight of the first day; `to` can be on the next day. */
  from: number
  to: number
}

/**
 * A window whose end is before its start ends on the next day. With both at midnight it is the whole day,
 * with both equal otherwise there is none.
 */
function windowOf(hours: { start: string; end: string }): Window | undefined {
  if (isWholeDay(hours)) return { from: 0, to: dayMinutes }
  const window = { from: minutesOf(hours.start), to: minutesOf(hours.end) }
  if (window.from === window.to) return undefined
  return window.from < window.to ? window : { ...window, to: window.to + dayMinutes }
}

function contains(window: Window | undefined, minute: number) {
  return window !== undefined && window.from <= minute && minute < window.to
}

interface DayWindows {
  window: Window | undefined
  lunch: Window | undefined
}
const closed: DayWindows = { window: undefined, lunch: undefined }

/** A schedule prepared for many queries. */
interface PreparedSchedule {
  timezone: string
  /** The hours that begin on a day, with their lunch break. */
  hoursOn(day: number): DayWindows
  /** The minutes of a day at which a window begins or ends, ascending. */
  edges: number[]
}

const prepared = new WeakMap<Schedule, PreparedSchedule>()

/** Prepared once for each schedule, which nobody changes. */
function prepare(schedule: Schedule): PreparedSchedule {
  const known = prepared.get(schedule) ?? prepareNew(schedule)
  prepared.set(schedule, known)
  return known
}

function prepareNew({ workingHours, lunchBreak, timezone, scheduleExceptions }: Schedule): PreparedSchedule {
  const lunch = lunchBreak.enabled ? windowOf(lunchBreak) : undefined
  const usual = { window: windowOf(workingHours), lunch }
  const weekdays = new Map<number, DayWindows>(workingHours.days.map((day) => [day, usual]))
  for (const { lunch: own, ...hours } of workingHours.differentDays ?? [])
    weekdays.set(hours.day, {
      window: windowOf(hours),
      lunch: own === 'usual' ? lunch : own === 'none' ? undefined : windowOf(own),
    })
  // The lunch break does not apply to the hours of an exception.
  const exceptions = new Map<number, DayWindows>(
    scheduleExceptions.map(({ date, hours }) => [
      Date.parse(date) / 86_400_000,
      hours ? { window: windowOf(hours), lunch: undefined } : closed,
    ]),
  )
  const windows = [...weekdays.values(), ...exceptions.values()].flatMap((day) => [day.window, day.lunch])
  const edges = windows.flatMap((window) => (window ? [window.from, window.to % dayMinutes] : []))
  return {
    timezone,
    edges: [...new Set([0, ...edges])].sort((a, b) => a - b),
    hoursOn: (day) => exceptions.get(day) ?? weekdays.get(weekdayOf(day)) ?? closed,
  }
}

function isOpenOn({ hoursOn }: PreparedSchedule, { day, minute }: LocalTime): boolean {
  const isWithin = (began: number, since: number) => {
    const { window, lunch } = hoursOn(began)
    const isLunch = contains(lunch, minute) || contains(lunch, minute + dayMinutes)
    return contains(window, since) && !isLunch
  }
  // A window across midnight belongs to the day on which it begins.
  return isWithin(day, minute) || isWithin(day - 1, minute + dayMinutes)
}

/**
 * Whether it is open at an instant: start inclusive, end exclusive, lunch excluded. A window across midnight
 * belongs to the day on which it begins, and one whose start and end are equal is closed, but for midnight.
 * Instants are only converted to local time, never back, so days of 23 or 25 hours need no special case.
 * @see reliability F-23
 */
export function isOpen(schedule: Schedule, at: Date): boolean {
  return isOpenOn(prepare(schedule), localTimeAt(at.getTime(), schedule.timezone))
}

/** How far `nextChange` searches. */
const horizonMs = 400 * dayMinutes * minuteMs

/**
 * The next instant after `at` at which `isOpen` changes; null if not within 400 days.
 * @param within not looked for further than this, in milliseconds
 */
export function nextChange(schedule: Schedule, at: Date, within = horizonMs): Date | null {
  const rules = prepare(schedule)
  const startMs = Math.floor(at.getTime() / minuteMs) * minuteMs
  const before = isOpenOn(rules, localTimeAt(startMs, rules.timezone))
  const endMs = startMs + Math.min(within, horizonMs)
  for (let atMs = startMs; atMs <= endMs;) {
    const local = localTimeAt(atMs, rules.timezone)
    const edge = rules.edges.find((minute) => minute > local.minute) ?? dayMinutes
    const nextMs = atMs + (edge - local.minute) * minuteMs
    const next = localTimeAt(nextMs, rules.timezone)
    const isStraight = next.day * dayMinutes + next.minute === local.day * dayMinutes + edge
    if (isStraight) {
      if (isOpenOn(rules, next) !== before) return new Date(nextMs)
      atMs = nextMs
      continue
    }
    // The clock is set forward or back in between, so every minute is checked.
    while (atMs < nextMs) {
      atMs += minuteMs
      if (isOpenOn(rules, localTimeAt(atMs, rules.timezone)) !== before) return new Date(atMs)
    }
  }
  return null
}

/** The open parts of each weekday, Sunday first, in minutes since midnight, without exceptions. */
export function openWeek(schedule: Schedule): { from: number; to: number }[][] {
  const rules = prepare({ ...schedule, scheduleExceptions: [] })
  const aSunday = 3
  return Array.from({ length: 7 }, (_, weekday) => {
    const parts: Window[] = []
    for (const [index, from] of rules.edges.entries()) {
      if (!isOpenOn(rules, { day: aSunday + weekday, minute: from })) continue
      const to = rules.edges[index + 1] ?? dayMinutes
      const last = parts.at(-1)
      if (last?.to === from) last.to = to
      else parts.push({ from, to })
    }
    return parts
  })
}

/** The local weekday (0 for Sunday) and minutes since midnight. */
export function wallClock(timezone: string, at: Date): { weekday: number; minute: number } {
  const { day, minute } = localTimeAt(at.getTime(), timezone)
  return { weekday: weekdayOf(day), minute }
}

/** The open time between two instants, in milliseconds. */
export function openMsBetween(schedule: Schedule, from: Date, to: Date): number {
  let openMs = 0
  let at = from
  let isOpenNow = isOpen(schedule, from)
  while (at < to) {
    const change = nextChange(schedule, at, to.getTime() - at.getTime() + minuteMs)
    const until = change && change < to ? change : to
    if (isOpenNow) openMs += until.getTime() - at.getTime()
    isOpenNow = !isOpenNow
    at = until
  }
  return openMs
}

/**
 * When so much open time has passed since an instant, in milliseconds since 1970; null if that never comes.
 * @param openMs more than 0
 */
export function openInstant(schedule: Schedule, fromMs: number, openMs: number): number | null {
  let left = openMs
  let at = fromMs
  let isOpenNow = isOpen(schedule, new Date(fromMs))
  for (;;) {
    const within = isOpenNow ? left + minuteMs : horizonMs
    const change = nextChange(schedule, new Date(at), within)?.getTime() ?? null
    if (isOpenNow && (change === null || change - at >= left)) return at + left
    if (change === null) return null
    if (isOpenNow) left -= change - at
    isOpenNow = !isOpenNow
    at = change
  }
}

/** Whether no day of the week has an open minute, as where the lunch break takes all of them. */
export const neverOpens = (schedule: Schedule): boolean =>
  openWeek(schedule).every((parts) => parts.length === 0)

/** The exception for the local date of an instant. */
export function exceptionAt(schedule: Schedule, at: Date): ScheduleException | undefined {
  const { day } = localTimeAt(at.getTime(), schedule.timezone)
  return schedule.scheduleExceptions.find(({ date }) => Date.parse(date) / 86_400_000 === day)
}
