import type { ReportStats } from '#shared/reports/reports.ts'
import { cn } from '#web/ui/cn.ts'
import { weekdays } from '#web/reports/asked/words.ts'
import { heatScale, type HeatStep, levelOf } from './heat-scale.ts'

type Hour = ReportStats['hours'][number]

const grounds = ['bg-heat-0', 'bg-heat-1', 'bg-heat-2', 'bg-heat-3', 'bg-heat-4'] as const
/** From Monday on. */
const order = [1, 2, 3, 4, 5, 6, 0]

/** The hours of the week: the darker, the more, by the scale below. Each cell opens its conversations. */
export function HeatMap({
  hours,
  valueOf,
  isCounted,
  format,
  describe,
  shown,
  onOpen,
}: {
  hours: readonly Hour[]
  valueOf: (hour: Hour) => number | null
  /** The values are whole numbers. */
  isCounted: boolean
  /** A value of the scale: '12 conversas', '4 min 48 s'. */
  format: (value: number) => string
  /** In words: '38 conversas'; undefined where there is nothing to open. */
  describe: (hour: Hour) => string | undefined
  shown: { weekday: number; hour: number } | undefined
  onOpen: (weekday: number, hour: number) => void
}) {
  const known = new Map(hours.map((one) => [`${one.weekday} ${one.hour}`, one]))
  const first = Math.min(...hours.map(({ hour }) => hour))
  const last = Math.max(...hours.map(({ hour }) => hour))
  const columns = Array.from({ length: last - first + 1 }, (_, at) => first + at)
  const most = Math.max(0, ...hours.map((one) => valueOf(one) ?? 0))
  const rows = order.filter((weekday) => weekday % 6 !== 0 || hours.some((one) => one.weekday === weekday))
  return (
    <div
      className="thin-scroll overflow-x-auto px-4 pt-2 pb-4"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls where it is narrow
      tabIndex={0}
      role="region"
      aria-label="Mapa de horas"
    >
      <table
        className={[
          'w-full min-w-max border-separate border-spacing-[3px] text-xs text-ink-3',
          'tabular-nums',
        ].join(' ')}
      >
        <thead>
          <tr>
            <th scope="col" className="text-left font-normal">
              <span className="sr-only">Dia</span>
            </th>
            {columns.map((hour) => (
              <th key={hour} scope="col" className="min-w-6 text-center font-normal">
                {hour}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((weekday) => (
            <tr key={weekday}>
              <th scope="row" className="pr-2 text-left font-normal">
                {weekdays[weekday]}
              </th>
              {columns.map((hour) => {
                const one = known.get(`${weekday} ${hour}`)
                const value = one ? valueOf(one) : null
                const words = one && describe(one)
                const isShown = shown?.weekday === weekday && shown.hour === hour
                return (
                  <td key={hour} className="p-0">
                    {words !== undefined ? (
                      <button
                        type="button"
                        aria-label={`${weekdays[weekday]}, ${hour} h: ${words}. Ver as conversas`}
                        title={`${weekdays[weekday]}, ${hour} h: ${words}`}
                        aria-pressed={isShown}
                        onClick={() => onOpen(weekday, hour)}
                        className={cn(
                          'block h-6 w-full rounded-[4px]',
                          grounds[levelOf(value, most)],
                          isShown && 'outline-2 outline-ink',
                        )}
                      />
                    ) : (
                      <span className="block h-6 w-full rounded-[4px] bg-heat-0" />
                    )}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <Scale steps={heatScale(most, isCounted)} format={format} />
    </div>
  )
}

/** What each shade stands for. */
function Scale({ steps, format }: { steps: readonly HeatStep[]; format: (value: number) => string }) {
  return (
    <ul aria-label="Escala" className="mt-2 flex flex-wrap gap-x-3 gap-y-1 text-xs text-ink-3 tabular-nums">
      {steps.map(({ level, upTo }) => (
        <li key={level} className="flex items-center gap-1.5 whitespace-nowrap">
          <i aria-hidden className={cn('size-3 flex-none rounded-[3px]', grounds[level])} />
          {upTo === 0 ? 'nada' : `até ${format(upTo)}`}
        </li>
      ))}
    </ul>
  )
}
