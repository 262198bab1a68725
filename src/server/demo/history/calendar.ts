import type { Dice } from './random.ts'

/** Working days and hours of the shop, in São Paulo. */

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

// São Paulo has had this offset since Brazil abolished daylight-saving time.
const offsetMs = 3 * hourMs

function local(at: Date) {
  return new Date(at.getTime() - offsetMs)
}

/** '2026-03-31' */
export function brazilianDay(at: Date) {
  return local(at).toISOString().slice(0, 10)
}
/** 0 is Sunday. */
export function weekdayOf(at: Date) {
  return local(at).getUTCDay()
}
/** Hour of the day as a fraction: 8.5 is half past eight. */
export function hourOf(at: Date) {
  return local(at).getUTCHours() + local(at).getUTCMinutes() / 60
}
/** The instant at which an hour of a day begins. */
export function atHour(day: string, hour: number) {
  return new Date(Date.parse(`${day}T00:00:00Z`) + offsetMs + hour * hourMs)
}

const opensAt = 8.5

/** Adds days to a day; negative to subtract. */
export function dayAfter(day: string, days: number) {
  return brazilianDay(new Date(atHour(day, 12).getTime() + days * dayMs))
}

/** The same hour, that many working days later. */
export function nextWorkday(at: Date, workdays: number): Date {
  let then = at
  for (let left = workdays; left > 0;) {
    then = new Date(then.getTime() + dayMs)
    if (isWorkday(then)) left--
  }
  return then
}

function isWorkday(at: Date) {
  return weekdayOf(at) >= 1 && weekdayOf(at) <= 5
}

/** How many conversations begin on a day: more at the end of the month, slightly more from week to week. */
export function talksOf(dice: Dice, day: string, daysAgo: number): number {
  const noon = atHour(day, 12)
  const base = [0, 27, 26, 25, 24, 23, 5][weekdayOf(noon)] ?? 0
  const growth = 1.12 - daysAgo * 0.003
  const daysLeft = daysUntilMonthEnd(day)
  const peak = daysLeft <= 2 ? 1.35 : daysLeft <= 5 ? 1.12 : 1
  return Math.round(base * growth * peak * (0.9 + dice.next() * 0.2))
}

function daysUntilMonthEnd(day: string): number {
  const [year, month, date] = day.split('-').map(Number)
  return new Date(Date.UTC(year ?? 0, month ?? 1, 0)).getUTCDate() - (date ?? 0)
}

/** Relative number of conversations that begin in each half hour, from half past eight on. */
const curve = [5, 9, 12, 12, 11, 10, 8, 5, 4, 5, 8, 10, 11, 11, 10, 9, 8, 7, 5, 3]

/** Draws when a conversation of the day begins. */
export function drawStart(dice: Dice, day: string): Date {
  const isSaturday = weekdayOf(atHour(day, 12)) === 6
  const slots = (isSaturday ? curve.slice(1, 9) : curve).map((weight, slot) => ({ weight, slot }))
  const slot = (dice.weighted(slots, ({ weight }) => weight)?.slot ?? 0) + (isSaturday ? 1 : 0)
  return new Date(atHour(day, opensAt + slot / 2).getTime() + dice.between(0, 1799) * 1000)
}
