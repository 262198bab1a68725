import { Check, Circle, LoaderCircle, Square } from 'lucide-react'
import {
  type MaintenanceRun,
  maintenanceSteps,
  type MaintenanceStep,
} from '#shared/maintenance/maintenance.ts'
import type { ZonedDates } from '#shared/text/time/zoned-dates.ts'
import { useStopRun } from '#web/maintenance/queries.ts'
import { percentOf } from '#web/maintenance/words.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { cn } from '#web/ui/cn.ts'
import { Spinner } from '#web/ui/states/spinner.tsx'
import { ProgressBar } from './progress-bar.tsx'
import { cleanedText, doneText, kindWords, leftText, retainedText, stepWords } from './run-words.ts'

/** What works in the background: which step of which, how far it is, and how to stop it. */
export function RunProgress({ run, dates }: { run: MaintenanceRun; dates: ZonedDates }) {
  const { kind, step, done, total, secondsLeft } = run
  const words = step && stepWords(kind, step)
  const doneSoFar = words ? doneText(run, words.measure) : ''
  const percent = step !== null && total !== null && total > 0 ? percentOf(done, total) : undefined
  // The pace of less than a hundredth says nothing: it may be that of getting ready.
  const isPaced = secondsLeft !== null && percent !== undefined && percent > 0
  const { bar, note } = kindWords[kind]
  return (
    <div role="group" aria-label={bar} className="grid gap-2.5 border-b border-line px-4 py-3.5">
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <Spinner />
        <span role="status" className="font-medium">
          {words?.now ?? 'Começando...'}
        </span>
        {doneSoFar !== '' && <span className="text-sm text-ink-2 tabular-nums">{doneSoFar}</span>}
        <span className="ml-auto flex items-center gap-3">
          {percent !== undefined && (
            <span className="text-sm text-ink-2 tabular-nums">
              <b className="font-semibold text-ink">{percent}%</b>
              {isPaced && ` · ${leftText(secondsLeft)}`}
            </span>
          )}
          <StopButton key={run.id} runId={run.id} />
        </span>
      </div>
      <ProgressBar label={bar} percent={percent} />
      {maintenanceSteps[kind].length > 1 && <Steps run={run} />}
      <p className="text-xs text-ink-3">
        <Begun run={run} dates={dates} /> {note}
      </p>
    </div>
  )
}

function StopButton({ runId }: { runId: string }) {
  const { mutate, isPending, isSuccess } = useStopRun()
  return (
    <Button
      size="sm"
      icon={Square}
      // It ends between two of its blocks, a moment after the request.
      isBusy={isPending || isSuccess}
      busyLabel="Parando..."
      onClick={() => mutate(runId)}
    >
      Parar
    </Button>
  )
}

/** Who began it and when, and what was deleted until now. */
function Begun({ run, dates }: { run: MaintenanceRun; dates: ZonedDates }) {
  const { startedBy, startedAt, cleanup, retention } = run
  const deleted = cleanup ? cleanedText(cleanup) : retention && retainedText(retention)
  const at = startedAt === null ? '' : ` às ${dates.time(startedAt).slice(0, 5)}`
  return (
    <>
      {startedBy === null ? (
        `Iniciado pela agenda${at}.`
      ) : (
        <>
          Iniciado por <bdi>{startedBy}</bdi>
          {at}.
        </>
      )}
      {deleted && ` Até agora: ${deleted}.`}
    </>
  )
}

const stepLooks = {
  done: { Icon: Check, look: 'text-green-text', said: 'feito' },
  now: { Icon: LoaderCircle, look: 'font-medium', said: 'agora' },
  next: { Icon: Circle, look: 'text-ink-2', said: 'depois' },
} as const

const stepsLook = [
  'grid gap-x-4 gap-y-1.5 text-xs md:grid-cols-2',
  'lg:auto-cols-fr lg:grid-flow-col lg:grid-cols-none',
].join(' ')

function Steps({ run: { kind, step } }: { run: MaintenanceRun }) {
  const steps: readonly MaintenanceStep[] = maintenanceSteps[kind]
  const at = step === null ? -1 : steps.indexOf(step)
  return (
    <ol className={stepsLook}>
      {steps.map((one, place) => {
        const { Icon, look, said } = stepLooks[place < at ? 'done' : place === at ? 'now' : 'next']
        return (
          <li key={one} className={cn('flex min-w-0 items-start gap-1.5', look)}>
            <Icon size={12} aria-hidden className={cn('mt-0.5', place === at && 'animate-spin-slow')} />
            <span className="min-w-0">
              {stepWords(kind, one).name}
              <span className="sr-only">, {said}</span>
            </span>
          </li>
        )
      })}
    </ol>
  )
}
