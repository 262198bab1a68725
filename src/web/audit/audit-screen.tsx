import { useQuery } from '@tanstack/react-query'
import { Download, Search } from 'lucide-react'
import { useMemo } from 'react'
import { auditPageSizes, type AuditPage } from '#shared/audit/audit-logs.ts'
import { resourceTexts } from '#shared/audit/audit-actions.ts'
import { timeZone, useNow } from '#web/platform/live/server-clock.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { Page } from '#web/ui/layout/page.tsx'
import { PageSize } from '#web/ui/layout/page-size.tsx'
import { Pager } from '#web/ui/layout/pager.tsx'
import { DeniedState } from '#web/ui/states/denied-state.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { saveExport, useCan } from '#web/users/users.tsx'
import { AuditFilters } from './audit-filters.tsx'
import { AuditTable, AuditTableSkeleton } from './audit-table.tsx'
import { BrokenChain, ChainState, ChainStatePlace } from './chain-state.tsx'
import { auditQueries } from './queries.ts'
import { exportAddress, useAuditFilter } from './use-audit-filter.ts'
import { zonedDates } from '#shared/text/time/zoned-dates.ts'

/** `/auditoria`: who did what. Administrators, and supervisors with the permission. */
export function AuditScreen() {
  return useCan('viewAudit') ? <Audit /> : <DeniedState isPage />
}

function Audit() {
  const { filter, page, limit, setPage, setLimit, change, clear, isFiltered } = useAuditFilter()
  const { data, error, isFetching, refetch } = useQuery(auditQueries.page(filter, { page, limit }))
  const now = useNow(60_000)
  const timezone = data?.timezone ?? timeZone()
  const dates = useMemo(() => zonedDates(timezone), [timezone])
  const nameOf = useNames(data?.people)
  const check = data?.chain.check
  return (
    <Page
      title="Auditoria"
      subtitle="Quem fez o quê, quando e de onde. Nada aqui se edita."
      actions={
        <>
          {data ? <ChainState chain={data.chain} dates={dates} /> : <ChainStatePlace />}
          <Button icon={Download} onClick={() => void saveExport(exportAddress(filter))}>
            Exportar CSV
          </Button>
        </>
      }
    >
      {check && check.breaks > 0 && <BrokenChain check={check} dates={dates} />}
      <div className="mb-2.5 flex flex-wrap items-center gap-2">
        <AuditFilters
          filter={filter}
          people={data?.people}
          today={dates.day(now)}
          isFiltered={isFiltered}
          onChange={change}
          onClear={clear}
        />
        <p aria-live="polite" className="text-sm text-ink-2 tabular-nums max-md:flex-1">
          {data && rangeText(data)}
        </p>
        <PageSize sizes={auditPageSizes} limit={limit} onLimit={setLimit} />
      </div>
      <Card className="overflow-hidden">
        {error ? (
          <ErrorState description={error.message} isRetrying={isFetching} onRetry={() => void refetch()} />
        ) : !data ? (
          <AuditTableSkeleton />
        ) : data.rows.length > 0 ? (
          <AuditTable page={data} dates={dates} nameOf={nameOf} onFilter={change} />
        ) : (
          <EmptyState
            icon={Search}
            title="Nenhum registro com estes filtros"
            description="Aumente o período ou tire um filtro."
            action={isFiltered && <Button onClick={clear}>Limpar filtros</Button>}
          />
        )}
      </Card>
      {data && (
        <Pager
          className="mt-2 flex-none"
          page={page}
          totalPages={data.pagination.totalPages}
          onPage={setPage}
        />
      )}
    </Page>
  )
}

function useNames(people: AuditPage['people'] | undefined): (userId: unknown) => string {
  return useMemo(() => {
    const names = new Map(people?.map(({ id, name }) => [id, name]))
    return (userId) => names.get(Number(userId)) ?? resourceTexts.user.gone
  }, [people])
}

/** '1-20 de 1.386 registros' */
function rangeText({ rows, pagination: { page, limit, total, hasMore } }: AuditPage): string {
  if (rows.length === 0) return ''
  if (rows.length === total) return total === 1 ? '1 registro' : `${total} registros`
  const first = (page - 1) * limit + 1
  const [from, to, all] = [first, first + rows.length - 1, total].map((n) => n.toLocaleString('pt-BR'))
  if (hasMore) return `${from}-${to} de mais de ${all} registros`
  return `${from}-${to} de ${all} registros`
}
