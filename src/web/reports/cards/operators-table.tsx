import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { otherGroup } from '#shared/reports/figures.ts'
import type { OperatorPerformance } from '#shared/reports/report-parts.ts'
import type { ReportFilter } from '#shared/reports/reports.ts'
import { accountText, othersName } from '#shared/text/reports/report-texts.ts'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { Badge } from '#web/ui/badges/badge.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { CountButton } from '#web/reports/charts/chart-card.tsx'
import { ExportButtons } from './export-buttons.tsx'
import { type Column, operatorColumns, type Sorting, sorted } from './operator-columns.ts'
import { SortButton } from './sort-button.tsx'
import { TimeButton, ValueButton } from './value-button.tsx'
import { wholeOnPaper, wholeRow } from './looks.ts'
import { partQueries } from '#web/reports/asked/part-queries.ts'
import type { Restriction } from '#web/reports/asked/use-report.ts'
import { rating } from '#web/reports/asked/words.ts'

const headLook = 'px-2 text-right text-xs font-medium text-ink-2 first:pl-4 first:text-left last:pr-4'
const cellLook = 'px-2 text-right whitespace-nowrap tabular-nums last:pr-4'

/** 'Desempenho por operador': the people with this role. @see specification §2 Reports */
export function OperatorsTable({
  filter,
  isByClock,
  onList,
}: {
  filter: ReportFilter
  isByClock: boolean
  onList: (restriction: Restriction) => void
}) {
  const { data, error, isFetching, refetch } = useQuery(partQueries.operators(filter))
  const [sorting, setSorting] = useState<Sorting>({ by: 'name', isDescending: false })
  return (
    <Card
      title="Desempenho por operador"
      className={`min-w-0 break-inside-avoid ${wholeRow}`}
      actions={<ExportButtons filter={filter} part="operators" what="a tabela por operador" />}
    >
      {!data && error ? (
        <ErrorState description={error.message} isRetrying={isFetching} onRetry={() => void refetch()} />
      ) : !data ? (
        <div aria-busy className="grid gap-px">
          {Array.from({ length: 4 }, (_, at) => (
            <div key={at} className="flex h-11 items-center gap-3 px-4">
              <Skeleton isRound className="size-6" />
              <Skeleton className="w-40" />
              <Skeleton className="ml-auto w-32" />
            </div>
          ))}
        </div>
      ) : data.operators.length === 0 ? (
        <EmptyState title="Nenhum operador" />
      ) : (
        <div className="overflow-x-auto print:overflow-visible">
          <table className="w-full border-collapse text-sm">
            <caption className="sr-only">
              {operatorColumns.flatMap(({ hint }) => hint ?? []).join(' ')}
            </caption>
            <thead className="bg-sunken">
              <tr className="h-[34px]">
                {operatorColumns.map((column) => (
                  <Heading key={column.by} column={column} sorting={sorting} onSort={setSorting} />
                ))}
              </tr>
            </thead>
            <tbody>
              {sorted(data.operators, sorting, isByClock).map(
                ({ id, name, pictureUrl, isActive, ...figures }) => (
                  <tr key={id} className="h-11 break-inside-avoid border-t border-line">
                    <th scope="row" className="pl-4 text-left font-medium">
                      <span className="flex min-w-0 items-center gap-2">
                        <Avatar name={name} src={pictureUrl} size={24} className="max-md:hidden" />
                        <span className={`max-w-44 truncate ${wholeOnPaper}`} title={name} dir="auto">
                          {name}
                        </span>
                      </span>
                    </th>
                    <FigureCells
                      name={name}
                      group={String(id)}
                      figures={figures}
                      isByClock={isByClock}
                      onList={onList}
                    >
                      <Badge tone={isActive ? 'green' : 'neutral'}>{accountText(isActive)}</Badge>
                    </FigureCells>
                  </tr>
                ),
              )}
              {data.others.total > 0 && (
                <tr className="h-11 break-inside-avoid border-t border-line text-ink-2">
                  <th scope="row" className="pl-4 text-left font-normal">
                    {othersName}
                  </th>
                  <FigureCells
                    name={othersName}
                    group={otherGroup}
                    figures={data.others}
                    isByClock={isByClock}
                    onList={onList}
                  >
                    <span className="text-ink-3">–</span>
                  </FigureCells>
                </tr>
              )}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  )
}

function Heading({
  column: { by, title, hint },
  sorting,
  onSort,
}: {
  column: Column
  sorting: Sorting
  onSort: (sorting: Sorting) => void
}) {
  const isSorted = sorting.by === by
  const sorted = isSorted ? (sorting.isDescending ? 'descending' : 'ascending') : undefined
  // Names from A on, and of figures the largest first.
  const isDescending = isSorted ? !sorting.isDescending : by !== 'name'
  return (
    <th scope="col" aria-sort={sorted ?? 'none'} className={headLook}>
      <SortButton title={title} hint={hint} sorted={sorted} onSort={() => onSort({ by, isDescending })} />
    </th>
  )
}

/** All columns but the name, each with the conversations that it is of. */
function FigureCells({
  name,
  group: key,
  figures: { total, active, completed, waiting, firstReply, handling, rated },
  isByClock,
  onList,
  children: status,
}: {
  name: string
  group: string
  figures: OperatorPerformance['others']
  isByClock: boolean
  onList: (restriction: Restriction) => void
  children: ReactNode
}) {
  const open = (figure: Restriction['figure']) => () => onList({ figure, by: 'operator', key })
  const counted = (what: string, value: number, figure: Restriction['figure']) => (
    <td className={cellLook}>
      <CountButton value={value} what={`${name}, ${what}`} onOpen={open(figure)} />
    </td>
  )
  return (
    <>
      {counted('total', total, 'total')}
      {counted('ativas', active, 'active')}
      {counted('finalizadas', completed, 'completed')}
      {counted('aguardando', waiting, 'active_waiting')}
      <td className={cellLook}>{status}</td>
      <td className={cellLook}>
        <TimeButton
          times={firstReply}
          isByClock={isByClock}
          what={`${name}, primeira resposta`}
          onOpen={open('first_reply')}
        />
      </td>
      <td className={cellLook}>
        <TimeButton
          times={handling}
          isByClock={isByClock}
          what={`${name}, atendimento`}
          onOpen={open('handling')}
        />
      </td>
      <td className={cellLook}>
        <ValueButton value={rating(rated.mean)} what={`${name}, nota`} onOpen={open('rated')} />
      </td>
    </>
  )
}
