/**
 * Dates in Brazilian format, in the time zone of the top bar. Formatters are created once: each takes a
 * millisecond.
 */
export const timeZone = 'America/Sao_Paulo'
function formatter(options: Intl.DateTimeFormatOptions) {
  return new Intl.DateTimeFormat('pt-BR', { timeZone, ...options })
}

const time = formatter({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const timeWithSeconds = formatter({ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' })
const date = formatter({ day: '2-digit', month: '2-digit', year: 'numeric' })
const shortWeekday = formatter({ weekday: 'short' })
const weekday = formatter({ weekday: 'long' })
const day = new Intl.DateTimeFormat('sv-SE', { timeZone })

const dayMs = 86_400_000

type Instant = string | number

function parse(instant: Instant): number {
  return typeof instant === 'number' ? instant : Date.parse(instant)
}

function write(format: Intl.DateTimeFormat, instant: Instant): string {
  const ms = parse(instant)
  return Number.isNaN(ms) ? 'Data inválida' : format.format(ms)
}

/** '14:32'. Like the others, 'Data inválida' for an invalid date. */
export function clockTime(instant: Instant): string {
  return write(time, instant)
}

/** '14:32:08' */
export function clockTimeWithSeconds(instant: Instant): string {
  return write(timeWithSeconds, instant)
}

/** '19/11/2026' */
export function shortDate(instant: Instant): string {
  return write(date, instant)
}

/** '19/11/2026 14:32' */
export function dateTime(instant: Instant): string {
  return Number.isNaN(parse(instant)) ? 'Data inválida' : `${shortDate(instant)} ${clockTime(instant)}`
}

/** 'qui., 19/11/2026' */
export function clockDate(instant: Instant): string {
  return Number.isNaN(parse(instant))
    ? 'Data inválida'
    : `${shortWeekday.format(parse(instant))}, ${shortDate(instant)}`
}

/** 'YYYY-MM-DD' of the day in the configured time zone. */
export function dayKey(instant: Instant): string {
  return write(day, instant)
}

/** 'Hoje', 'Ontem', 'segunda-feira' within the last week, else '19/11/2026'. */
export function daySeparator(instant: Instant, nowMs: number): string {
  const daysAgo = Math.round((dayNumber(nowMs) - dayNumber(instant)) / dayMs)
  if (daysAgo === 0) return 'Hoje'
  if (daysAgo === 1) return 'Ontem'
  if (daysAgo > 1 && daysAgo < 7) return write(weekday, instant)
  return shortDate(instant)
}

function dayNumber(instant: Instant): number {
  return Date.parse(`${dayKey(instant)}T00:00:00Z`)
}
