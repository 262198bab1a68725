/** Dates in Brazilian format, in the console's time zone. */
const timeZone = 'America/Sao_Paulo'
function formatter(options: Intl.DateTimeFormatOptions) {
  return new Intl.DateTimeFormat('pt-BR', { timeZone, hourCycle: 'h23', ...options })
}

const time = formatter({ hour: '2-digit', minute: '2-digit' })
const timeWithSeconds = formatter({ hour: '2-digit', minute: '2-digit', second: '2-digit' })
const date = formatter({ day: '2-digit', month: '2-digit', year: 'numeric' })
const weekday = formatter({ weekday: 'long' })
const day = new Intl.DateTimeFormat('sv-SE', { timeZone })

const dayMs = 86_400_000

/** '14:32' */
export function clockTime(at: string): string {
  return time.format(Date.parse(at))
}

/** '14:32:08' */
export function clockTimeWithSeconds(atMs: number): string {
  return timeWithSeconds.format(atMs)
}

/** '14:32:08.914' */
export function exactTime(at: string): string {
  return `${timeWithSeconds.format(Date.parse(at))}.${at.slice(20, 23).padEnd(3, '0')}`
}

/** '2026-11-20' */
export function dayKey(at: string | number): string {
  return day.format(new Date(at))
}

/** 'Hoje', 'Ontem', 'segunda-feira' within the last week, else '19/11/2026'. */
export function dayTitle(key: string, nowMs: number): string {
  const noon = Date.parse(`${key}T12:00:00-03:00`)
  const today = Date.parse(`${dayKey(nowMs)}T12:00:00-03:00`)
  const daysAgo = Math.round((today - noon) / dayMs)
  if (daysAgo === 0) return 'Hoje'
  if (daysAgo === 1) return 'Ontem'
  return daysAgo > 1 && daysAgo < 7 ? weekday.format(noon) : date.format(noon)
}

/** '0:12' */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
