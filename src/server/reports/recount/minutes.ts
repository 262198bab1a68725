/** The hours of a team as the settings store them. */
export interface Hours {
  timezone: string
  workingHours: { start: string; end: string; days: number[]; differentDays?: DifferentDay[] | undefined }
  lunchBreak: { enabled: boolean; start: string; end: string }
  scheduleExceptions: { date: string; hours: { start: string; end: string } | null }[]
}

interface DifferentDay {
  day: number
  start: string
  end: string
  lunch: 'usual' | 'none' | { start: string; end: string }
}

/** A minute of somebody's clock on the wall. */
export interface WallMinute {
  date: string
  weekday: number
  hour: number
  minute: number
}

/** Reads the clock on the wall at an instant in milliseconds. */
export function wallClockOf(timezone: string): (ms: number) => WallMinute {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    weekday: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const names = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
  return (ms) => {
    const parts: Record<string, string> = {}
    for (const { type, value } of format.formatToParts(ms)) parts[type] = value
    return {
      date: `${parts['year']}-${parts['month']}-${parts['day']}`,
      weekday: names.indexOf(parts['weekday'] ?? ''),
      hour: Number(parts['hour']),
      minute: Number(parts['minute']),
    }
  }
}

const minuteMs = 60_000
const inMinutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/**
 * Looks at each minute of a span, one after another, whether the team works in it: so slow and so plain that
 * it can be checked by reading.
 * @returns the working milliseconds between two instants within the span
 */
export function workingMinutes(hours: Hours, fromMs: number, toMs: number) {
  const first = Math.floor(fromMs / minuteMs) - 1
  const count = Math.ceil(toMs / minuteMs) - first + 2
  const works = new Uint8Array(count)
  const before = new Float64Array(count + 1)
  const read = wallClockOf(hours.timezone)
  for (let n = 0; n < count; n++) {
    works[n] = worksAt(hours, read((first + n) * minuteMs)) ? 1 : 0
    before[n + 1] = (before[n] ?? 0) + (works[n] ?? 0)
  }
  const until = (ms: number) => {
    const n = Math.floor(ms / minuteMs) - first
    return (before[n] ?? 0) * minuteMs + (works[n] ?? 0) * (ms - (first + n) * minuteMs)
  }
  return (from: number, to: number) => (to > from ? until(to) - until(from) : 0)
}

/**
 * Whether the team works in a minute. A shift past midnight belongs to the day on which it began, also as
 * regards exceptions.
 */
export function worksAt(hours: Hours, { date, weekday, hour, minute }: WallMinute): boolean {
  const now = hour * 60 + minute
  const yesterday = new Date(Date.parse(date) - 86_400_000).toISOString().slice(0, 10)
  return (
    isInShift(hours, date, weekday, now, now) ||
    isInShift(hours, yesterday, (weekday + 6) % 7, now + 1440, now)
  )
}

function isInShift(hours: Hours, date: string, weekday: number, since: number, now: number): boolean {
  const exception = hours.scheduleExceptions.find((one) => one.date === date)
  if (exception) return exception.hours !== null && isBetween(exception.hours, since)
  const different = hours.workingHours.differentDays?.find((one) => one.day === weekday)
  if (!different && !hours.workingHours.days.includes(weekday)) return false
  if (!isBetween(different ?? hours.workingHours, since)) return false
  if (different?.lunch === 'none') return true
  if (different && different.lunch !== 'usual') return !isAtLunch(different.lunch, now)
  return !(hours.lunchBreak.enabled && isAtLunch(hours.lunchBreak, now))
}

const isAtLunch = (lunch: { start: string; end: string }, now: number) =>
  isBetween(lunch, now) || isBetween(lunch, now + 1440)

function isBetween({ start, end }: { start: string; end: string }, minute: number): boolean {
  const [from, to] = [inMinutes(start), inMinutes(end)]
  // From midnight to midnight is the whole day.
  if (from === 0 && to === 0) return minute >= 0 && minute < 1440
  return from !== to && minute >= from && minute < (to > from ? to : to + 1440)
}
