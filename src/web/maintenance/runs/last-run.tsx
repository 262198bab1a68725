import { CircleAlert, CirclePause, History } from 'lucide-react'
import type { MaintenanceRun } from '#shared/maintenance/maintenance.ts'
import type { ZonedDates } from '#shared/text/time/zoned-dates.ts'
import { cn } from '#web/ui/cn.ts'
import { listed } from '#web/maintenance/words.ts'
import { cleanedText, retainedText } from './run-words.ts'

const looks = {
  done: { Icon: History, look: 'text-ink-2' },
  failed: { Icon: CircleAlert, look: 'text-red-text' },
  cancelled: { Icon: CirclePause, look: 'text-amber-text' },
} as const

/** How the last run of a kind has ended, for those who were elsewhere meanwhile. */
export function LastRun({ run, dates }: { run: MaintenanceRun | undefined; dates: ZonedDates }) {
  if (!run || run.state === 'queued' || run.state === 'running') return null
  const { Icon, look } = looks[run.state]
  const at = run.finishedAt ?? run.startedAt
  return (
    <p className={cn('flex gap-1.5 text-xs', look)}>
      <Icon size={14} aria-hidden className="mt-px flex-none" />
      <span className="min-w-0 tabular-nums [overflow-wrap:anywhere]">
        {subjects[run.kind]}: {endText(run)}
        {at !== null && <> em {dates.dateTime(at)}</>}
        {run.startedBy !== null && (
          <>
            , por <bdi>{run.startedBy}</bdi>
          </>
        )}
        .{run.error !== null && ` ${sentence(run.error)}`}
        {afterText(run)}
      </span>
    </p>
  )
}

const subjects = {
  backup: 'Último backup',
  preview: 'Última prévia',
  restore: 'Última restauração',
  cleanup: 'Última limpeza',
  retention: 'Última aplicação dos prazos',
} as const

const ends = { done: 'concluída', failed: 'falhou', cancelled: 'parada' } as const

function endText({ state, cleanup, retention }: MaintenanceRun): string {
  const deleted = cleanup ? cleanedText(cleanup) : retention && (retainedText(retention) ?? 'nada a apagar')
  const end = state === 'done' || state === 'cancelled' ? ends[state] : ends.failed
  return deleted ? `${end}, ${deleted.charAt(0).toLowerCase()}${deleted.slice(1)},` : end
}

/** What a restore leaves to do, or that it has changed nothing. */
function afterText({ kind, state, plan }: MaintenanceRun): string {
  if (kind !== 'restore') return ''
  if (state !== 'done') return ' Nada mudou.'
  const keys = plan?.keysToType ?? []
  return keys.length === 0 ? '' : ` Faltava digitar de novo a chave de ${listed(keys)}.`
}

const sentence = (words: string) => (/[.!?]$/.test(words) ? words : `${words}.`)
