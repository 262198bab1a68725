import { Trash2 } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import type { CleanupChoice, MaintenanceStats } from '#shared/maintenance/maintenance.ts'
import type { ZonedDates } from '#shared/text/time/zoned-dates.ts'
import { LastRun } from '#web/maintenance/runs/last-run.tsx'
import { RunProgress } from '#web/maintenance/runs/run-progress.tsx'
import { busyRun, endedRun, isBusy } from '#web/maintenance/runs/run-words.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { CleanupDialog } from './cleanup-dialog.tsx'

const reversedId = 'limpeza-datas'
const warning = 'Apaga conversas finalizadas. Não há volta sem um backup.'

/** 'Limpeza de mensagens': deletes completed conversations of a period, or all. @see specification §4 */
export function CleanupCard({ stats, dates }: { stats: MaintenanceStats | undefined; dates: ZonedDates }) {
  const [dateFrom, setFrom] = useState('')
  const [dateTo, setTo] = useState('')
  const [asked, setAsked] = useState<CleanupChoice>()
  const run = busyRun(stats?.runs, ['cleanup'])
  const last = endedRun(stats?.runs, 'cleanup')
  const isLocked = stats?.runs.some(isBusy) ?? false
  const isReversed = dateFrom !== '' && dateTo !== '' && dateFrom > dateTo
  const isWhole = dateFrom !== '' && dateTo !== '' && !isReversed
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isWhole && !isLocked) setAsked({ dateFrom, dateTo })
  }
  return (
    <Card
      title="Limpeza de mensagens"
      note={<span className="max-md:hidden">{warning}</span>}
      className="overflow-hidden"
    >
      {run && <RunProgress run={run} dates={dates} />}
      <form
        aria-label="Período da limpeza"
        noValidate
        className="flex flex-wrap items-center gap-2.5 px-4 py-3"
        onSubmit={submit}
      >
        {/* Beside the title there is no room for it. */}
        <p className="w-full text-xs text-ink-3 md:hidden">{warning}</p>
        <DateField label="De" value={dateFrom} isInvalid={isReversed} onChange={setFrom} />
        <DateField label="até" value={dateTo} isInvalid={isReversed} onChange={setTo} />
        <Button type="submit" disabled={!isWhole || isLocked} className="max-md:grow">
          Limpar período
        </Button>
        <Button
          variant="danger"
          icon={Trash2}
          className="max-md:grow md:ml-auto"
          disabled={isLocked}
          onClick={() => setAsked({ cleanAll: true })}
        >
          Limpar tudo
        </Button>
        {isReversed && (
          <p id={reversedId} role="alert" className="w-full text-xs text-red-text">
            A data final é anterior à data inicial.
          </p>
        )}
      </form>
      {last && !run && (
        <footer className="border-t border-line px-4 py-2.5">
          <LastRun run={last} dates={dates} />
        </footer>
      )}
      {asked && (
        <CleanupDialog
          choice={asked}
          lastBackup={stats?.lastBackup}
          isRunning={run !== undefined}
          dates={dates}
          onClose={() => setAsked(undefined)}
        />
      )}
    </Card>
  )
}

function DateField({
  label,
  value,
  isInvalid,
  onChange,
}: {
  label: string
  /** 'YYYY-MM-DD', or '' */
  value: string
  isInvalid: boolean
  onChange: (value: string) => void
}) {
  const id = useId()
  return (
    <div className="flex items-center gap-2.5 max-md:w-full">
      <label htmlFor={id} className="flex-none text-sm text-ink-2 max-md:w-8">
        {label}
      </label>
      <Input
        id={id}
        type="date"
        fieldSize="bar"
        className="md:w-37.5"
        value={value}
        aria-invalid={isInvalid || undefined}
        aria-describedby={isInvalid ? reversedId : undefined}
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  )
}
