import { useState } from 'react'
import type { AuditFilter, AuditPage } from '#shared/audit/audit-logs.ts'
import { useNow } from '#web/platform/live/server-clock.ts'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { AuditDetails } from './audit-details.tsx'
import { AuditRow } from './audit-row.tsx'
import type { ZonedDates } from '#shared/text/time/zoned-dates.ts'

const headLook = 'h-[34px] px-2 text-left text-xs font-medium text-ink-2 first:pl-4 last:pr-3'

/** The rows of a page under the days on which they were recorded. */
export function AuditTable({
  page: { rows, chain },
  dates,
  nameOf,
  onFilter,
}: {
  page: AuditPage
  dates: ZonedDates
  nameOf: (userId: unknown) => string
  onFilter: (filter: AuditFilter) => void
}) {
  const [openId, setOpenId] = useState<number>()
  const now = useNow(60_000)
  const days = [...Map.groupBy(rows, ({ createdAt }) => dates.dayName(createdAt, now))]
  return (
    <table className="w-full border-collapse max-md:block md:table-fixed">
      <thead className="bg-sunken max-md:sr-only">
        <tr>
          <th scope="col" className={`${headLook} w-25`}>
            Quando
          </th>
          <th scope="col" className={`${headLook} w-49 max-lg:w-40`}>
            Pessoa
          </th>
          <th scope="col" className={headLook}>
            O que aconteceu
          </th>
          <th scope="col" className={`${headLook} w-54 max-lg:w-44`}>
            De onde
          </th>
          <th scope="col" className={`${headLook} w-12`}>
            <span className="sr-only">Abrir</span>
          </th>
        </tr>
      </thead>
      {days.map(([day, ofDay]) => (
        <tbody key={day} className="max-md:block">
          <tr className="border-t border-line max-md:block">
            <th
              colSpan={5}
              scope="rowgroup"
              className={[
                'h-7 bg-sunken px-4 text-left text-xs font-semibold text-ink-2',
                'max-md:block max-md:leading-7',
              ].join(' ')}
            >
              {day}
            </th>
          </tr>
          {ofDay.map((row) => (
            <AuditRow
              key={row.id}
              row={row}
              dates={dates}
              nameOf={nameOf}
              isOpen={row.id === openId}
              onToggle={() => setOpenId(row.id === openId ? undefined : row.id)}
            >
              <AuditDetails row={row} chain={chain} dates={dates} nameOf={nameOf} onFilter={onFilter} />
            </AuditRow>
          ))}
        </tbody>
      ))}
    </table>
  )
}

export function AuditTableSkeleton() {
  return (
    <div role="status" aria-busy aria-label="Carregando a auditoria">
      {Array.from({ length: 10 }, (_, at) => (
        <div key={at} className="flex h-10 items-center gap-3 border-t border-line px-4 first:border-t-0">
          <Skeleton className="w-16" />
          <Skeleton isRound className="size-6" />
          <Skeleton className="w-32" />
          <Skeleton className="ml-4 w-64 max-md:hidden" />
          <Skeleton className="ml-auto w-40 max-md:hidden" />
        </div>
      ))}
    </div>
  )
}
