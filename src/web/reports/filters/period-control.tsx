import { CalendarDays, ChevronLeft, ChevronRight } from 'lucide-react'
import { useRef } from 'react'
import { addDays, type Days, periodOf, periods } from '#shared/reports/periods.ts'
import { periodNames } from '#shared/text/reports/report-texts.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { Segmented } from '#web/ui/fields/segmented.tsx'
import { daysOf, type Subject } from '#web/reports/asked/use-report.ts'
import { daysText } from '#web/reports/asked/words.ts'

/** Which days: a day, week or month with the ones before and after it, or two chosen dates. */
export function PeriodControl({
  subject,
  today,
  isReversed,
  onChange,
}: {
  subject: Subject
  today: string
  /** The chosen dates are the wrong way round. */
  isReversed: boolean
  onChange: (next: Pick<Subject, 'period' | 'startDate' | 'endDate'>) => void
}) {
  const period = subject.period ?? 'day'
  const days = daysOf(subject, today)
  const isCurrent = period !== 'custom' && days.startDate === periodOf(period, today).startDate
  const move = (by: -1 | 1) =>
    onChange({ startDate: by < 0 ? addDays(days.startDate, -1) : addDays(days.endDate, 1) })
  return (
    <>
      <Segmented
        label="Período"
        className="max-md:w-full"
        value={period}
        options={periods.map((value) => ({ value, label: periodNames[value] }))}
        onChange={(next) =>
          onChange(
            next === 'custom'
              ? {
                  period: next,
                  startDate: days.startDate,
                  endDate: days.endDate < today ? days.endDate : today,
                }
              : { period: next, startDate: undefined, endDate: undefined },
          )
        }
      />
      {period === 'custom' ? (
        <span className="flex items-center gap-1.5 max-md:w-full">
          <Input
            type="date"
            aria-label="Data inicial"
            fieldSize="bar"
            className="md:w-36"
            value={subject.startDate ?? ''}
            onChange={(event) => onChange({ startDate: event.target.value || undefined })}
          />
          <span className="text-sm text-ink-3">a</span>
          <Input
            type="date"
            aria-label="Data final"
            aria-invalid={isReversed || undefined}
            fieldSize="bar"
            className="md:w-36"
            value={subject.endDate ?? ''}
            onChange={(event) => onChange({ endDate: event.target.value || undefined })}
          />
        </span>
      ) : (
        <span className="flex items-center gap-0.5 max-md:w-full max-md:justify-center">
          <IconButton icon={ChevronLeft} label="Período anterior" onClick={() => move(-1)} />
          <DaysButton days={days} today={today} onChoose={(startDate) => onChange({ startDate })} />
          <IconButton
            icon={ChevronRight}
            label="Período seguinte"
            disabled={isCurrent}
            onClick={() => move(1)}
          />
        </span>
      )}
    </>
  )
}

/** The days that are shown; opens the browser's calendar, in which a day chooses the period that has it. */
function DaysButton({
  days,
  today,
  onChoose,
}: {
  days: Days
  today: string
  onChoose: (day: string) => void
}) {
  const calendar = useRef<HTMLInputElement>(null)
  return (
    <span className="relative">
      <button
        type="button"
        aria-label={`${daysText(days)}. Escolher no calendário`}
        onClick={() => calendar.current?.showPicker()}
        className={[
          'inline-flex h-(--height-control) min-w-28 items-center justify-center gap-1.5 rounded-control',
          'px-1.5 text-sm text-ink-2 tabular-nums hover:bg-hover hover:text-ink',
        ].join(' ')}
      >
        <CalendarDays size={14} aria-hidden />
        {daysText(days)}
      </button>
      {/* The calendar opens below it; only the button is seen and has the focus. */}
      <input
        ref={calendar}
        type="date"
        aria-hidden
        tabIndex={-1}
        className="pointer-events-none absolute inset-0 opacity-0"
        value={days.startDate}
        max={today}
        onChange={({ target }) => target.value !== '' && onChoose(target.value)}
      />
    </span>
  )
}
