import { useQuery } from '@tanstack/react-query'
import { ArrowDown, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { type Figure, isTimeFigure, otherGroup } from '#shared/reports/figures.ts'
import {
  type ReportGroups,
  reportPageSizes,
  type ReportRow,
  type ReportStats,
  type RowOrder,
  type RowsFilter,
  type Times,
} from '#shared/reports/reports.ts'
import { figureNames, noGroupNames, othersName, situation } from '#shared/text/report-texts.ts'
import { categoryLabel, unknownContact } from '#shared/text/text.ts'
import type { ZonedDates } from '#shared/text/time/zoned-dates.ts'
import { useListEnd } from '#web/platform/browser/use-list-end.ts'
import { useLastPage } from '#web/platform/browser/use-page-filter.ts'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { CategoryBadge } from '#web/ui/badges/category-badge.tsx'
import { Badge } from '#web/ui/badges/badge.tsx'
import { Stars } from '#web/ui/badges/stars.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { cn } from '#web/ui/cn.ts'
import { Card } from '#web/ui/layout/card.tsx'
import { PageSize } from '#web/ui/layout/page-size.tsx'
import { Pager } from '#web/ui/layout/pager.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { RichText } from '#web/ui/rich-text/rich-text.tsx'
import { groupName } from './groups-card.tsx'
import { ExportButtons } from './export-buttons.tsx'
import { reportQueries } from './queries.ts'
import type { Report, Restriction } from './use-report.ts'
import { count, daysText, duration, timeDelta, weekdays } from './words.ts'

const noColour = '#6b7280'

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
  const { data, error, isFetching, refetch } = useQuery(
    reportQueries.rows(rows, { ...asked, asOf: end.value }),
  )
  end.note(data && { page: data.pagination.page, asOf: data.asOf })
  useLastPage(page.page, data?.pagination.totalPages, (last) => setPage({ page: last }))
  const place = useRef<HTMLDivElement>(null)
  const key = JSON.stringify(rows)
  useEffect(() => {
    // Some browsers return a promise, which is no clean-up.
    place.current?.scrollIntoView({ block: 'nearest' })
  }, [key])
  const where = useWhere(report)
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
          </span>
        }
        className="overflow-hidden"
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
        {isTimeFigure(figure) && stats && isWhole(report.restriction) && (
          <Spreads
            times={timesOf(stats, figure)}
            before={before && timesOf(before, figure)}
            isByClock={isByClock}
          />
        )}
        {!data && error ? (
          <ErrorState description={error.message} isRetrying={isFetching} onRetry={() => void refetch()} />
        ) : !data ? (
          <div role="status" aria-busy aria-label="Carregando as conversas">
            {Array.from({ length: 8 }, (_, at) => (
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

/** 'segunda, 10 h', '2/11/2026', 'Cliente': what restricts the list, in words. */
function useWhere({ restriction, filter }: Report): string {
  const { from, to, weekday, hour, stars, by, key } = restriction
  const groups = useQuery({
    ...reportQueries.groups(filter, by ?? 'category'),
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
  return group ? groupName(group, by) : key === 'none' ? noGroupNames[by] : ''
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
              {duration(times[basis][field])}
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

const headLook =
  'h-[34px] px-2 text-left text-xs font-medium whitespace-nowrap text-ink-2 first:pl-4 last:pr-4'
const cellLook = 'px-2 first:pl-4 last:pr-4'
/** On a small screen this stands below the name. */
const onlyWide = 'max-md:hidden'

const timeFields = {
  first_reply: ['openFirstReplyMs', 'firstReplyMs'],
  queue: ['openQueueMs', 'queueMs'],
  handling: ['openHandlingMs', 'handlingMs'],
} as const

function RowsTable({
  rows,
  figure,
  order,
  dates,
  onSort,
}: {
  rows: readonly ReportRow[]
  figure: Figure
  order: RowOrder
  dates: ZonedDates
  onSort: (order: RowOrder) => void
}) {
  const head = (name: string, by: RowOrder | undefined, look = '') => (
    <th
      scope="col"
      className={cn(headLook, look)}
      aria-sort={by === undefined ? undefined : by === order ? 'descending' : 'none'}
    >
      {by === undefined ? (
        name
      ) : (
        <button
          type="button"
          onClick={() => onSort(by)}
          className={cn('inline-flex items-center gap-1 hover:text-ink', by === order && 'text-ink')}
        >
          {name}
          {by === order && <ArrowDown size={12} aria-hidden />}
        </button>
      )}
    </th>
  )
  const isRated = figure === 'rated' || figure === 'commented'
  const isTime = isTimeFigure(figure)
  return (
    <table className="w-full border-collapse text-sm">
      <thead className="bg-sunken">
        <tr>
          {head('Contato', undefined)}
          {head('Operador', undefined, onlyWide)}
          {head('Categoria', undefined, onlyWide)}
          {head('Chegou', 'recent', onlyWide)}
          {isTime ? (
            <>
              {head('No expediente', 'open', 'text-right')}
              {head('No relógio', 'clock', 'text-right')}
            </>
          ) : isRated ? (
            <>
              {head('Nota', 'stars')}
              {head('Comentário', undefined)}
            </>
          ) : (
            <>
              {head('Situação', undefined)}
              {head('Mensagens', undefined, 'text-right')}
            </>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const name = row.contactName || unknownContact
          return (
            <tr key={row.id} className="relative h-11 border-t border-line hover:bg-hover">
              <th scope="row" className={`${cellLook} text-left font-medium`}>
                <Link
                  href={addressOf(row)}
                  className={[
                    'flex items-center gap-2 after:absolute after:inset-0',
                    'focus-visible:after:outline-2',
                  ].join(' ')}
                >
                  <Avatar name={name} src={row.avatarUrl} size={24} className="max-md:hidden" />
                  <span className="grid min-w-0 py-1">
                    <span className="max-w-48 truncate" title={name} dir="auto">
                      {name}
                    </span>
                    <span className="text-xs font-normal text-ink-3 tabular-nums md:hidden">
                      {dates.dateTime(row.startedAt)}
                    </span>
                  </span>
                </Link>
              </th>
              <td className={cn(cellLook, onlyWide)}>
                <span className="block max-w-36 truncate" title={row.operatorName ?? undefined} dir="auto">
                  {row.operatorName ?? <span className="text-ink-3">–</span>}
                </span>
              </td>
              <td className={cn(cellLook, onlyWide)}>
                <CategoryBadge color={row.categoryColor ?? noColour} className="max-w-32">
                  {categoryLabel(row.category)}
                </CategoryBadge>
              </td>
              <td className={cn(cellLook, onlyWide, 'whitespace-nowrap tabular-nums')}>
                {dates.dateTime(row.startedAt)}
              </td>
              {isTime ? (
                timeFields[figure].map((field, at) => (
                  <td
                    key={field}
                    className={cn(
                      cellLook,
                      'text-right whitespace-nowrap tabular-nums',
                      (order === 'clock') === (at === 1) ? 'font-semibold' : 'text-ink-2',
                    )}
                  >
                    {duration(row[field])}
                  </td>
                ))
              ) : isRated ? (
                <>
                  <td className={cellLook}>
                    {row.satisfaction !== null && <Stars value={row.satisfaction} />}
                  </td>
                  <td className={`${cellLook} max-w-80 py-1.5 text-ink-2`}>
                    {row.feedback ? <RichText text={row.feedback} /> : '–'}
                  </td>
                </>
              ) : (
                <>
                  <td className={cellLook}>
                    <Situation row={row} />
                  </td>
                  <td className={`${cellLook} text-right tabular-nums`}>{count(row.messageCount)}</td>
                </>
              )}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function Situation({ row }: { row: ReportRow }) {
  const tone = row.status === 'completed' ? 'neutral' : row.isQueued ? 'orange' : 'amber'
  return (
    <Badge tone={row.status !== 'completed' && row.waitingFor === 'client' ? 'plain' : tone}>
      {row.endedBy === 'inactivity' ? 'Encerrada por inatividade' : situation(row)}
    </Badge>
  )
}

const addressOf = ({ id, status }: ReportRow) =>
  status === 'completed' ? `/conversas-arquivadas/${id}` : `/chat?conversation=${id}`
