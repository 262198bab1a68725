// Days are 'YYYY-MM-DD' in the time zone of the settings; periods include both of theirs.

export const periods = ['day', 'week', 'month', 'custom'] as const
export type Period = (typeof periods)[number]

export interface Days {
  startDate: string
  endDate: string
}

const dayMs = 86_400_000
const write = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** The day some days after another one. */
export const addDays = (day: string, days: number): string => write(Date.parse(day) + days * dayMs)

/** How many days a period has. */
export const dayCount = ({ startDate, endDate }: Days): number =>
  Math.round((Date.parse(endDate) - Date.parse(startDate)) / dayMs) + 1

/** The Monday of a day's week. */
export function mondayOf(day: string): string {
  const weekday = new Date(Date.parse(day)).getUTCDay()
  return addDays(day, -((weekday + 6) % 7))
}

const monthOf = (day: string) => day.slice(0, 7)

/** The last day of a day's month. */
export function lastOfMonth(day: string): string {
  const [year = 0, month = 0] = monthOf(day).split('-').map(Number)
  return write(Date.UTC(year, month, 0))
}

/**
 * The whole period that has a day: the day, its week from Monday to Sunday, its month.
 * @see specification §4 Report period
 */
export function periodOf(period: Exclude<Period, 'custom'>, day: string): Days {
  if (period === 'day') return { startDate: day, endDate: day }
  if (period === 'month') return { startDate: `${monthOf(day)}-01`, endDate: lastOfMonth(day) }
  const monday = mondayOf(day)
  return { startDate: monday, endDate: addDays(monday, 6) }
}

/** The part of a period that is not in the future; the whole of one that begins later. */
export function untilToday({ startDate, endDate }: Days, today: string): Days {
  return { startDate, endDate: endDate > today && startDate <= today ? today : endDate }
}

/**
 * The period before, as far as this one has come: of the first nineteen days of a month, the first nineteen
 * of the month before, or as many as it has; of others, as many days before as it has.
 */
export function periodBefore(days: Days, today: string): Days {
  const { startDate, endDate } = untilToday(days, today)
  const isMonth = startDate.endsWith('-01') && days.endDate === lastOfMonth(startDate)
  if (!isMonth) {
    const length = dayCount(days)
    return { startDate: addDays(startDate, -length), endDate: addDays(endDate, -length) }
  }
  const last = addDays(startDate, -1)
  const first = `${monthOf(last)}-01`
  if (endDate === days.endDate) return { startDate: first, endDate: last }
  const same = addDays(first, dayCount({ startDate, endDate }) - 1)
  return { startDate: first, endDate: same < last ? same : last }
}

/** The last whole week, Monday to Sunday, and the one before it. */
export function lastWeeks(today: string): { week: Days; before: Days } {
  const monday = mondayOf(today)
  return {
    week: { startDate: addDays(monday, -7), endDate: addDays(monday, -1) },
    before: { startDate: addDays(monday, -14), endDate: addDays(monday, -8) },
  }
}

/** The parts into which a period is cut for its trend. */
export const trendUnits = ['hour', 'day', 'week', 'month'] as const
export type TrendUnit = (typeof trendUnits)[number]

export function trendUnitOf(days: Days): TrendUnit {
  const count = dayCount(days)
  if (count === 1) return 'hour'
  if (count <= 62) return 'day'
  return count <= 380 ? 'week' : 'month'
}
