import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { type Figure, isTimeFigure, noGroup, otherGroup } from '#shared/reports/figures.ts'
import {
  type ReportGroups,
  reportPageSizes,
  type ReportPage,
  type RowsFilter,
} from '#shared/reports/report-parts.ts'
import type { ReportStats, Times } from '#shared/reports/reports.ts'
import { figureNames, groupName, noGroupNames, othersName } from '#shared/text/reports/report-texts.ts'
import type { ZonedDates } from '#shared/text/time/zoned-dates.ts'
import { meanTimeText, outsideHours } from '#shared/text/time/mean-time.ts'
import { useListEnd } from '#web/platform/browser/use-list-end.ts'
import { useLastPage } from '#web/platform/browser/use-page-filter.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { cn } from '#web/ui/cn.ts'
import { Card } from '#web/ui/layout/card.tsx'
import { PageSize } from '#web/ui/layout/page-size.tsx'
import { Pager } from '#web/ui/layout/pager.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { ExportButtons } from '#web/reports/cards/export-buttons.tsx'
import { partQueries } from '#web/reports/asked/part-queries.ts'
import type { Report, Restriction } from '#web/reports/asked/use-report.ts'
import { count, daysText, timeDelta, weekdays } from '#web/reports/asked/words.ts'
import { RowsTable } from '#web/reports/rows/rows-table.tsx'

/** The conversations behind a figure, the longest times first. */
export function RowsCard({
  report,
  rows,
  stats,
  before,
  dates,
}: {
  report: Report
  rows: RowsFilter
  stats: ReportStats | undefined
  before: ReportStats | undefined
  dates: ZonedDates
}) {
  const { page, setPage, order, sort, isByClock } = report
  const figure = rows.figure ?? 'total'
  const shownOrder = order ?? (isByClock && isTimeFigure(figure) ? 'clock' : undefined)
  const asked = { page: page.page, limit: page.limit, order: shownOrder }
  const end = useListEnd({ ...rows, ...asked })
  const { data, error, isFetching, refetch } = useQuery(partQueries.rows(rows, { ...asked, asOf: end.value }))
  end.note(data && { page: data.pagination.page, asOf: data.asOf })
  useLastPage(page.page, data?.pagination.totalPages, (last) => setPage({ page: last }))
  const place = useRef<HTMLDivElement>(null)
  const key = JSON.stringify(rows)
  useEffect(() => {
    // Some browsers return a promise, which is no clean-up.
    place.current?.scrollIntoView({ block: 'nearest' })
  }, [key])
  const where = useWhere(report)
  const times =
    isTimeFigure(figure) && stats && isWhole(report.restriction) ? timesOf(stats, figure) : undefined
  const left = isByClock ? 0 : (times?.outside ?? 0)
  const total = data?.pagination.total
  return (
    <div ref={place} className="mb-4 scroll-mt-4">
      <Card
        title={figureNames[figure]}
        note={
          <span aria-live="polite" className="tabular-nums">
            {[where, total === undefined ? '' : `${count(total)} ${total === 1 ? 'conversa' : 'conversas'}`]
              .filter((text) => text !== '')
              .join(' · ')}
            {total !== undefined && left > 0 && (
              <span className="max-md:sr-only">{`, ${count(left)} ${outsideHours}`}</span>
            )}
          </span>
        }
        className="overflow-hidden print:overflow-visible"
        actions={
          <>
            <ExportButtons filter={rows} part="rows" order={shownOrder} what="estas conversas" />
            <IconButton
              icon={X}
              label="Fechar a lista"
              size="sm"
              className="print:hidden"
              onClick={() => report.list(undefined)}
            />
          </>
        }
      >
        {isTimeFigure(figure) && isWhole(report.restriction) && !times && (
          <div aria-busy className="h-[83px] border-b border-line md:h-[39px]" />
        )}
        {times && <Spreads times={times} before={before && timesOf(before, figure)} isByClock={isByClock} />}
        {!data && error ? (
          <ErrorState description={error.message} isRetrying={isFetching} onRetry={() => void refetch()} />
        ) : !data ? (
          <div role="status" aria-busy aria-label="Carregando as conversas">
            <div className="h-[34px] bg-sunken" />
            {Array.from({ length: page.limit }, (_, at) => (
              <div key={at} className="flex h-11 items-center gap-3 border-t border-line px-4">
                <Skeleton isRound className="size-6" />
                <Skeleton className="w-40" />
                <Skeleton className="ml-auto w-56 max-md:w-20" />
              </div>
            ))}
          </div>
        ) : data.conversations.length === 0 ? (
          <EmptyState
            title="Nenhuma conversa"
            description="Nenhuma conversa do período entra neste número."
          />
        ) : (
          <div aria-busy={isFetching} className="overflow-x-auto">
            <RowsTable
              rows={data.conversations}
              figure={figure}
              order={shownOrder ?? (isTimeFigure(figure) ? 'open' : 'recent')}
              dates={dates}
              onSort={sort}
            />
          </div>
        )}
        {data && data.pagination.totalPages > 1 && (
          <p className="hidden px-4 py-2 text-xs text-ink-2 print:block">{partText(data)}</p>
        )}
        {data && data.pagination.total > 10 && (
          <div className="flex flex-wrap items-center gap-2 border-t border-line px-4 py-2 print:hidden">
            <Pager
              page={page.page}
              totalPages={data.pagination.totalPages}
              onPage={(next) => setPage({ page: next })}
            />
            <PageSize
              sizes={reportPageSizes}
              limit={page.limit}
              onLimit={(limit) => setPage({ limit })}
              className="ml-auto"
            />
          </div>
        )}
      </Card>
    </div>
  )
}

/** Whether nothing but the figure restricts the list: then its means are those of the report. */
const isWhole = (restriction: Restriction) => Object.keys(restriction).every((name) => name === 'figure')

function timesOf(stats: ReportStats, figure: Figure): Times {
  if (figure === 'queue') return stats.queue
  return figure === 'handling' ? stats.handling : stats.firstReply
}

/** On paper, where the pages cannot be turned. */
function partText({ conversations, pagination: { page, limit, total } }: ReportPage): string {
  const before = (page - 1) * limit
  const [from, to] = [count(before + 1), count(before + conversations.length)]
  return `Aqui estão ${from} a ${to} de ${count(total)} conversas. A exportação tem todas.`
}

/** 'segunda, 10 h', '2/11/2026', 'Cliente': what restricts the list, in words. */
function useWhere({ restriction, filter }: Report): string {
  const { from, to, weekday, hour, stars, by, key } = restriction
  const groups = useQuery({
    ...partQueries.groups(filter, by ?? 'category'),
    enabled: by !== undefined && key !== otherGroup,
  })
  return [
    from !== undefined && daysText({ startDate: from, endDate: to ?? from }),
    weekday !== undefined && weekdays[Number(weekday)],
    hour !== undefined && `${hour} h`,
    stars !== undefined && (stars === '1' ? '1 estrela' : `${stars} estrelas`),
    by !== undefined && key !== undefined && (key === otherGroup ? othersName : nameIn(groups.data, by, key)),
  ]
    .filter((text) => typeof text === 'string' && text !== '')
    .join(', ')
}

function nameIn(data: ReportGroups | undefined, by: NonNullable<Restriction['by']>, key: string): string {
  const group = data?.groups.find((one) => one.key === key)
  return group ? groupName(group, by) : key === noGroup ? noGroupNames[by] : ''
}

function Spreads({
  times,
  before,
  isByClock,
}: {
  times: Times
  before: Times | undefined
  isByClock: boolean
}) {
  const basis = isByClock ? 'clock' : 'open'
  return (
    <dl
      className={[
        'grid grid-cols-3 gap-4 border-b border-line px-4 py-2.5 text-sm',
        'max-md:grid-cols-1 max-md:gap-1',
      ].join(' ')}
    >
      {(
        [
          ['Média', 'mean'],
          ['Mediana', 'median'],
          ['p90', 'p90'],
        ] as const
      ).map(([name, field]) => {
        const delta = before && timeDelta(times[basis][field], before[basis][field])
        return (
          <div key={field} className="flex items-baseline gap-2">
            <dt
              className="text-ink-2"
              title={field === 'p90' ? 'Nove de cada dez esperaram no máximo isto' : undefined}
            >
              {name}
            </dt>
            <dd className="font-semibold tabular-nums">
              {meanTimeText(times[basis][field])}
              {delta && (
                <span
                  className={cn(
                    'ml-1.5 text-xs font-medium',
                    { good: 'text-green-text', bad: 'text-red-text', neutral: 'text-ink-3' }[delta.tone],
                  )}
                >
                  {delta.text}
                </span>
              )}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
