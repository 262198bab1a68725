import { addDays, periodOf } from '#shared/reports/periods.ts'

const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo' }).format()
const before = periodOf('month', addDays(periodOf('month', today).startDate, -1))

/** The report of the last whole month: on the first days of one there is hardly anything to count. */
export const lastMonth = `/reports?period=month&startDate=${before.startDate}`
