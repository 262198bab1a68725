import { workStateNames } from '#shared/text/reports/timesheet-texts.ts'
import type { WorkPeriod } from '#shared/workday/timesheets.ts'

const oneDigit = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** '8h 31min', '41min', '12s'; with the seconds: '1h 21min 06s'. */
export function spanText(seconds: number, withSeconds = false): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  if (seconds < 60) return `${seconds}s`
  const whole = hours > 0 ? `${hours}h ${two(minutes)}min` : `${minutes}min`
  return withSeconds ? `${whole} ${two(rest)}s` : whole
}

/** How many an hour of productive time; '–' without any. */
export const anHour = (count: number, productiveSeconds: number): string =>
  productiveSeconds === 0 ? '–' : oneDigit.format((count * 3600) / productiveSeconds)

/** What a period is called. */
export function stateName({ state, reason }: Pick<WorkPeriod, 'state' | 'reason'>): string {
  if (state === 'idle') return `${workStateNames.idle}, sem mexer`
  return (state === 'paused' && reason?.name) || workStateNames[state]
}

/** 'quarta-feira' of 'YYYY-MM-DD' */
export const weekdayOf = (day: string): string =>
  new Intl.DateTimeFormat('pt-BR', { timeZone: 'UTC', weekday: 'long' }).format(Date.parse(day))

/** '18/11' of 'YYYY-MM-DD' */
export const shortDay = (day: string): string => `${day.slice(8, 10)}/${day.slice(5, 7)}`
