/** Milliseconds since the day began, at eight in the morning. */
export type DayMs = number

export const secondMs = 1000
export const minuteMs = 60 * secondMs
export const hourMs = 60 * minuteMs
/** From 08:00 to 19:00. */
export const dayLengthMs: DayMs = 11 * hourMs

/** A Tuesday, eight in the morning in São Paulo. */
const dayBeginsAt = new Date('2027-03-09T08:00:00-03:00')

export const instantOf = (at: DayMs): Date => new Date(dayBeginsAt.getTime() + at)
export const dayMsOf = (instant: string | Date): DayMs => new Date(instant).getTime() - dayBeginsAt.getTime()

/** The local time: `14:05:09`. */
export const wallTime = (at: DayMs): string =>
  new Date(Date.UTC(2027, 2, 9, 8) + at).toISOString().slice(11, 19)

/** A half-open interval of the day. */
export interface Stretch {
  fromMs: DayMs
  toMs: DayMs
}

export const isWithin = (at: DayMs, { fromMs, toMs }: Stretch): boolean => at >= fromMs && at < toMs
