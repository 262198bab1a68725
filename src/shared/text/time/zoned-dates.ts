/** Days and times in the time zone of the settings, in which the filter's days are, too. */
export interface ZonedDates {
  /** '14:32:08' */
  time(instant: string): string
  /** '19/11/2026 14:32' */
  dateTime(instant: string): string
  /** 'YYYY-MM-DD' */
  day(instant: string | number): string
  /** 'Hoje', 'Ontem, 18/11', 'terça-feira, 17/11', '12/11/2025' */
  dayName(instant: string, nowMs: number): string
}

const dayMs = 86_400_000

export function zonedDates(timeZone: string): ZonedDates {
  const format = (options: Intl.DateTimeFormatOptions, locale = 'pt-BR') =>
    new Intl.DateTimeFormat(locale, { timeZone, ...options })
  const time = format({ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' })
  const minute = format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const day = format({}, 'sv-SE')
  const dayOf = (instant: string | number) => day.format(new Date(instant))
  return {
    time: (instant) => time.format(new Date(instant)),
    dateTime: (instant) => `${longDay(dayOf(instant))} ${minute.format(new Date(instant))}`,
    day: dayOf,
    dayName(instant, nowMs) {
      const [then, today] = [dayOf(instant), dayOf(nowMs)]
      const daysAgo = Math.round((Date.parse(today) - Date.parse(then)) / dayMs)
      if (daysAgo === 0) return 'Hoje'
      if (daysAgo === 1) return `Ontem, ${shortDay(then)}`
      if (daysAgo < 0 || daysAgo > 6) return longDay(then)
      return `${weekday.format(Date.parse(then))}, ${shortDay(then)}`
    },
  }
}

const weekday = new Intl.DateTimeFormat('pt-BR', { timeZone: 'UTC', weekday: 'long' })
/** '18/11' of 'YYYY-MM-DD' */
const shortDay = (day: string) => `${day.slice(8, 10)}/${day.slice(5, 7)}`
/** '18/11/2026' */
const longDay = (day: string) => `${shortDay(day)}/${day.slice(0, 4)}`

/** A period of whole days: '12/11 a 19/11/2026', 'desde 12/11/2026'. Days are 'YYYY-MM-DD'. */
export function periodText(from: string | undefined, to: string | undefined): string | undefined {
  if (from === undefined) return to === undefined ? undefined : `até ${longDay(to)}`
  if (to === undefined) return `desde ${longDay(from)}`
  if (from === to) return longDay(from)
  return `${from.slice(0, 4) === to.slice(0, 4) ? shortDay(from) : longDay(from)} a ${longDay(to)}`
}

/** The day that is some days before another one. */
export const daysBefore = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * dayMs).toISOString().slice(0, 10)
