import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { FormProvider, useForm } from 'react-hook-form'
import type { MaintenanceStats } from '#shared/maintenance/maintenance.ts'
import {
  type MaintenancePlan,
  maintenancePlan,
  type StoredPlan,
} from '#shared/maintenance/maintenance-plan.ts'
import type { ZonedDates } from '#shared/text/time/zoned-dates.ts'
import { isStale, maintenanceQueries, usePreviewRetention, useSavePlan } from '#web/maintenance/queries.ts'
import { LastRun } from '#web/maintenance/runs/last-run.tsx'
import { RunProgress } from '#web/maintenance/runs/run-progress.tsx'
import { busyRun, endedRun, retainedText } from '#web/maintenance/runs/run-words.ts'
import { LeaveDialog } from '#web/platform/browser/leave-dialog.tsx'
import { useLeaveGuard } from '#web/platform/browser/leaving.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { resetToSaved, valuesSent } from '#web/ui/forms/reset-to-saved.ts'
import { Card } from '#web/ui/layout/card.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { BackupFields, PeriodFields } from './plan-fields.tsx'

interface Surroundings {
  stats: MaintenanceStats | undefined
  dates: ZonedDates
  /** The time zone of the settings. */
  zoneName: string
}

/** What happens automatically: the daily backup, and what is deleted after some time. */
export function PlanCard(props: Surroundings) {
  const { stats, dates } = props
  const { data, error, isFetching, refetch } = useQuery(maintenanceQueries.plan())
  const run = busyRun(stats?.runs, ['retention'])
  return (
    <Card title="Backup diário e prazos">
      {run && <RunProgress run={run} dates={dates} />}
      {data ? (
        <PlanForm stored={data} reload={async () => (await refetch()).data} {...props} />
      ) : error ? (
        <ErrorState description={error.message} isRetrying={isFetching} onRetry={() => void refetch()} />
      ) : (
        <PlanSkeleton />
      )}
    </Card>
  )
}

interface PlanFormProps extends Surroundings {
  stored: StoredPlan
  reload: () => Promise<StoredPlan | undefined>
}

function PlanForm({ stored, reload, stats, dates, zoneName }: PlanFormProps) {
  const save = useSavePlan()
  const { version, ...plan } = stored
  const form = useForm<MaintenancePlan>({
    resolver: zodResolver(maintenancePlan),
    values: plan,
    // What a colleague saves meanwhile is taken over where nothing was typed.
    resetOptions: { keepDirtyValues: true },
  })
  const { isDirty, dirtyFields, isSubmitting } = form.formState
  const typed = fields.filter((field) => dirtyFields[field])
  const changeCount = typed.length
  // The plan that the person has seen: what a colleague has changed where something was typed, they have not.
  const [seen, setSeen] = useState(stored)
  if (seen.version < version && typed.every((field) => seen[field] === stored[field])) setSeen(stored)
  const leaving = useLeaveGuard(isDirty)
  const count = usePreviewRetention()
  useChanged(form.watch(), count.reset)
  const submit = form.handleSubmit(async (values) => {
    const sent = valuesSent(form)
    try {
      const { version: savedVersion, ...saved } = await save.mutateAsync({ ...values, version: seen.version })
      setSeen({ ...saved, version: savedVersion })
      resetToSaved(form, saved, sent)
    } catch (error) {
      // The mutation reports the failure. Somebody who was informed of a colleague's change may save over it.
      const theirs = isStale(error) ? await reload() : undefined
      if (theirs) setSeen(theirs)
    }
  })
  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={submit}>
        <div className="grid lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
          <BackupFields zoneName={zoneName} />
          <PeriodFields />
        </div>
        <footer className="grid gap-2 border-t border-line px-4 py-3">
          {count.data && (
            <p role="status" className="text-sm tabular-nums">
              {retainedText(count.data)
                ? `Na próxima noite seriam apagados ${retainedText(count.data)}.`
                : 'Na próxima noite nada seria apagado.'}
            </p>
          )}
          <LastRun run={endedRun(stats?.runs, 'retention')} dates={dates} />
          <div className="flex flex-wrap items-center gap-2">
            <p role="status" className="mr-auto flex items-center gap-[7px] text-sm text-ink-2">
              {changeCount > 0 && <span aria-hidden className="size-2 shrink-0 rounded-full bg-amber" />}
              {changeText(changeCount)}
            </p>
            <Button
              isBusy={count.isPending}
              busyLabel="Contando..."
              onClick={form.handleSubmit((plan) => count.mutate(plan))}
            >
              Contar o que apagaria
            </Button>
            <Button
              variant="ghost"
              disabled={!isDirty || isSubmitting}
              onClick={() => form.reset(plan, { keepDirtyValues: false })}
            >
              Descartar
            </Button>
            <Button
              type="submit"
              variant="primary"
              disabled={!isDirty}
              isBusy={isSubmitting}
              busyLabel="Salvando..."
            >
              Salvar
            </Button>
          </div>
        </footer>
      </form>
      <LeaveDialog leaving={leaving} />
    </FormProvider>
  )
}

const fields = Object.keys(maintenancePlan.shape) as (keyof MaintenancePlan)[]

/** Calls back when a value has become another one. */
function useChanged(value: unknown, onChange: () => void): void {
  const key = JSON.stringify(value)
  const change = useEffectEvent(onChange)
  useEffect(() => change(), [key])
}

function changeText(count: number): string {
  if (count === 0) return 'Tudo salvo'
  return count === 1 ? '1 mudança não salva' : `${count} mudanças não salvas`
}

function PlanSkeleton() {
  return (
    <div
      role="status"
      aria-busy
      aria-label="Carregando"
      className="grid h-[694px] content-start gap-5 px-4 py-5 md:h-[524px] lg:h-[374px]"
    >
      {['w-1/3', 'w-1/2', 'w-2/5', 'w-3/5'].map((width) => (
        <Skeleton key={width} className={width} />
      ))}
    </div>
  )
}
