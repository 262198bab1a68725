import { zonedDates } from '#shared/text/time/zoned-dates.ts'

/** A time in a cell, in the time zone of the settings: a text in a CSV file, a date in a spreadsheet. */
export class TimeCell {
  /** '19/11/2026 14:32' */
  readonly text: string
  /** The same as if it were UTC: spreadsheets know no time zones. */
  readonly wallClock: Date

  constructor(text: string) {
    this.text = text
    const [day = '', time = ''] = text.split(' ')
    this.wallClock = new Date(`${day.split('/').toReversed().join('-')}T${time}:00Z`)
  }
}

/** What may stand in a cell of a file that is downloaded. */
export type Cell = string | number | null | TimeCell

/** @returns makes cells of ISO instants */
export function timeCells(timezone: string): (instant: string) => TimeCell {
  const dates = zonedDates(timezone)
  return (instant) => new TimeCell(dates.dateTime(instant))
}
