import { clockTime, dayKey, shortDate } from '#web/platform/live/server-clock.ts'

const dayMs = 86_400_000

/**
 * When a conversation returns from hold: 'em 12 min' within the hour, 'hoje, 17:00', 'amanhã, 09:00', else
 * '23/11, 09:00'.
 */
export function returnText(until: string, nowMs: number): string {
  const minutes = Math.ceil((Date.parse(until) - nowMs) / 60_000)
  return minutes <= 60 ? `em ${Math.max(1, minutes)} min` : dayAndTime(until, nowMs)
}

/** 'hoje, 17:00', 'amanhã, 09:00', else '23/11, 09:00'; with the year where it is another one. */
export function dayAndTime(instant: string, nowMs: number): string {
  const [day, date] = [dayKey(instant), shortDate(instant)]
  const isThisYear = day.slice(0, 4) === dayKey(nowMs).slice(0, 4)
  const name =
    day === dayKey(nowMs)
      ? 'hoje'
      : day === dayKey(nowMs + dayMs)
        ? 'amanhã'
        : isThisYear
          ? date.slice(0, 5)
          : date
  return `${name}, ${clockTime(instant)}`
}
