import { localInstant } from '#shared/text/time/local-instant.ts'
import { clockDate, clockTime, dayKey, shortDate, timeZone } from '#web/platform/dates.ts'
import { dayAndTime as nearText } from '#web/conversations/snoozing/return-text.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000

/** A day 'YYYY-MM-DD', and some days later. */
export const daysAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)

/** The instant of a date and time as the screens show them; undefined if they are none. */
export function instantOf(day: string, time: string): string | undefined {
  const ms = localInstant(timeZone(), day, time)
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
}

/** 'hoje, 15:00', 'amanhã, 08:00', 'sex., 20/11, 09:00', with the year if it is another. */
export const dayAndTime = (instant: string, nowMs: number): string => nearText(instant, nowMs, clockDate)

/** 'hoje, às 15:00', 'sáb., 21/11, às 09:00'. */
export const atTime = (instant: string, nowMs: number): string =>
  dayAndTime(instant, nowMs).replace(/, (?=\d\d:\d\d$)/, ', às ')

/** '21/11, 09:00' */
export const shortTime = (instant: string): string =>
  `${shortDate(instant).slice(0, 5)}, ${clockTime(instant)}`

export interface QuickTime {
  label: string
  day: string
  time: string
}

/** The times that are offered: today in an hour or two, tomorrow, and on Monday. */
export function quickTimes(nowMs: number): QuickTime[] {
  const soon = Math.ceil((nowMs + hourMs) / hourMs) * hourMs
  const today = dayKey(nowMs)
  const tomorrow = daysAfter(today, 1)
  const monday = daysAfter(today, 7 - ((new Date(today).getUTCDay() + 6) % 7))
  return [
    ...(dayKey(soon) === today
      ? [{ label: `Hoje ${clockTime(soon)}`, day: today, time: clockTime(soon) }]
      : []),
    { label: 'Amanhã 09:00', day: tomorrow, time: '09:00' },
    ...(monday === tomorrow ? [] : [{ label: 'Segunda 09:00', day: monday, time: '09:00' }]),
  ]
}
