import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { ChartColumn, Printer } from 'lucide-react'
import { useMemo } from 'react'
import { useLocation } from 'wouter'
import { untilToday } from '#shared/reports/periods.ts'
import { zonedDates } from '#shared/text/time/zoned-dates.ts'
import { timeZone, useNow } from '#web/platform/live/server-clock.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { Segmented } from '#web/ui/fields/segmented.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { Page } from '#web/ui/layout/page.tsx'
import { DeniedState } from '#web/ui/states/denied-state.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { useCan } from '#web/users/users.tsx'
import { FigureCards } from '#web/reports/cards/figure-cards.tsx'
import { GroupsCard } from '#web/reports/cards/groups-card.tsx'
import { HoursCard } from '#web/reports/cards/hours-card.tsx'
import { OperatorsTable } from '#web/reports/cards/operators-table.tsx'
import { ofPeriod, statsQuery } from '#web/reports/asked/queries.ts'
import { ReasonsCard } from '#web/reports/cards/reasons-card.tsx'
import { SlaCard } from '#web/reports/cards/sla-card.tsx'
import { RatingsCard } from '#web/reports/cards/ratings-card.tsx'
import { ReportFilters } from '#web/reports/filters/report-filters.tsx'
import { RowsCard } from '#web/reports/rows/rows-card.tsx'
import { PrintHeader } from './print-header.tsx'
import { SavedReports } from './saved-reports.tsx'
import { FirstReplyCard, VolumeCard } from '#web/reports/cards/trend-cards.tsx'
import { isNarrowed, toSaved, useReport, withoutNarrowings } from '#web/reports/asked/use-report.ts'
import { count, daysText } from '#web/reports/asked/words.ts'

/** `/reports`: the figures of a period, for administrators and supervisors. @see specification §2 Reports */
export function ReportsScreen() {
  return useCan('viewReports') ? (
    <Reports />
  ) : (
    <DeniedState isPage description="Você não tem permissão para acessar os relatórios." />
  )
}

const gridLook = [
  'grid gap-4 lg:grid-cols-[minmax(0,1.6fr)_minmax(0,1fr)]',
  'print:grid-cols-[minmax(0,1.6fr)_minmax(0,1fr)]',
].join(' ')

function Reports() {
  const mayList = useCan('viewReportRows')
  const nowMs = useNow(60_000)
  const client = useQueryClient()
  const [, navigate] = useLocation()
  // The days are those of the settings' time zone, which comes with the first answer.
  const known = client.getQueriesData<{ timezone: string }>({
    queryKey: [...ofPeriod, 'stats'],
  })
  const timezone = known.findLast(([, data]) => data)?.[1]?.timezone ?? timeZone()
  const dates = useMemo(() => zonedDates(timezone), [timezone])
  const today = dates.day(nowMs)
  const report = useReport(today)
  // What was shown stays until the new figures are there.
  const stats = useQuery({ ...statsQuery(report.filter), placeholderData: keepPreviousData })
  const before = useQuery({
    ...statsQuery(report.beforeFilter),
    enabled: report.isCompared,
    placeholderData: keepPreviousData,
  })
  const { data } = stats
  const isSamePeriod = stats.isPlaceholderData === before.isPlaceholderData
  const then = report.isCompared && isSamePeriod ? before.data : undefined
  const reload = () => void client.invalidateQueries({ queryKey: ofPeriod })
  const isEmpty = data?.total === 0
  const hasFailed = !data && stats.error !== null
  const isFiltered = isNarrowed(report.subject)
  // An answer that comes at once dims nothing.
  const figuresLook = data && stats.isFetching ? 'opacity-50 transition-opacity delay-150' : ''
  return (
    <Page
      title="Relatórios"
      subtitle={
        <span className="tabular-nums">
          {daysText(untilToday(report.days, today))}
          {report.isCompared && ` contra ${daysText(report.before)}`}
        </span>
      }
      actions={
        <>
          <Segmented
            label="Relatório"
            className="print:hidden"
            value="reports"
            options={[
              { value: 'reports', label: 'Atendimento' },
              { value: 'workday', label: 'Jornada' },
            ]}
            onChange={(next) => next === 'workday' && navigate('/jornada')}
          />
          <Segmented
            label="Tempos"
            className="print:hidden"
            value={report.isByClock ? 'clock' : 'open'}
            options={[
              { value: 'open', label: 'No expediente' },
              { value: 'clock', label: 'No relógio' },
            ]}
            onChange={(next) => report.setByClock(next === 'clock')}
          />
          <SavedReports filter={toSaved(report.subject, report.restriction)} />
          <IconButton
            icon={Printer}
            label="Imprimir"
            className="max-md:hidden print:hidden"
            onClick={() => window.print()}
          />
        </>
      }
    >
      <PrintHeader report={report} dates={dates} />
      <ReportFilters report={report} today={today} isLoading={stats.isFetching} onGenerate={reload} />
      {data && data.due > 0 && (
        <p role="status" className="mb-3 text-sm text-ink-2">
          {data.due >= 1000 ? 'Mais de 1.000 conversas' : `${count(data.due)} conversa(s)`} ainda em cálculo:
          os tempos mudam daqui a pouco.
        </p>
      )}
      {hasFailed ? (
        <Card>
          <ErrorState
            title="Erro ao Carregar"
            description="Ocorreu um erro ao carregar os relatórios. Tente novamente."
            retryLabel="Tentar Novamente"
            isRetrying={stats.isFetching}
            onRetry={reload}
          />
        </Card>
      ) : (
        <div aria-busy={stats.isFetching} className={figuresLook}>
          <FigureCards
            stats={data}
            before={then}
            isByClock={report.isByClock}
            shown={report.rows && (report.rows.figure ?? 'total')}
            onList={report.list}
          />
        </div>
      )}
      {hasFailed ? null : isEmpty ? (
        <Card>
          <EmptyState
            icon={ChartColumn}
            title="Nenhuma conversa no período"
            description={isFiltered ? 'Mude as datas ou tire os filtros.' : 'Escolha outras datas.'}
            action={
              isFiltered && (
                <Button onClick={() => report.ask(withoutNarrowings(report.subject))}>Limpar filtros</Button>
              )
            }
          />
        </Card>
      ) : (
        <>
          {report.rows &&
            (mayList ? (
              <RowsCard report={report} rows={report.rows} stats={data} before={then} dates={dates} />
            ) : (
              <Card className="mb-4">
                <DeniedState description="Você não tem permissão para ver as conversas destes números." />
              </Card>
            ))}
          <div aria-busy={stats.isFetching} className={`${gridLook} ${figuresLook}`}>
            <VolumeCard stats={data} days={report.days} onList={report.list} />
            <FirstReplyCard stats={data} before={then} isByClock={report.isByClock} onList={report.list} />
            <RatingsCard stats={data} onList={report.list} />
            <OperatorsTable filter={report.filter} isByClock={report.isByClock} onList={report.list} />
            <GroupsCard filter={report.filter} isByClock={report.isByClock} onList={report.list} />
            <ReasonsCard filter={report.filter} isByClock={report.isByClock} onList={report.list} />
            {data && <SlaCard stats={data} filter={report.filter} onList={report.list} />}
            <HoursCard
              stats={data}
              isByClock={report.isByClock}
              restriction={report.restriction}
              onList={report.list}
            />
          </div>
        </>
      )}
    </Page>
  )
}
