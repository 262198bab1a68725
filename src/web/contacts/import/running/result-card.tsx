import { Download } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { type ContactImport, undoableMs } from '#shared/contacts/contact-imports.ts'
import { clockTime, dateTime } from '#web/platform/dates.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { counted, durationText, figure, isBusy, lines } from '#web/contacts/import/import-texts.ts'
import { useImportActs } from '#web/contacts/import/queries.ts'
import { Figures, StepCard } from '#web/contacts/import/preparing/step-card.tsx'
import { ErrorRows } from './error-rows.tsx'
import { UndoDialog } from './undo-dialog.tsx'

/** What came of an import: figures, the rows that are left out, and the way back. */
export function ResultCard({ job }: { job: ContactImport }) {
  const isOver = job.state === 'done' || job.state === 'undone'
  return (
    <StepCard step={3} title={titleOf(job)} note={noteOf(job)}>
      {job.state === 'undone' ? (
        <Figures
          figures={[
            { label: 'excluídos', value: figure(job.deleted) },
            { label: 'como antes', value: figure(job.restored) },
            ...(job.deletedCompanies > 0
              ? [{ label: 'empresas a menos', value: figure(job.deletedCompanies) }]
              : []),
          ]}
        />
      ) : (
        isOver && (
          <Figures
            figures={[
              { label: 'novos', value: figure(job.created) },
              { label: 'atualizados', value: figure(job.updated) },
              { label: 'com erro', value: figure(job.errors), isBad: job.errors > 0 },
            ]}
          />
        )
      )}
      {job.errors > 0 ? (
        <ErrorRows job={job} />
      ) : (
        <p className="px-4 py-6 text-center text-sm text-ink-2">
          {isOver ? 'Nenhuma linha ficou de fora.' : 'As linhas com erro aparecem aqui, com o motivo.'}
        </p>
      )}
      <footer className="mt-auto grid gap-2.5 border-t border-line px-4 py-3">
        {job.errors > 0 && (
          <Button asChild isBlock>
            <a href={`/api/contacts/imports/${job.id}/errors/export`} download>
              <Download size={16} aria-hidden className="-ml-[3px] text-ink-2" />
              {`Baixar ${counted(job.errors, 'linha', 'linhas')} para corrigir`}
            </a>
          </Button>
        )}
        <End job={job} />
      </footer>
    </StepCard>
  )
}

function End({ job }: { job: ContactImport }) {
  const { undo } = useImportActs(job.id)
  const [isAsking, setAsking] = useState(false)
  return (
    <div className="flex flex-wrap items-center justify-end gap-2">
      <p className="w-full text-xs text-ink-3 tabular-nums">{undoText(job)}</p>
      {job.state === 'done' && job.undoUntil !== null && (
        <Button variant="danger" isBusy={undo.isPending} onClick={() => setAsking(true)}>
          Desfazer
        </Button>
      )}
      <Button asChild>
        <Link href="/contacts">Ver contatos</Link>
      </Button>
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

function titleOf({ state, errors }: ContactImport): string {
  if (state === 'undone') return 'Desfeita'
  if (state !== 'done') return 'Linhas com erro'
  return errors === 0 ? 'Pronto' : `Pronto, com ${lines(errors)} de fora`
}

function noteOf({ state, startedAt, endedAt }: ContactImport): string {
  if (isBusy(state) || startedAt === null || endedAt === null) return ''
  const took = durationText(Date.parse(endedAt) - Date.parse(startedAt))
  return state === 'done' ? `${clockTime(endedAt)}, levou ${took}` : clockTime(endedAt)
}

function undoText({ state, undoUntil, created, updated, endedAt }: ContactImport): string {
  if (undoUntil !== null) return `Dá para desfazer até ${shortTime(undoUntil)}`
  if (state !== 'done' || created + updated === 0 || endedAt === null) return ''
  return `Deu para desfazer até ${shortTime(new Date(Date.parse(endedAt) + undoableMs).toISOString())}`
}

/** '20/11, 14:33' */
const shortTime = (instant: string) => dateTime(instant).replace(/^(\d+\/\d+)\/\d+ /, '$1, ')
