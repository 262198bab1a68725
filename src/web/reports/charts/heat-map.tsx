import type { ReportStats } from '#shared/reports/reports.ts'
import { cn } from '#web/ui/cn.ts'
import { weekdays } from '#web/reports/asked/words.ts'

type Hour = ReportStats['hours'][number]

const levels = ['bg-heat-0', 'bg-heat-1', 'bg-heat-2', 'bg-heat-3', 'bg-heat-4'] as const
/** From Monday on. */
const order = [1, 2, 3, 4, 5, 6, 0]

/** The hours of the week: the darker, the more. Each cell opens its conversations. */
export function HeatMap({
  hours,
  valueOf,
  describe,
  shown,
  onOpen,
}: {
  hours: readonly Hour[]
  valueOf: (hour: Hour) => number | null
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
                const level =
                  value === null || value === 0 ? 0 : Math.min(4, Math.max(1, Math.ceil((4 * value) / most)))
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
                          levels[level],
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
    </div>
  )
}
