import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Figure } from '#shared/reports/figures.ts'
import type { ReportGroup } from '#shared/reports/report-parts.ts'
import type { ReportFilter, ReportStats } from '#shared/reports/reports.ts'
import { figureNames, groupName, noGroupNames } from '#shared/text/reports/report-texts.ts'
import { useSectors } from '#web/sectors/sectors.tsx'
import { Segmented } from '#web/ui/fields/segmented.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { cn } from '#web/ui/cn.ts'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { CountButton } from '#web/reports/charts/chart-card.tsx'
import { partQueries } from '#web/reports/asked/part-queries.ts'
import type { Restriction } from '#web/reports/asked/use-report.ts'
import { share } from '#web/reports/asked/words.ts'
import { wholeOnPaper, wholeRow } from './looks.ts'

type By = 'sector' | 'operator' | 'hour'
const choices = [
  { value: 'sector', label: 'Setor' },
  { value: 'operator', label: 'Pessoa' },
  { value: 'hour', label: 'Hora' },
] as const satisfies { value: By; label: string }[]

const columns = [
  ['replyKept', 'reply_kept'],
  ['replyBroken', 'reply_broken'],
  ['endKept', 'end_kept'],
  ['endBroken', 'end_broken'],
] as const satisfies [keyof ReportGroup['sla'], Figure][]

const headLook = 'px-2 text-right text-xs font-medium text-ink-2 first:pl-4 first:text-left last:pr-4'
const cellLook = 'px-2 text-right tabular-nums last:pr-4'

const measuredOf = ({ replyKept, replyBroken, endKept, endBroken }: ReportGroup['sla']) =>
  replyKept + replyBroken + endKept + endBroken

/** How many first replies and ends kept their targets; nothing where none of the period has one. */
export function SlaCard({
  stats,
  filter,
  onList,
}: {
  stats: ReportStats
  filter: ReportFilter
  onList: (restriction: Restriction) => void
}) {
  const { areAny } = useSectors()
  const [chosen, setBy] = useState<By>()
  const by = chosen ?? (areAny ? 'sector' : 'operator')
  const isMeasured = measuredOf(stats.sla) > 0
  const { data, error, isFetching, refetch } = useQuery({
    ...partQueries.groups(filter, by),
    enabled: isMeasured,
  })
  if (!isMeasured) return null
  const found = data?.groups.filter(({ sla }) => measuredOf(sla) > 0)
  const groups = by === 'hour' ? found?.toSorted((a, b) => Number(a.key) - Number(b.key)) : found
  return (
    <Card
      title="Prazos (SLA)"
      className={`min-w-0 break-inside-avoid ${wholeRow}`}
      actions={
        <Segmented
          label="Prazos por"
          value={by}
          options={choices.filter(({ value }) => areAny || value !== 'sector')}
          onChange={setBy}
        />
      }
    >
      {!groups && error ? (
        <ErrorState description={error.message} isRetrying={isFetching} onRetry={() => void refetch()} />
      ) : (
        <div className="overflow-x-auto print:overflow-visible">
          <table aria-busy={isFetching} className="w-full border-collapse text-sm">
            <caption className="sr-only">Prazos cumpridos e estourados</caption>
            <thead className="bg-sunken">
              <tr className="h-[34px]">
                {[
                  choices.find(({ value }) => value === by)?.label ?? '',
                  ...columns.map(([, figure]) => figureNames[figure]),
                  'No prazo',
                ].map((name) => (
                  <th key={name} scope="col" className={headLook}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {groups
                ? groups.map((group) => <Line key={group.key} group={group} by={by} onList={onList} />)
                : Array.from({ length: 4 }, (_, at) => (
                    <tr key={at} className="h-10 border-t border-line">
                      <td colSpan={6} className="px-4">
                        <Skeleton className="w-full" />
                      </td>
                    </tr>
                  ))}
            </tbody>
            <tfoot>
              <tr className="h-10 border-t border-line bg-sunken">
                <th scope="row" className="pl-4 text-left font-medium">
                  Todas
                </th>
                {columns.map(([name, figure]) => (
                  <td key={name} className={`${cellLook} font-medium`}>
                    <CountButton
                      value={stats.sla[name]}
                      what={figureNames[figure]}
                      onOpen={() => onList({ figure })}
                    />
                  </td>
                ))}
                <td className={`${cellLook} font-medium`}>{keptShare(stats.sla)}</td>
              </tr>
            </tfoot>
          </table>
        </div>
      )}
    </Card>
  )
}

const keptShare = (sla: ReportGroup['sla']) => share(sla.replyKept + sla.endKept, measuredOf(sla))

function Line({
  group,
  by,
  onList,
}: {
  group: ReportGroup
  by: By
  onList: (restriction: Restriction) => void
}) {
  const name = groupName(group, by)
  return (
    <tr className="h-10 break-inside-avoid border-t border-line">
      <th scope="row" className="pl-4 text-left font-medium">
        <span
          className={cn(
            'block max-w-72 truncate max-md:max-w-36',
            wholeOnPaper,
            name === noGroupNames[by] && 'text-ink-2',
          )}
          title={name}
          dir="auto"
        >
          {name}
        </span>
      </th>
      {columns.map(([column, figure]) => (
        <td key={column} className={cellLook}>
          <CountButton
            value={group.sla[column]}
            what={`${name}, ${figureNames[figure]}`}
            onOpen={() => onList({ figure, by, key: group.key })}
          />
        </td>
      ))}
      <td className={cellLook}>{keptShare(group.sla)}</td>
    </tr>
  )
}
