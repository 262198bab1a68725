import * as z from 'zod/mini'

/** The zones that may be chosen, by IANA name, with what people call them. @see specification §9 */
export const timeZones = {
  'America/Sao_Paulo': 'São Paulo',
  'America/Manaus': 'Manaus',
  'America/Rio_Branco': 'Rio Branco',
  'America/Noronha': 'Fernando de Noronha',
  'America/Recife': 'Recife',
  'America/Campo_Grande': 'Campo Grande',
  'America/Boa_Vista': 'Boa Vista',
  'America/Porto_Velho': 'Porto Velho',
  'America/New_York': 'Nova York',
  'America/Los_Angeles': 'Los Angeles',
  'Europe/London': 'Londres',
  'Europe/Paris': 'Paris',
  'Europe/Madrid': 'Madri',
  'Europe/Lisbon': 'Lisboa',
  'Asia/Tokyo': 'Tóquio',
  'Asia/Shanghai': 'Xangai',
  'America/Argentina/Buenos_Aires': 'Buenos Aires',
  'America/Santiago': 'Santiago',
  'America/Lima': 'Lima',
  'America/Bogota': 'Bogotá',
} as const
export type TimeZone = keyof typeof timeZones

/**
 * A text of the settings. They are stored as JSON, in which the database holds neither NUL nor half a sign.
 */
export function settingText(maxLength = 4096) {
  return z.string().check(
    z.maxLength(maxLength),
    z.refine((text) => text.isWellFormed() && !text.includes('\0')),
  )
}

/** 'HH:MM' of a day of 24 hours. */
function clockTime(message: string) {
  return z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: message }))
}
const start = clockTime('Horário de início é obrigatório')
const end = clockTime('Horário de fim é obrigatório')

/** A day that is not as its weekday. Without hours it is closed. */
export const scheduleException = z.object({
  /** 'AAAA-MM-DD', by the clock on the wall of the zone. */
  date: z.iso.date('Data é obrigatória'),
  hours: z.nullable(z.object({ start, end })),
  /** What is answered while it is closed on that day; empty: the usual text. */
  message: settingText(),
})
export type ScheduleException = z.infer<typeof scheduleException>

/** When somebody answers, by the clock on the wall of the zone. */
export const schedule = z.object({
  workingHours: z.object({
    start,
    end,
    /** 0 is Sunday. */
    days: z
      .array(z.int().check(z.minimum(0), z.maximum(6)))
      .check(z.minLength(1, 'Selecione pelo menos um dia'), z.maxLength(7)),
  }),
  lunchBreak: z.object({ enabled: z.boolean(), start, end }),
  timezone: z.enum(Object.keys(timeZones) as [TimeZone], 'Fuso horário é obrigatório'),
  scheduleExceptions: z.array(scheduleException).check(z.maxLength(400)),
})
export type Schedule = z.infer<typeof schedule>

/** What the clock on the wall of a zone shows. */
interface Wall {
  /** Days since 1970-01-01. */
  day: number
  /** Since midnight. */
  minute: number
}

const minuteMs = 60_000
const dayMinutes = 24 * 60
const formats = new Map<string, Intl.DateTimeFormat>()

function wallAt(atMs: number, timeZone: string): Wall {
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
  // '03/08/2026, 02:30'; the year alone may have more or fewer digits.
  const text = format.format(atMs)
  const [date = '', time = ''] = text.split(', ')
  const day = Date.UTC(Number(date.slice(6)), Number(date.slice(0, 2)) - 1, Number(date.slice(3, 5)))
  return { day: day / 86_400_000, minute: minutesOf(time) }
}

/** 'HH:MM' → since midnight. */
function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
}

/** 1970-01-01 was a Thursday. */
function weekdayOf(day: number) {
  return (day + 4) % 7
}

interface Window {
  /** Both in minutes since midnight of the day it begins on; an end beyond the day is on the next one. */
  from: number
  to: number
}

/** A window by the clock: what ends before it begins ends on the next day, and one of no length is none. */
function windowOf({ start: from, end: to }: { start: string; end: string }): Window | undefined {
  const window = { from: minutesOf(from), to: minutesOf(to) }
  if (window.from === window.to) return undefined
  return window.from < window.to ? window : { ...window, to: window.to + dayMinutes }
}

function has(window: Window | undefined, minute: number) {
  return window !== undefined && window.from <= minute && minute < window.to
}

/** The schedule, read once for many questions. */
interface Read {
  timezone: string
  /** When it is open from a day on. */
  windowOn(day: number): { window: Window | undefined; hasLunch: boolean }
  lunch: Window | undefined
  /** Every minute of a day at which something begins or ends. */
  edges: number[]
}

function read({ workingHours, lunchBreak, timezone, scheduleExceptions }: Schedule): Read {
  const usual = windowOf(workingHours)
  const days = new Set(workingHours.days)
  const exceptions = new Map(
    scheduleExceptions.map(({ date, hours }) => [
      Date.parse(date) / 86_400_000,
      hours ? windowOf(hours) : undefined,
    ]),
  )
  const lunch = lunchBreak.enabled ? windowOf(lunchBreak) : undefined
  const windows = [usual, lunch, ...exceptions.values()]
  const edges = windows.flatMap((window) => (window ? [window.from, window.to % dayMinutes] : []))
  return {
    timezone,
    lunch,
    edges: [...new Set([0, ...edges])].sort((a, b) => a - b),
    windowOn(day) {
      // Hours that were written for one day are as they were written: no pause is cut out of them.
      if (exceptions.has(day)) return { window: exceptions.get(day), hasLunch: false }
      return { window: days.has(weekdayOf(day)) ? usual : undefined, hasLunch: true }
    },
  }
}

function isOpenOn({ windowOn, lunch }: Read, { day, minute }: Wall): boolean {
  const isLunch = has(lunch, minute) || has(lunch, minute + dayMinutes)
  const isWithin = (began: number, since: number) => {
    const { window, hasLunch } = windowOn(began)
    return has(window, since) && !(hasLunch && isLunch)
  }
  // What crosses midnight belongs to the day on which it began.
  return isWithin(day, minute) || isWithin(day - 1, minute + dayMinutes)
}

/**
 * Whether somebody answers at an instant: start inclusive, end exclusive, lunch left out; a window over
 * midnight belongs to the day on which it begins, and one that ends when it begins is closed. Only ever from
 * the instant to the clock on the wall, so that a day of 23 or 25 hours needs no rule of its own.
 * @see reliability F-23
 */
export function isOpen(schedule: Schedule, at: Date): boolean {
  return isOpenOn(read(schedule), wallAt(at.getTime(), schedule.timezone))
}

/** So far ahead is looked: whoever is closed for longer has no next change. */
const horizonMs = 400 * dayMinutes * minuteMs

/** The next instant after `at` at which `isOpen` answers otherwise; null: not within 400 days. */
export function nextChange(schedule: Schedule, at: Date): Date | null {
  const rules = read(schedule)
  const startMs = Math.floor(at.getTime() / minuteMs) * minuteMs
  const before = isOpenOn(rules, wallAt(startMs, rules.timezone))
  for (let atMs = startMs; atMs < startMs + horizonMs;) {
    const wall = wallAt(atMs, rules.timezone)
    const edge = rules.edges.find((minute) => minute > wall.minute) ?? dayMinutes
    const nextMs = atMs + (edge - wall.minute) * minuteMs
    const next = wallAt(nextMs, rules.timezone)
    const isStraight = next.day * dayMinutes + next.minute === wall.day * dayMinutes + edge
    if (isStraight) {
      if (isOpenOn(rules, next) !== before) return new Date(nextMs)
      atMs = nextMs
      continue
    }
    // The clock was set forward or back on the way: minute by minute.
    while (atMs < nextMs) {
      atMs += minuteMs
      if (isOpenOn(rules, wallAt(atMs, rules.timezone)) !== before) return new Date(atMs)
    }
  }
  return null
}

/** The open parts of each weekday, Sunday first, in minutes since midnight; exceptions aside. */
export function openWeek(schedule: Schedule): { from: number; to: number }[][] {
  const rules = read({ ...schedule, scheduleExceptions: [] })
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

/** What the clock on the wall of a zone shows: 0 is Sunday, minutes since midnight. */
export function wallClock(timezone: string, at: Date): { weekday: number; minute: number } {
  const { day, minute } = wallAt(at.getTime(), timezone)
  return { weekday: weekdayOf(day), minute }
}

/** How long it was open between two instants, in milliseconds. */
export function openMsBetween(schedule: Schedule, from: Date, to: Date): number {
  let openMs = 0
  let at = from
  let isOpenNow = isOpen(schedule, from)
  while (at < to) {
    const change = nextChange(schedule, at)
    const until = change && change < to ? change : to
    if (isOpenNow) openMs += until.getTime() - at.getTime()
    isOpenNow = !isOpenNow
    at = until
  }
  return openMs
}

/** The exception that closes the day of an instant, or changes its hours. */
export function exceptionAt(schedule: Schedule, at: Date): ScheduleException | undefined {
  const { day } = wallAt(at.getTime(), schedule.timezone)
  return schedule.scheduleExceptions.find(({ date }) => Date.parse(date) / 86_400_000 === day)
}
