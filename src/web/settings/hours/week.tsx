import { useFormContext } from 'react-hook-form'
import type { SystemSettings } from '#shared/settings/settings.ts'
import { schedule } from '#shared/settings/schedule.ts'
import { openWeek, wallClock } from '#shared/settings/working-hours.ts'
import { useNow } from '#web/platform/live/server-clock.ts'
import { cn } from '#web/ui/cn.ts'
import { Switch } from '#web/ui/fields/switch.tsx'
import { dayWords, type Parts, weekWords } from './week-words.ts'
import { weekdays } from './weekdays.ts'

/**
 * The days with a bar of the opening hours of each, and the current time.
 * @param props.isReadOnly hours that are inherited: the days are text
 */
export function Week({ isReadOnly = false }: { isReadOnly?: boolean }) {
  const { watch, setValue, formState } = useFormContext<SystemSettings>()
  const minute = useNow(60_000)
  const values = watch()
  const { days: usual, differentDays = [] } = values.workingHours
  const open = [...usual, ...differentDays.map(({ day }) => day)]
  // An incomplete time has no bar. Exceptions are of no weekday, right or wrong.
  const typed = schedule.safeParse({
    ...values,
    scheduleExceptions: [],
    workingHours: { ...values.workingHours, days: usual.length > 0 ? usual : [0] },
  }).data
  const week = typed && openWeek({ ...typed, workingHours: { ...typed.workingHours, days: usual } })
  const now = typed && wallClock(typed.timezone, new Date(minute))
  const error = formState.errors.workingHours?.days

  const toggle = (day: number, isOn: boolean) => {
    const different = differentDays.filter((one) => one.day !== day)
    const rest = usual.filter((one) => one !== day)
    // Days with hours of their own are open in any case, and where no others are, these are the usual ones.
    const next = isOn ? [...usual, day] : rest.length > 0 ? rest : different.map((one) => one.day)
    if (different.length < differentDays.length)
      setValue('workingHours.differentDays', different.length > 0 ? different : undefined)
    setValue(
      'workingHours.days',
      next.toSorted((a, b) => a - b),
      { shouldValidate: true },
    )
  }

  return (
    <fieldset className="w-full" aria-describedby={error ? 'dias-erro' : undefined}>
      <legend className="sr-only">Dias de atendimento</legend>
      <div className="grid gap-[5px]">
        {weekdays.map(({ day, name }) => (
          <div
            key={day}
            className={[
              'grid min-h-6 grid-cols-[112px_minmax(0,1fr)] items-center',
              'gap-x-3 text-sm lg:grid-cols-[112px_minmax(0,1fr)_160px]',
            ].join(' ')}
          >
            {isReadOnly ? (
              <span className={open.includes(day) ? 'text-ink-2' : 'text-ink-3'}>{name}</span>
            ) : (
              <label
                className={cn('flex items-center gap-2', open.includes(day) ? 'font-medium' : 'text-ink-3')}
              >
                <Switch checked={open.includes(day)} onCheckedChange={(isOn) => toggle(day, isOn)} />
                {name}
              </label>
            )}
            <Bar
              parts={week?.[day] ?? []}
              nowMinute={now?.weekday === day ? now.minute : undefined}
              isQuiet={isReadOnly}
            />
            <span className={cn('text-xs tabular-nums max-lg:sr-only', 'text-ink-2')}>
              {week && dayWords(week[day] ?? [])}
            </span>
          </div>
        ))}
      </div>
      <Scale />
      {/* Where there is no room beside the bars. */}
      {week && (
        <p aria-hidden className="mt-1.5 text-xs text-ink-2 tabular-nums lg:hidden">
          {weekWords(week).map((words, n) => (
            <span key={words}>
              {n > 0 && ' · '}
              <span className="whitespace-nowrap">{words}</span>
            </span>
          ))}
        </p>
      )}
      {error && (
        <p id="dias-erro" role="alert" className="mt-1.5 text-xs text-red-text">
          {error.message ?? error.root?.message}
        </p>
      )}
    </fieldset>
  )
}

const share = (minute: number) => `${((minute / 1440) * 100).toFixed(2)}%`

function Bar({
  parts,
  nowMinute,
  isQuiet,
}: {
  parts: Parts
  nowMinute: number | undefined
  /** As of what cannot be changed here. */
  isQuiet: boolean
}) {
  return (
    <svg aria-hidden className="h-3.5 w-full overflow-visible" preserveAspectRatio="none">
      <rect width="100%" height="14" rx="3" className="fill-sunken stroke-line" />
      {parts.map(({ from, to }) => (
        <rect
          key={from}
          x={share(from)}
          width={share(to - from)}
          height="14"
          rx="3"
          className={isQuiet ? 'fill-ink-3' : 'fill-accent'}
        />
      ))}
      {nowMinute !== undefined && (
        <rect x={share(nowMinute)} y="-2" width="2" height="18" className="fill-ink">
          <title>agora</title>
        </rect>
      )}
    </svg>
  )
}

function Scale() {
  return (
    <div
      aria-hidden
      className={[
        'mt-1 grid grid-cols-[112px_minmax(0,1fr)] gap-x-3 text-xs',
        'text-ink-3 tabular-nums lg:grid-cols-[112px_minmax(0,1fr)_160px]',
      ].join(' ')}
    >
      <span />
      <svg className="h-4 w-full overflow-visible">
        {[0, 6, 12, 18, 24].map((hour) => (
          <text
            key={hour}
            x={share(hour * 60)}
            y="12"
            textAnchor={hour === 24 ? 'end' : hour === 0 ? 'start' : 'middle'}
            className="fill-current"
          >
            {hour} h
          </text>
        ))}
      </svg>
    </div>
  )
}
