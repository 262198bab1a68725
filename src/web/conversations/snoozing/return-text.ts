import { clockTime, dayKey, shortDate } from '#web/platform/dates.ts'

const dayMs = 86_400_000

/**
 * When a conversation returns from hold: 'em 12 min' within the hour, 'hoje, 17:00', 'amanhã, 09:00', else
 * '23/11, 09:00'.
 */
export function returnText(until: string, nowMs: number): string {
  const minutes = Math.ceil((Date.parse(until) - nowMs) / 60_000)
  return minutes <= 60 ? `em ${Math.max(1, minutes)} min` : dayAndTime(until, nowMs)
}

const names = new Map([
  [-1, 'ontem'],
  [0, 'hoje'],
  [1, 'amanhã'],
])

/**
 * 'hoje, 17:00', 'ontem, 09:00', else '23/11, 09:00'; with the year where it is another one.
 * @param dateOf a date with its year at the end
 */
export function dayAndTime(instant: string, nowMs: number, dateOf = shortDate): string {
  const [day, today] = [dayKey(instant), dayKey(nowMs)]
  const date = dateOf(instant)
  const name =
    names.get((Date.parse(day) - Date.parse(today)) / dayMs) ??
    (day.slice(0, 4) === today.slice(0, 4) ? date.slice(0, -5) : date)
  return `${name}, ${clockTime(instant)}`
}
