import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Figure } from '#shared/reports/figures.ts'
import type { ReportGroup } from '#shared/reports/report-parts.ts'
import type { ReportFilter } from '#shared/reports/reports.ts'
import { figureNames, groupName, noGroupNames } from '#shared/text/reports/report-texts.ts'
import { useReasons } from '#web/reasons/reasons.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { cn } from '#web/ui/cn.ts'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { CountButton } from '#web/reports/charts/chart-card.tsx'
import { partQueries } from '#web/reports/asked/part-queries.ts'
import type { Restriction } from '#web/reports/asked/use-report.ts'
import { count, share } from '#web/reports/asked/words.ts'
import { ExportButtons } from './export-buttons.tsx'
import { wholeOnPaper, wholeRow } from './looks.ts'
import { TimeButton } from './value-button.tsx'

const shownAtFirst = 8

const headLook = 'px-2 text-right text-xs font-medium text-ink-2 first:pl-4 first:text-left last:pr-4'
const cellLook = 'px-2 text-right tabular-nums last:pr-4'

interface Shown {
  filter: ReportFilter
  isByClock: boolean
  onList: (restriction: Restriction) => void
}

/** Why the finalized conversations of the period ended; together they are all of them. */
export function ReasonsCard(shown: Shown) {
  const { filter } = shown
  const { areAny } = useReasons()
  const [isWhole, setWhole] = useState(false)
  const { data, error, isFetching, refetch } = useQuery({
    ...partQueries.groups(filter, 'reason'),
    enabled: areAny,
  })
  if (!areAny) return null
  const groups = data?.groups
    .filter(({ completed }) => completed > 0)
    .toSorted((a, b) => b.completed - a.completed)
  const more = (groups?.length ?? 0) - shownAtFirst
  return (
    <Card
      title="Por motivo"
      className={`min-w-0 break-inside-avoid ${wholeRow}`}
      actions={<ExportButtons filter={filter} part="reason" what="a tabela por motivo" />}
    >
      {!groups && error ? (
        <ErrorState description={error.message} isRetrying={isFetching} onRetry={() => void refetch()} />
      ) : !groups ? (
        <Loading />
      ) : groups.length === 0 ? (
        <EmptyState title="Nada finalizado no período" />
      ) : (
        <Table {...shown} groups={groups} isWhole={isWhole} hasMore={data?.hasMore ?? false} />
      )}
      {more > 0 && (
        <div className="border-t border-line px-4 py-1.5 text-sm print:hidden">
          <button
            type="button"
            className="rounded-control px-1 font-medium text-accent-text hover:underline"
            onClick={() => setWhole(!isWhole)}
          >
            {isWhole ? 'Mostrar menos' : `Mostrar mais ${more}`}
          </button>
          {data?.hasMore && <span className="ml-2 text-ink-3">Há outros, que não estão na lista.</span>}
        </div>
      )}
    </Card>
  )
}

/** A telephone has no room for it. */
const onlyWide = 'max-md:hidden print:table-cell'

function Table({
  groups,
  isWhole,
  hasMore,
  isByClock,
  onList,
}: Omit<Shown, 'filter'> & { groups: readonly ReportGroup[]; isWhole: boolean; hasMore: boolean }) {
  const all = groups.reduce((sum, { completed }) => sum + completed, 0)
  const most = Math.max(1, groups[0]?.completed ?? 0)
  return (
    <div className="overflow-x-auto print:overflow-visible">
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">Finalizadas por motivo</caption>
        <thead className="bg-sunken">
          <tr className="h-[34px]">
            {['Motivo', figureNames.completed, 'Parte', figureNames.handling].map((name) => (
              <th key={name} scope="col" className={name === 'Parte' ? `${headLook} ${onlyWide}` : headLook}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {groups.map((group, at) => {
            const name = groupName(group, 'reason')
            const open = (figure: Figure) => () => onList({ figure, by: 'reason', key: group.key })
            return (
              <tr
                key={group.key}
                className={cn(
                  'h-10 break-inside-avoid border-t border-line',
                  !isWhole && at >= shownAtFirst && 'not-print:hidden',
                )}
              >
                <th scope="row" className="pl-4 text-left font-medium">
                  <span
                    className={cn(
                      'block max-w-72 truncate max-md:max-w-36',
                      wholeOnPaper,
                      name === noGroupNames.reason && 'text-ink-2',
                    )}
                    title={name}
                    dir="auto"
                  >
                    {name}
                  </span>
                  <span
                    aria-hidden
                    className="mt-0.5 block h-1 rounded-full bg-chart-2"
                    style={{ width: `${Math.max(2, (100 * group.completed) / most)}%` }}
                  />
                </th>
                <td className={cellLook}>
                  <CountButton value={group.completed} what={name} onOpen={open('completed')} />
                </td>
                <td className={`${cellLook} ${onlyWide}`}>{share(group.completed, all)}</td>
                <td className={cellLook}>
                  <TimeButton
                    times={group.handling}
                    isByClock={isByClock}
                    what={`${name}, ${figureNames.handling}`}
                    onOpen={open('handling')}
                  />
                </td>
              </tr>
            )
          })}
        </tbody>
        {!hasMore && (
          <tfoot>
            <tr className="h-10 border-t border-line bg-sunken">
              <th scope="row" className="pl-4 text-left font-medium">
                Todas as finalizadas
              </th>
              <td className={`${cellLook} font-medium`}>{count(all)}</td>
              <td className={`${cellLook} ${onlyWide}`}>100%</td>
              <td className={cellLook}>--</td>
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  )
}

function Loading() {
  return (
    <div aria-busy className="grid gap-px">
      {Array.from({ length: 5 }, (_, at) => (
        <div key={at} className="flex h-10 items-center px-4">
          <Skeleton className="w-36" />
          <Skeleton className="ml-auto w-48" />
        </div>
      ))}
    </div>
  )
}
