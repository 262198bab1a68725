import { type Days, trendUnitOf } from '#shared/reports/periods.ts'
import type { ReportStats } from '#shared/reports/reports.ts'
import { meanTimeText, outsideHours, outsideHoursText } from '#shared/text/time/mean-time.ts'
import { ChartCard, CountButton, LegendMark } from '#web/reports/charts/chart-card.tsx'
import { LineChart } from '#web/reports/charts/line-chart.tsx'
import { StackedBars } from '#web/reports/charts/stacked-bars.tsx'
import type { Restriction } from '#web/reports/asked/use-report.ts'
import { count, daysText } from '#web/reports/asked/words.ts'
import { wholeRow } from './looks.ts'

type Part = ReportStats['trend'][number]

const unitNames = { hour: 'hora', day: 'dia', week: 'semana', month: 'mês' } as const

/** '10 h', '2', '2/11', 'nov.' */
function shortLabel({ from, hour }: Part, stats: ReportStats): string {
  if (hour !== null) return `${hour} h`
  const [, month = '', day = ''] = from.split('-')
  if (stats.trendUnit === 'month')
    return new Intl.DateTimeFormat('pt-BR', { month: 'short', timeZone: 'UTC' }).format(Date.parse(from))
  const isOneMonth = stats.trend.every((part) => part.from.slice(0, 7) === from.slice(0, 7))
  return isOneMonth ? String(Number(day)) : `${Number(day)}/${Number(month)}`
}

const longLabel = ({ from, to, hour }: Part) =>
  hour === null ? daysText({ startDate: from, endDate: to }) : `${hour} h`

const placeOf = ({ from, to, hour }: Part): Restriction => (hour === null ? { from, to } : { hour })

interface CardProps {
  /** undefined while loading */
  stats: ReportStats | undefined
  onList: (restriction: Restriction) => void
}

/** How many conversations began in each part of the period. */
export function VolumeCard({ stats, days, onList }: CardProps & { days: Days }) {
  // The same parts as in the answer, which is still to come.
  const title = `Conversas por ${unitNames[stats?.trendUnit ?? trendUnitOf(days)]}`
  const trend = stats?.trend ?? []
  const open = (at: number, figure: 'same_day' | 'left_open' | 'total') => {
    const part = trend[at]
    if (part) onList({ figure, ...placeOf(part) })
  }
  return (
    <ChartCard
      title={title}
      className={wholeRow}
      isLoading={!stats}
      isEmpty={stats?.total === 0}
      legend={
        <span className="mr-1 flex gap-3 max-md:hidden">
          <LegendMark colour="bg-chart-1">finalizadas no dia</LegendMark>
          <LegendMark colour="bg-chart-3">ficaram abertas</LegendMark>
        </span>
      }
      table={{
        head: ['Quando', 'Total', 'Finalizadas no dia', 'Ficaram abertas'],
        rows: trend.map((part, at) => {
          const when = longLabel(part)
          return {
            key: when,
            cells: [
              when,
              <CountButton key="total" value={part.total} what={when} onOpen={() => open(at, 'total')} />,
              <CountButton
                key="same"
                value={part.sameDay}
                what={`${when}, finalizadas no dia`}
                onOpen={() => open(at, 'same_day')}
              />,
              <CountButton
                key="left"
                value={part.total - part.sameDay}
                what={`${when}, ficaram abertas`}
                onOpen={() => open(at, 'left_open')}
              />,
            ],
          }
        }),
      }}
    >
      <StackedBars
        mean={meanOfVolume(trend)}
        label={`${title}: os números estão na tabela`}
        bars={trend.map((part) => ({
          label: stats ? shortLabel(part, stats) : '',
          title:
            `${longLabel(part)}: ${part.sameDay} finalizadas no dia, ` +
            `${part.total - part.sameDay} ficaram abertas`,
          lower: part.sameDay,
          upper: part.total - part.sameDay,
        }))}
        onOpen={(at, part) => open(at, part === 'lower' ? 'same_day' : 'left_open')}
      />
    </ChartCard>
  )
}

const oneDigit = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 })

/**
 * How many conversations a part of the period has on average: of those with some, since closed days and those
 * to come say nothing of the others. A single part is its own mean.
 */
function meanOfVolume(trend: readonly Part[]): { value: number; text: string } | undefined {
  const totals = trend.map(({ total }) => total).filter((total) => total > 0)
  if (totals.length < 2) return undefined
  const value = totals.reduce((sum, total) => sum + total, 0) / totals.length
  return { value, text: `média ${oneDigit.format(value)}` }
}

/** The mean first reply in each part of the period, beside the one before. */
export function FirstReplyCard({
  stats,
  before,
  isByClock,
  onList,
}: CardProps & { before: ReportStats | undefined; isByClock: boolean }) {
  const trend = stats?.trend ?? []
  const basis = isByClock ? 'clock' : 'open'
  const values = trend.map((part) => part[basis])
  const biggest = Math.max(0, ...values.map((value) => value ?? 0))
  const isInHours = biggest > 3 * 3_600_000
  const unitMs = isInHours ? 3_600_000 : 60_000
  const scaled = (value: number | null) => (value === null ? null : value / unitMs)
  const open = (at: number) => {
    const part = trend[at]
    if (part) onList({ figure: 'first_reply', ...placeOf(part) })
  }
  const isComparable = before && before.trendUnit === stats?.trendUnit
  const valuesBefore = isComparable ? before.trend.map((part) => scaled(part[basis])) : undefined
  const firstReply = stats?.firstReply
  const mean = firstReply?.[basis].mean ?? null
  const isEmpty = firstReply !== undefined && mean === null
  const isAllOutside = isEmpty && firstReply.count > 0
  /** Conversations that the mean of a part is of. */
  const meant = (part: Part) => part.replied - (isByClock ? 0 : part.outside)
  return (
    <ChartCard
      title="Primeira resposta"
      isLoading={!stats}
      isEmpty={isEmpty}
      {...(isAllOutside && {
        emptyText: `${count(firstReply.outside)} ${outsideHoursText(firstReply.clock.mean)}`,
      })}
      legend={
        <span className="mr-1 flex items-center gap-3 text-xs text-ink-3 max-md:hidden">
          {!isEmpty && valuesBefore?.some((value) => value !== null) && (
            <span>tracejado: período anterior</span>
          )}
          <span>{isInHours ? 'horas' : 'minutos'}</span>
        </span>
      }
      table={{
        head: ['Quando', 'Média', 'Conversas'],
        rows: trend.map((part, at) => {
          const when = longLabel(part)
          return {
            key: when,
            cells: [
              when,
              part[basis] === null && part.replied > 0 ? outsideHours : meanTimeText(part[basis]),
              <CountButton key="rows" value={part.replied} what={when} onOpen={() => open(at)} />,
            ],
          }
        }),
      }}
    >
      <LineChart
        label="Primeira resposta: os números estão na tabela"
        labels={trend.map((part) => (stats ? shortLabel(part, stats) : ''))}
        values={values.map(scaled)}
        before={valuesBefore}
        mean={mean === null ? undefined : { value: mean / unitMs, text: `média ${meanTimeText(mean)}` }}
        titles={trend.map(
          (part) => `${longLabel(part)}: ${meanTimeText(part[basis])}, média de ${meant(part)} conversas`,
        )}
        format={(value) => String(value).replace('.', ',')}
        onOpen={open}
      />
    </ChartCard>
  )
}
