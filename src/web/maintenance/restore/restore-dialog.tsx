import { Eye, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import type { Backup, RestoreChoice } from '#shared/maintenance/maintenance.ts'
import type { ZonedDates } from '#shared/text/time/zoned-dates.ts'
import { usePreviewRestore, useRestore } from '#web/maintenance/queries.ts'
import { RunProgress } from '#web/maintenance/runs/run-progress.tsx'
import { isBusy } from '#web/maintenance/runs/run-words.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { ChoiceBox } from './choice-box.tsx'
import { PlanTable } from './plan-table.tsx'
import { usePreviewRun } from './use-preview-run.ts'

/** Selective restore: what to bring back, what that would change, and only then that it happens. */
export function RestoreDialog({
  backup,
  dates,
  onClose,
}: {
  backup: Backup
  dates: ZonedDates
  onClose: () => void
}) {
  const [choice, setChoice] = useState<RestoreChoice>({ restoreSettings: false, restoreComplete: false })
  const preview = usePreviewRestore(backup.id)
  const restore = useRestore(backup.id, { onStarted: onClose })
  const { run, isReplaced } = usePreviewRun(preview.data)
  const isChosen =
    (choice.restoreSettings || choice.restoreComplete) && (!backup.isUnsigned || choice.acceptUnsigned)
  const isAtWork = run !== undefined && isBusy(run)
  const isLooking = preview.isPending || isAtWork
  const choose = (next: Partial<RestoreChoice>) => {
    // What was shown is that of another choice.
    preview.reset()
    setChoice({ ...choice, ...next })
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Restauração seletiva"
      description={
        <>
          <bdi>{backup.name}</bdi>, feito em {dates.dateTime(backup.createdAt)}
        </>
      }
      className="md:max-w-[640px]"
      footer={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button
            variant="primary"
            icon={RotateCcw}
            disabled={!isChosen || isLooking}
            isBusy={restore.isPending}
            busyLabel="Restaurando..."
            onClick={() => restore.mutate(choice)}
          >
            Restaurar
          </Button>
        </>
      }
    >
      <fieldset className="grid gap-2.5">
        <legend className="mb-2 text-sm font-medium">O que restaurar</legend>
        <ChoiceBox
          label="Configurações, categorias e gateway"
          hint="O que há aqui volta a ser como era no backup."
          isOn={choice.restoreSettings}
          onToggle={(restoreSettings) => choose({ restoreSettings })}
        />
        <ChoiceBox
          label="Contatos, empresas e conversas arquivadas com mídias"
          hint="O que falta é trazido de volta, o que é mais novo aqui fica. Conversas abertas não mudam."
          isOn={choice.restoreComplete}
          onToggle={(restoreComplete) => choose({ restoreComplete })}
        />
      </fieldset>
      {backup.isUnsigned && (
        <ChoiceBox
          label="Confio neste backup, mesmo sem assinatura"
          hint="Ele não tem a assinatura de BACKUP_KEY: quem pôde escrever onde ele estava pode tê-lo mudado."
          isOn={choice.acceptUnsigned ?? false}
          onToggle={(acceptUnsigned) => choose({ acceptUnsigned })}
        />
      )}
      <Button
        icon={Eye}
        className="justify-self-start"
        disabled={!isChosen}
        isBusy={isLooking}
        busyLabel="Vendo o que muda..."
        onClick={() => preview.mutate(choice)}
      >
        Ver o que muda
      </Button>
      <p role="status" className="sr-only">
        {run?.plan ? 'A prévia está pronta.' : ''}
      </p>
      {isReplaced ? (
        <Note text="Outra pessoa começou uma prévia depois desta. Veja de novo." />
      ) : isAtWork ? (
        <div className="rounded-card border border-line *:border-b-0">
          <RunProgress run={run} dates={dates} />
        </div>
      ) : run?.plan ? (
        <PlanTable plan={run.plan} dates={dates} />
      ) : run?.state === 'cancelled' ? (
        <Note text="A prévia foi parada." />
      ) : (
        run && <Note text={run.error ?? 'Falha no restore'} isError />
      )}
    </Dialog>
  )
}

function Note({ text, isError = false }: { text: string; isError?: boolean }) {
  return (
    <p
      role={isError ? 'alert' : undefined}
      className={`text-sm [overflow-wrap:anywhere] ${isError ? 'text-red-text' : 'text-ink-2'}`}
    >
      {text}
    </p>
  )
}
