import type { PieceKind, Timesheet } from '#shared/workday/timesheets.ts'
import { cn } from '#web/ui/cn.ts'
import { spanText } from './words.ts'

export const kindNames: Readonly<Record<PieceKind, string>> = {
  available: 'disponível',
  counted: 'pausa que conta',
  paused: 'pausa',
  over: 'além do limite',
  away: 'ausente',
}

export const kindLooks: Readonly<Record<PieceKind, string>> = {
  available: 'bg-chart-1',
  counted: 'bg-chart-2',
  paused: 'bg-chart-3',
  over: 'bg-red',
  away: 'hatched',
}

/** The hours that a bar shows, of a local day. */
export interface Hours {
  from: number
  to: number
}

/** From 7 to 19, or as much more as somebody was there. @param hourOf the local hour of an instant */
export function hoursOf(sheets: readonly Timesheet[], hourOf: (instant: string) => number): Hours {
  const starts = sheets.map(({ firstAt }) => Math.floor(hourOf(firstAt)))
  // What ends at midnight is of the day before.
  const ends = sheets.map(({ lastAt }) => Math.ceil(hourOf(lastAt)) || 24)
  return { from: Math.min(7, ...starts), to: Math.min(24, Math.max(19, ...ends)) }
}

/** The hours that are written above the bars. */
export function marksOf({ from, to }: Hours): number[] {
  const step = to - from > 14 ? 3 : 2
  const first = Math.ceil((from + 1) / step) * step
  return Array.from({ length: Math.ceil((to - first) / step) }, (_, n) => first + n * step)
}

/** The working day of a person as a bar. */
export function DayBar({
  sheet,
  hours,
  hourOf,
}: {
  sheet: Timesheet
  hours: Hours
  hourOf: (instant: string) => number
}) {
  const share = (hour: number) => (100 * (hour - hours.from)) / (hours.to - hours.from)
  const length = new Map<PieceKind, number>()
  for (const { from, to, kind } of sheet.pieces)
    length.set(kind, (length.get(kind) ?? 0) + (Date.parse(to) - Date.parse(from)) / 1000)
  const span = `Das ${clock(hourOf(sheet.firstAt))} às ${clock(hourOf(sheet.lastAt) || 24)}`
  const told = [...length].map(([kind, seconds]) => `${kindNames[kind]} ${spanText(seconds)}`)
  return (
    <span
      role="img"
      aria-label={`${span}: ${told.join(', ')}`}
      className="relative block h-3.5 w-full overflow-hidden rounded-[3px] bg-sunken outline outline-line"
    >
      {sheet.pieces.map(({ from, to, kind }) => {
        const start = share(hourOf(from))
        // The end of the day is its hour 24.
        const end = share(hourOf(to) || 24)
        return (
          <i
            key={from}
            title={`${kindNames[kind]}: ${clock(hourOf(from))} a ${clock(hourOf(to) || 24)}`}
            className={cn('absolute inset-y-0', kindLooks[kind])}
            style={{ left: `${start}%`, width: `max(1px, ${end - start}%)` }}
          />
        )
      })}
    </span>
  )
}

function clock(hour: number): string {
  const minutes = Math.round(hour * 60)
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}
