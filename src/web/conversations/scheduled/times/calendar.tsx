import { type KeyboardEvent, useEffect, useRef } from 'react'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { cn } from '#web/ui/cn.ts'
import { daysAfter } from './times.ts'

const month = new Intl.DateTimeFormat('pt-BR', { timeZone: 'UTC', month: 'long', year: 'numeric' })
const whole = new Intl.DateTimeFormat('pt-BR', { timeZone: 'UTC', dateStyle: 'full' })
const letters = ['d', 's', 't', 'q', 'q', 's', 's']
const weekdays = ['domingo', 'segunda', 'terça', 'quarta', 'quinta', 'sexta', 'sábado']

/** The same day of another month, or its last one. */
function monthsAfter(day: string, months: number): string {
  const first = new Date(`${day.slice(0, 7)}-01T00:00Z`)
  first.setUTCMonth(first.getUTCMonth() + months)
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  return daysAfter(first.toISOString().slice(0, 10), Math.min(Number(day.slice(8)), last) - 1)
}

const steps: Readonly<Record<string, (day: string) => string>> = {
  ArrowLeft: (day) => daysAfter(day, -1),
  ArrowRight: (day) => daysAfter(day, 1),
  ArrowUp: (day) => daysAfter(day, -7),
  ArrowDown: (day) => daysAfter(day, 7),
  PageUp: (day) => monthsAfter(day, -1),
  PageDown: (day) => monthsAfter(day, 1),
  Home: (day) => daysAfter(day, -new Date(day).getUTCDay()),
  End: (day) => daysAfter(day, 6 - new Date(day).getUTCDay()),
}

/** The month of a day, of which another one is chosen. Days are 'YYYY-MM-DD'. */
export function Calendar({
  day,
  from,
  to,
  today,
  onChange,
}: {
  day: string
  from: string
  to: string
  today: string
  onChange: (day: string) => void
}) {
  const grid = useRef<HTMLDivElement>(null)
  const hasMoved = useRef(false)
  useEffect(() => {
    if (hasMoved.current) grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
    hasMoved.current = false
  }, [day])
  const within = (next: string) => (next < from ? from : next > to ? to : next)
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (!step) return
    event.preventDefault()
    hasMoved.current = true
    onChange(within(step(day)))
  }
  const first = `${day.slice(0, 7)}-01`
  const blanks = new Date(first).getUTCDay()
  const count = Number(daysAfter(monthsAfter(first, 1), -1).slice(8))
  const cells = [
    ...Array.from({ length: blanks }, () => null),
    ...Array.from({ length: count }, (_, n) => daysAfter(first, n)),
  ]
  const weeks = Array.from({ length: Math.ceil(cells.length / 7) }, (_, n) => cells.slice(n * 7, n * 7 + 7))
  return (
    <div>
      <div className="flex items-center justify-between">
        <IconButton
          label="Mês anterior"
          icon={ChevronLeft}
          size="sm"
          disabled={daysAfter(first, -1) < from}
          onClick={() => onChange(within(monthsAfter(day, -1)))}
        />
        <span aria-live="polite" className="text-sm font-medium">
          {month.format(Date.parse(first))}
        </span>
        <IconButton
          label="Próximo mês"
          icon={ChevronRight}
          size="sm"
          disabled={monthsAfter(first, 1) > to}
          onClick={() => onChange(within(monthsAfter(day, 1)))}
        />
      </div>
      <div ref={grid} role="grid" aria-label="Data" tabIndex={-1} onKeyDown={onKeyDown} className="mt-1">
        <div role="row" className="grid grid-cols-7 text-center text-xs text-ink-3">
          {letters.map((letter, n) => (
            <span key={weekdays[n]} role="columnheader" aria-label={weekdays[n]}>
              {letter}
            </span>
          ))}
        </div>
        {weeks.map((week, row) => (
          <div key={week.find((cell) => cell !== null) ?? row} role="row" className="grid grid-cols-7">
            {week.map((cell, column) =>
              cell === null ? (
                <span key={column} role="gridcell" aria-label="sem dia" />
              ) : (
                <span key={cell} role="gridcell" aria-selected={cell === day} className="grid p-px">
                  <button
                    type="button"
                    tabIndex={cell === day ? 0 : -1}
                    aria-label={whole.format(Date.parse(cell))}
                    aria-current={cell === today ? 'date' : undefined}
                    disabled={cell < from || cell > to}
                    onClick={() => onChange(cell)}
                    className={cn(
                      'h-7 rounded-[6px] border border-transparent text-sm tabular-nums max-md:h-9',
                      'not-disabled:hover:bg-hover disabled:text-ink-3',
                      cell === today && 'border-line-strong',
                      cell === day &&
                        'bg-accent font-semibold text-accent-ink not-disabled:hover:bg-accent-hover',
                    )}
                  >
                    {Number(cell.slice(8))}
                  </button>
                </span>
              ),
            )}
          </div>
        ))}
      </div>
    </div>
  )
}
