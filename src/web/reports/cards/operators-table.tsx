import { useQuery } from '@tanstack/react-query'
import { otherGroup } from '#shared/reports/figures.ts'
import type { OperatorPerformance } from '#shared/reports/report-parts.ts'
import type { ReportFilter } from '#shared/reports/reports.ts'
import { operatorsHead, othersName } from '#shared/text/reports/report-texts.ts'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { Badge } from '#web/ui/badges/badge.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { CountButton } from '#web/reports/charts/chart-card.tsx'
import { ExportButtons } from './export-buttons.tsx'
import { partQueries } from '#web/reports/asked/part-queries.ts'
import type { Restriction } from '#web/reports/asked/use-report.ts'

const headLook = 'px-2 text-right text-xs font-medium text-ink-2 first:pl-4 first:text-left last:pr-4'
const cellLook = 'px-2 text-right tabular-nums last:pr-4'

type Counts = OperatorPerformance['others']

/** 'Desempenho por operador': the people with this role. @see specification §2 Reports */
export function OperatorsTable({
  filter,
  onList,
}: {
  filter: ReportFilter
  onList: (restriction: Restriction) => void
}) {
  const { data } = useQuery(partQueries.operators(filter))
  const cells = (name: string, key: string, counts: Counts) => {
    const cell = (what: string, value: number, figure: Restriction['figure']) => (
      <td className={cellLook}>
        <CountButton
          value={value}
          what={`${name}, ${what}`}
          onOpen={() => onList({ figure, by: 'operator', key })}
        />
      </td>
    )
    return (
      <>
        {cell('total', counts.total, 'total')}
        {cell('ativas', counts.active, 'waiting_client')}
        {cell('finalizadas', counts.completed, 'completed')}
        {cell('aguardando', counts.waiting, 'waiting_operator')}
      </>
    )
  }
  return (
    <Card
      title="Desempenho por operador"
      className="min-w-0 break-inside-avoid"
      actions={<ExportButtons filter={filter} part="operators" what="a tabela por operador" />}
    >
      {!data ? (
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
        <div className="overflow-x-auto">
          <table className="w-full border-collapse text-sm">
            <thead className="bg-sunken">
              <tr className="h-[34px]">
                {operatorsHead.map((name) => (
                  <th key={name} scope="col" className={headLook}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {data.operators.map(({ id, name, pictureUrl, isActive, ...counts }) => (
                <tr key={id} className="h-11 border-t border-line">
                  <th scope="row" className="pl-4 text-left font-medium">
                    <span className="flex min-w-0 items-center gap-2">
                      <Avatar name={name} src={pictureUrl} size={24} className="max-md:hidden" />
                      <span className="max-w-44 truncate" title={name} dir="auto">
                        {name}
                      </span>
                    </span>
                  </th>
                  {cells(name, String(id), counts)}
                  <td className={cellLook}>
                    <Badge tone={isActive ? 'green' : 'neutral'}>{isActive ? 'Ativo' : 'Inativo'}</Badge>
                  </td>
                </tr>
              ))}
              {data.others.total > 0 && (
                <tr className="h-11 border-t border-line text-ink-2">
                  <th scope="row" className="pl-4 text-left font-normal">
                    {othersName}
                  </th>
                  {cells(othersName, otherGroup, data.others)}
                  <td className={cellLook}>
                    <span className="text-ink-3">–</span>
                  </td>
                </tr>
              )}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  )
}
