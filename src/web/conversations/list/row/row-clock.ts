import { clockTime, dayKey, daySeparator, shortDate } from '#web/platform/live/server-clock.ts'

/** '14:32' today, 'ontem', otherwise '19/11'. */
export function rowClock(instant: string, nowMs: number): string {
  if (dayKey(instant) === dayKey(nowMs)) return clockTime(instant)
  const day = daySeparator(instant, nowMs)
  return day === 'Ontem' ? 'ontem' : shortDate(instant).slice(0, 5)
}
