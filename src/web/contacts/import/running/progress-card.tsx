import { Check, CirclePause, LoaderCircle, Play, Square } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { ContactImport } from '#shared/contacts/contact-imports.ts'
import { clockTime } from '#web/platform/dates.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { cn } from '#web/ui/cn.ts'
import { durationText, figure, isBusy, lines, percentOf } from '#web/contacts/import/import-texts.ts'
import { useImportActs } from '#web/contacts/import/queries.ts'
import { Figures, StepCard } from '#web/contacts/import/preparing/step-card.tsx'
import { ProgressBar } from './progress-bar.tsx'
import { UndoDialog } from './undo-dialog.tsx'

const titles = {
  read: 'Importando',
  running: 'Importando',
  stopped: 'Parada',
  failed: 'Interrompida',
  done: 'Importado',
  undoing: 'Desfazendo',
  undone: 'Desfeita',
} as const

/** How far a run is, with what can be done about it. */
export function ProgressCard({ job }: { job: ContactImport }) {
  const { stop } = useImportActs(job.id)
  const isUndo = job.state === 'undoing' || job.state === 'undone'
  const [done, total] = isUndo ? [job.undoneRows, job.created + job.updated] : [job.doneRows, job.totalRows]
  const started =
    job.startedAt === null ? '' : `começou às ${clockTime(job.startedAt)}, por ${job.uploadedBy}`
  return (
    <StepCard
      step={2}
      title={titles[job.state]}
      note={started}
      action={
        job.state === 'running' && (
          <Button size="sm" icon={Square} isBusy={stop.isPending} onClick={() => stop.mutate()}>
            Parar
          </Button>
        )
      }
    >
      <div className="grid gap-3 border-b border-line px-4 pt-5 pb-4">
        <p className="flex items-baseline justify-between gap-2">
          <span className="text-2xl font-semibold tracking-figure tabular-nums">
            {percentOf(done, total)}
            <small className="ml-0.5 text-base font-medium text-ink-2">%</small>
          </span>
          <span role="status" className="text-sm text-ink-2 tabular-nums">
            {remainingText(job)}
          </span>
        </p>
        <ProgressBar
          label={isUndo ? 'Desfazendo a importação' : 'Importação em andamento'}
          percent={percentOf(done, total)}
        />
        <p className="flex justify-between gap-2 text-sm text-ink-2 tabular-nums">
          <span>
            {figure(done)} de {lines(total)}
          </span>
          {job.state === 'running' && job.perSecond !== null && (
            <span>{figure(Math.round(job.perSecond))} por segundo</span>
          )}
        </p>
      </div>
      <ol className="grid gap-3 border-b border-line px-4 py-3.5 text-sm">
        <Stage isDone note={lines(job.totalRows)}>
          Ler o arquivo
        </Stage>
        <Stage
          isDone={job.doneRows === job.totalRows}
          isNow={job.state === 'running'}
          note={checkedText(job)}
        >
          Conferir e gravar
        </Stage>
        {isUndo && (
          <Stage isDone={job.state === 'undone'} isNow={job.state === 'undoing'} note="">
            Desfazer
          </Stage>
        )}
      </ol>
      <Figures
        figures={[
          { label: 'novos', value: figure(job.created) },
          { label: 'atualizados', value: figure(job.updated) },
          { label: 'mantidos', value: figure(job.kept) },
          { label: 'com erro', value: figure(job.errors) },
        ]}
      />
      {isBusy(job.state) && (
        <p className="px-4 py-3 text-xs text-ink-3">
          Pode sair desta tela: {job.state === 'undoing' ? 'o trabalho' : 'a importação'} continua e o
          andamento aparece em Contatos. Se o servidor reiniciar, segue do bloco em que estava.
        </p>
      )}
      {(job.state === 'stopped' || job.state === 'failed') && <Halted job={job} />}
    </StepCard>
  )
}

function Stage({
  isDone = false,
  isNow = false,
  note,
  children,
}: {
  isDone?: boolean
  isNow?: boolean
  note: string
  children: ReactNode
}) {
  const Icon = isDone ? Check : isNow ? LoaderCircle : CirclePause
  return (
    <li
      className={cn(
        'flex items-center gap-2.5',
        isDone ? 'text-green-text' : isNow ? 'font-medium' : 'text-ink-2',
      )}
    >
      <Icon size={16} aria-hidden className={!isDone && isNow ? 'animate-spin' : ''} />
      {children}
      <span className="ml-auto text-xs font-normal text-ink-3 tabular-nums">{note}</span>
    </li>
  )
}

/** Work that ended before its last row can go on, or be undone. */
function Halted({ job }: { job: ContactImport }) {
  const { goOn, undo } = useImportActs(job.id)
  const [isAsking, setAsking] = useState(false)
  const at = job.endedAt === null ? '' : ` às ${clockTime(job.endedAt)}`
  return (
    <div className="mt-auto p-4">
      <div
        role="status"
        className={[
          'grid gap-2 rounded-control border border-amber-line bg-amber-soft p-3',
          'text-sm text-amber-text',
        ].join(' ')}
      >
        <p className="flex gap-2 font-semibold">
          <CirclePause size={16} aria-hidden className="mt-px flex-none" />
          {job.state === 'stopped' ? 'Parada' : 'Interrompida por um erro'}
          {at}, com {lines(job.doneRows)} gravadas
        </p>
        <p className="flex flex-wrap gap-2 pl-6">
          {job.canContinue && (
            <Button size="sm" icon={Play} isBusy={goOn.isPending} onClick={() => goOn.mutate()}>
              Continuar
            </Button>
          )}
          {job.undoUntil !== null && (
            <Button size="sm" variant="danger" isBusy={undo.isPending} onClick={() => setAsking(true)}>
              Desfazer tudo
            </Button>
          )}
        </p>
      </div>
      {isAsking && (
        <UndoDialog
          job={job}
          onClose={() => setAsking(false)}
          onUndo={() => {
            setAsking(false)
            undo.mutate()
          }}
        />
      )}
    </div>
  )
}

function remainingText({ state, totalRows, doneRows, perSecond }: ContactImport): string {
  if (state !== 'running') return ''
  if (perSecond === null || perSecond <= 0) return 'começando...'
  return `faltam cerca de ${durationText(((totalRows - doneRows) / perSecond) * 1000)}`
}

function checkedText({ errors }: ContactImport): string {
  if (errors === 0) return 'nenhuma com erro'
  return errors === 1 ? '1 com erro, fica de fora' : `${figure(errors)} com erro, ficam de fora`
}
