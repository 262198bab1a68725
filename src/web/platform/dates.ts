import { useSyncExternalStore } from 'react'
import { createEmitter } from './emitter.ts'

// Dates in Brazilian format, in the time zone of the installation, whatever that of the computer is.

/** Formatters are created once: each takes a millisecond. */
function formatsOf(timeZone: string) {
  const format = (options: Intl.DateTimeFormatOptions, locale = 'pt-BR') =>
    new Intl.DateTimeFormat(locale, { timeZone, ...options })
  const minute = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  return {
    time: format(minute),
    timeWithSeconds: format({ ...minute, second: '2-digit' }),
    date: format({ day: '2-digit', month: '2-digit', year: 'numeric' }),
    shortWeekday: format({ weekday: 'short' }),
    weekday: format({ weekday: 'long' }),
    day: format({}, 'sv-SE'),
  }
}

let zone = 'America/Sao_Paulo'
let formats = formatsOf(zone)
const changes = createEmitter<void>()

/** The IANA name of the zone of all dates. */
export const timeZone = (): string => zone

/** The same, updated on change. */
export const useTimeZone = (): string => useSyncExternalStore(changes.on, timeZone)

/** The server has said the zone of the installation. One that the browser does not know changes nothing. */
export function setTimeZone(name: string): void {
  if (name === zone) return
  try {
    formats = formatsOf(name)
    zone = name
  } catch (error) {
    console.warn('The browser does not know the time zone', error)
  }
  changes.emit()
}

const dayMs = 86_400_000

type Instant = string | number

function parse(instant: Instant): number {
  return typeof instant === 'number' ? instant : Date.parse(instant)
}

function write(format: keyof typeof formats, instant: Instant): string {
  const ms = parse(instant)
  return Number.isNaN(ms) ? 'Data inválida' : formats[format].format(ms)
}

/** '14:32'. Like the others, 'Data inválida' for an invalid date. */
export function clockTime(instant: Instant): string {
  return write('time', instant)
}

/** '14:32:08' */
export function clockTimeWithSeconds(instant: Instant): string {
  return write('timeWithSeconds', instant)
}

/** '19/11/2026' */
export function shortDate(instant: Instant): string {
  return write('date', instant)
}

/** '19/11/2026 14:32' */
export function dateTime(instant: Instant): string {
  return Number.isNaN(parse(instant)) ? 'Data inválida' : `${shortDate(instant)} ${clockTime(instant)}`
}

/** 'qui., 19/11/2026' */
export function clockDate(instant: Instant): string {
  return Number.isNaN(parse(instant))
    ? 'Data inválida'
    : `${write('shortWeekday', instant)}, ${shortDate(instant)}`
}

/** 'YYYY-MM-DD' of the day in the zone of the installation. */
export function dayKey(instant: Instant): string {
  return write('day', instant)
}

/** 'Hoje', 'Ontem', 'segunda-feira' within the last week, else '19/11/2026'. */
export function daySeparator(instant: Instant, nowMs: number): string {
  const daysAgo = Math.round((dayNumber(nowMs) - dayNumber(instant)) / dayMs)
  if (daysAgo === 0) return 'Hoje'
  if (daysAgo === 1) return 'Ontem'
  if (daysAgo > 1 && daysAgo < 7) return write('weekday', instant)
  return shortDate(instant)
}

function dayNumber(instant: Instant): number {
  return Date.parse(`${dayKey(instant)}T00:00:00Z`)
}
