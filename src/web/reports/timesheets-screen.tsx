import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CalendarX, Download, Printer } from 'lucide-react'
import { useMemo } from 'react'
import { useLocation } from 'wouter'
import * as z from 'zod/mini'
import { dayCount, periods, untilToday } from '#shared/reports/periods.ts'
import { zonedDates } from '#shared/text/time/zoned-dates.ts'
import { dayParam, idParam } from '#shared/users/users.ts'
import { longestTimesheetDays, pieceKinds } from '#shared/workday/timesheets.ts'
import { timeZone, useNow } from '#web/platform/live/server-clock.ts'
import { useUrlFilter } from '#web/platform/browser/use-url-filter.ts'
import { useSectors } from '#web/sectors/sectors.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { cn } from '#web/ui/cn.ts'
import { ChoiceChip } from '#web/ui/fields/filter-chip.tsx'
import { Segmented } from '#web/ui/fields/segmented.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { Page } from '#web/ui/layout/page.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { useCan, useMe } from '#web/users/users.tsx'
import { daysOf } from '#web/reports/asked/use-report.ts'
import { daysText } from '#web/reports/asked/words.ts'
import { PeriodControl } from '#web/reports/filters/period-control.tsx'
import { kindLooks, kindNames } from '#web/reports/timesheets/day-bar.tsx'
import { PeopleTable } from '#web/reports/timesheets/people-table.tsx'
import { type TimesheetFilter, timesheetKeys, timesheetsQuery } from '#web/reports/timesheets/queries.ts'
import { type PersonSheets, sumOf } from '#web/reports/timesheets/sums.ts'
import { TimesheetFigures } from '#web/reports/timesheets/timesheet-figures.tsx'
import { weekdayOf } from '#web/reports/timesheets/words.ts'

const fields = {
  period: z.optional(z.enum(periods)),
  startDate: z.optional(dayParam),
  endDate: z.optional(dayParam),
  userId: z.optional(idParam),
  sectorId: z.optional(idParam),
}

/** `/jornada`: what people were on their days, for themselves, leads, supervisors and administrators. */
export function TimesheetsScreen() {
  const { id: ownId, hasSectors } = useMe()
  const isTeam = useCan('viewTimesheets')
  const mayCorrect = useCan('correctTimesheets')
  const hasReports = useCan('viewReports')
  const [, navigate] = useLocation()
  const { filter: asked, change } = useUrlFilter(fields)
  const nowMs = useNow(60_000)
  const { all: sectors } = useSectors()
  // The days are those of the settings' time zone, which comes with the first answer.
  const client = useQueryClient()
  const known = client.getQueriesData<{ timezone?: string }>({ queryKey: timesheetKeys.all })
  const timezone = known.findLast(([, answer]) => answer?.timezone)?.[1]?.timezone ?? timeZone()
  const dates = useMemo(() => zonedDates(timezone), [timezone])
  const today = dates.day(nowMs)
  const days = daysOf(asked, today)
  const filter: TimesheetFilter = {
    ...days,
    ...(isTeam ? asked.userId !== undefined && { userId: asked.userId } : { userId: ownId }),
    ...(isTeam && asked.sectorId !== undefined && { sectorId: asked.sectorId }),
  }
  const isTooLong = dayCount(days) > longestTimesheetDays
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    ...timesheetsQuery(filter),
    enabled: !isTooLong,
  })
  const isOneDay = days.startDate === days.endDate
  const people = useMemo(
    () =>
      data?.people.map((person): PersonSheets => {
        const sheets = data.sheets.filter(({ userId }) => userId === person.userId)
        return { ...person, sheets, sums: sumOf(sheets) }
      }),
    [data],
  )
  const what = isOneDay
    ? `${daysText(days)}, ${weekdayOf(days.startDate)}`
    : daysText(untilToday(days, today))
  return (
    <Page
      title={hasReports ? 'Relatórios' : 'Jornada'}
      subtitle={
        <span className="tabular-nums">
          Jornada de {what}
          {!isTeam && ' · Você vê só a sua jornada'}
        </span>
      }
      actions={
        <>
          {hasReports && (
            <Segmented
              label="Relatório"
              className="print:hidden"
              value="workday"
              options={[
                { value: 'reports', label: 'Atendimento' },
                { value: 'workday', label: 'Jornada' },
              ]}
              onChange={(next) => next === 'reports' && navigate('/reports')}
            />
          )}
          <IconButton
            icon={Printer}
            label="Imprimir"
            className="max-md:hidden print:hidden"
            onClick={() => window.print()}
          />
        </>
      }
    >
      <div className="mb-4 flex flex-wrap items-center gap-2 print:hidden">
        <PeriodControl
          subject={asked}
          today={today}
          isReversed={(asked.startDate ?? '') > (asked.endDate ?? '9')}
          onChange={change}
        />
        {isTeam && (
          <span className="flex flex-wrap gap-2 md:ml-auto">
            {hasSectors && (
              <ChoiceChip
                label="Setor"
                shown={sectors.find(({ id }) => id === asked.sectorId)?.name}
                value={String(asked.sectorId ?? '')}
                options={sectors.map(({ id, name }) => ({ value: String(id), label: name }))}
                anything="Todos os setores"
                onChoose={(value) => change({ sectorId: Number(value) })}
                onClear={() => change({ sectorId: undefined })}
              />
            )}
            <ChoiceChip
              label="Pessoa"
              shown={
                asked.userId === undefined
                  ? undefined
                  : (data?.people.find(({ userId }) => userId === asked.userId)?.name ?? 'Uma pessoa')
              }
              value={String(asked.userId ?? '')}
              options={data?.people.map(({ userId, name }) => ({ value: String(userId), label: name }))}
              anything="Todas as pessoas"
              onChoose={(value) => change({ userId: Number(value) })}
              onClear={() => change({ userId: undefined })}
            />
          </span>
        )}
      </div>
      {isTooLong ? (
        <Card>
          <EmptyState
            icon={CalendarX}
            title={`No máximo ${longestTimesheetDays} dias`}
            description="Escolha um período menor."
          />
        </Card>
      ) : !data && error ? (
        <Card>
          <ErrorState
            description="Não foi possível carregar as jornadas."
            isRetrying={isFetching}
            onRetry={() => void refetch()}
          />
        </Card>
      ) : (
        <div
          aria-busy={isFetching}
          className={isPlaceholderData ? 'opacity-50 transition-opacity delay-150' : ''}
        >
          {people?.length !== 0 && <TimesheetFigures people={people} sums={data && sumOf(data.sheets)} />}
          <Card
            title="Por pessoa"
            className="overflow-hidden"
            note={
              <span className="flex flex-wrap items-center gap-x-4 gap-y-1 text-xs max-md:hidden">
                {pieceKinds.map((kind) => (
                  <span key={kind} className="inline-flex items-center gap-1.5">
                    <i aria-hidden className={cn('size-2 rounded-[2px]', kindLooks[kind])} />
                    {kindNames[kind]}
                  </span>
                ))}
              </span>
            }
            actions={isTeam && people && people.length > 0 && <Files filter={filter} />}
          >
            {!people ? (
              <Skeleton className="m-4 h-64" />
            ) : people.length === 0 ? (
              <EmptyState
                icon={CalendarX}
                title={isOneDay ? `Ninguém entrou em ${daysText(days)}` : 'Ninguém entrou nestes dias'}
                description="Não é zero: não há dia."
              />
            ) : (
              <>
                <PeopleTable
                  people={people}
                  isOneDay={isOneDay}
                  dates={dates}
                  mayCorrect={(userId) => mayCorrect && userId !== ownId}
                />
                <p className="border-t border-line px-4 py-3 text-xs text-ink-2">
                  ‘/h’ é por hora produtiva: disponível mais pausas que contam como trabalho. A soma dos
                  estados é o tempo logado, ao segundo. Assumidas são as que a pessoa tirou da fila;
                  respondidas, as em que respondeu a um cliente que esperava.
                </p>
              </>
            )}
          </Card>
        </div>
      )}
    </Page>
  )
}

/** What is shown, as a file. */
function Files({ filter }: { filter: TimesheetFilter }) {
  const address = (format: string) => {
    const query = new URLSearchParams({ format })
    for (const [name, value] of Object.entries(filter)) query.set(name, String(value))
    return `/api/timesheets/export?${query.toString()}`
  }
  return (
    <span className="flex items-center gap-1 print:hidden">
      {(['csv', 'xlsx'] as const).map((format) => (
        <Button key={format} asChild size="sm">
          <a href={address(format)} download aria-label={`Baixar a jornada como ${format.toUpperCase()}`}>
            {format === 'csv' && <Download size={14} aria-hidden className="-ml-[3px] text-ink-2" />}
            {format.toUpperCase()}
          </a>
        </Button>
      ))}
    </span>
  )
}
