import type { Timesheets } from '#shared/workday/timesheets.ts'
import { type Cell, timeCells } from '#server/platform/http/answers/time-cell.ts'

/** The rows of a file of working days. */
export async function* timesheetCells({
  people,
  sheets,
  timezone,
}: Timesheets): AsyncGenerator<readonly Cell[]> {
  const time = timeCells(timezone)
  const names = new Map(people.map(({ userId, name }) => [userId, name]))
  for (const sheet of sheets)
    yield [
      names.get(sheet.userId) ?? null,
      sheet.day.split('-').toReversed().join('/'),
      time(sheet.firstAt),
      sheet.isOpen ? null : time(sheet.lastAt),
      sheet.logged,
      sheet.available,
      sheet.paused,
      sheet.counted,
      sheet.away,
      sheet.pauses,
      sheet.over,
      sheet.overSeconds,
      sheet.taken,
      sheet.answered,
      sheet.finished,
    ]
}
