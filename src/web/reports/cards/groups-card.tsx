import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Figure, type Grouping, groupings } from '#shared/reports/figures.ts'
import type { ReportFilter, Times } from '#shared/reports/reports.ts'
import { figureNames, groupingNames, groupName } from '#shared/text/reports/report-texts.ts'
import { useSectors } from '#web/sectors/sectors.tsx'
import { Segmented } from '#web/ui/fields/segmented.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { cn } from '#web/ui/cn.ts'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { CountButton } from '#web/reports/charts/chart-card.tsx'
import { ExportButtons } from './export-buttons.tsx'
import { TimeButton, ValueButton } from './value-button.tsx'
import { wholeOnPaper, wholeRow } from './looks.ts'
import { partQueries } from '#web/reports/asked/part-queries.ts'
import type { Restriction } from '#web/reports/asked/use-report.ts'
import { rating } from '#web/reports/asked/words.ts'

const shownAtFirst = 8

const headLook = 'px-2 text-right text-xs font-medium text-ink-2 first:pl-4 first:text-left last:pr-4'
const cellLook = 'px-2 text-right tabular-nums last:pr-4'

/** The period by operator, category, company, tag or sector: how many, how fast, and how they were rated. */
export function GroupsCard({
  filter,
  isByClock,
  onList,
}: {
  filter: ReportFilter
  isByClock: boolean
  onList: (restriction: Restriction) => void
}) {
  const [by, setBy] = useState<Grouping>('category')
  const { areAny } = useSectors()
  // The reasons and the hours have cards of their own.
  const offered = groupings.filter(
    (value) => value !== 'reason' && value !== 'hour' && (areAny || value !== 'sector'),
  )
  const [isWhole, setWhole] = useState(false)
  const { data, error, isFetching, refetch } = useQuery(partQueries.groups(filter, by))
  const groups = data?.groups
  const most = Math.max(1, ...(groups ?? []).map(({ total }) => total))
  return (
    <Card
      title="Por grupo"
      className={`min-w-0 break-inside-avoid ${wholeRow}`}
      actions={
        <ExportButtons filter={filter} part={by} what={`a tabela por ${groupingNames[by].toLowerCase()}`} />
      }
    >
      <div className="overflow-x-auto border-b border-line px-4 py-2 print:hidden">
        <Segmented
          label="Agrupar por"
          size="sm"
          value={by}
          options={offered.map((value) => ({ value, label: groupingNames[value] }))}
          onChange={(next) => {
            setBy(next)
            setWhole(false)
          }}
        />
      </div>
      {!groups && error ? (
        <ErrorState description={error.message} isRetrying={isFetching} onRetry={() => void refetch()} />
      ) : !groups ? (
        <div aria-busy className="grid gap-px">
          {Array.from({ length: 5 }, (_, at) => (
            <div key={at} className="flex h-10 items-center px-4">
              <Skeleton className="w-36" />
              <Skeleton className="ml-auto w-48" />
            </div>
          ))}
        </div>
      ) : groups.length === 0 ? (
        <EmptyState title="Nada no período" />
      ) : (
        <div className="overflow-x-auto print:overflow-visible">
          <table className="w-full border-collapse text-sm">
            <caption className="sr-only">{`Por ${groupingNames[by].toLowerCase()}`}</caption>
            <thead className="bg-sunken">
              <tr className="h-[34px]">
                {[
                  groupingNames[by],
                  'Total',
                  figureNames.first_reply,
                  figureNames.queue,
                  figureNames.handling,
                  'Nota',
                ].map((name) => (
                  <th key={name} scope="col" className={headLook}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {groups.map((group, at) => {
                const name = groupName(group, by)
                const open = (figure: Figure) => () => onList({ figure, by, key: group.key })
                const time = (figure: Figure, times: Times) => (
                  <td className={cellLook}>
                    <TimeButton
                      times={times}
                      isByClock={isByClock}
                      what={`${name}, ${figureNames[figure]}`}
                      onOpen={open(figure)}
                    />
                  </td>
                )
                return (
                  <tr
                    key={group.key}
                    className={cn(
                      'h-10 break-inside-avoid border-t border-line',
                      !isWhole && at >= shownAtFirst && 'not-print:hidden',
                    )}
                  >
                    <th scope="row" className="pl-4 text-left font-medium">
                      <span className={`block max-w-52 truncate ${wholeOnPaper}`} title={name} dir="auto">
                        {name}
                      </span>
                      <span
                        aria-hidden
                        className="mt-0.5 block h-1 rounded-full bg-chart-2"
                        style={{ width: `${Math.max(2, (100 * group.total) / most)}%` }}
                      />
                    </th>
                    <td className={cellLook}>
                      <CountButton value={group.total} what={name} onOpen={open('total')} />
                    </td>
                    {time('first_reply', group.firstReply)}
                    {time('queue', group.queue)}
                    {time('handling', group.handling)}
                    <td className={cellLook}>
                      <ValueButton
                        value={rating(group.rated.mean)}
                        what={`${name}, nota`}
                        onOpen={open('rated')}
                      />
                    </td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        </div>
      )}
      {data && data.groups.length > shownAtFirst && (
        <div className="border-t border-line px-4 py-1.5 text-sm print:hidden">
          <button
            type="button"
            className="rounded-control px-1 font-medium text-accent-text hover:underline"
            onClick={() => setWhole(!isWhole)}
          >
            {isWhole ? 'Mostrar menos' : `Mostrar mais ${data.groups.length - shownAtFirst}`}
          </button>
          {data.hasMore && <span className="ml-2 text-ink-3">Há outros, que não estão na lista.</span>}
        </div>
      )}
    </Card>
  )
}
