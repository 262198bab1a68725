import { useQuery } from '@tanstack/react-query'
import { Trash2, TriangleAlert } from 'lucide-react'
import { type FormEvent, useEffect, useEffectEvent, useId, useState } from 'react'
import type { CleanupChoice, MaintenanceStats } from '#shared/maintenance/maintenance.ts'
import { fold } from '#shared/text/fold.ts'
import { periodText, type ZonedDates } from '#shared/text/time/zoned-dates.ts'
import { maintenanceQueries, useCleanup } from '#web/maintenance/queries.ts'
import { conversationsText } from '#web/maintenance/runs/run-words.ts'
import { sizeText } from '#web/maintenance/words.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { Spinner } from '#web/ui/states/spinner.tsx'

/** What has to be typed before everything is deleted. */
const word = 'LIMPAR'

/** Says how much would be deleted, and asks for a second confirmation. */
export function CleanupDialog({
  choice,
  lastBackup,
  isRunning,
  dates,
  onClose,
}: {
  choice: CleanupChoice
  lastBackup: MaintenanceStats['lastBackup'] | undefined
  /** It has begun: the screen shows how far it is. */
  isRunning: boolean
  dates: ZonedDates
  onClose: () => void
}) {
  const form = useId()
  const isAll = 'cleanAll' in choice
  const { mutate, isPending, isSuccess } = useCleanup({ onDone: onClose })
  const {
    data: counts,
    error,
    isFetching,
    refetch,
  } = useQuery({
    ...maintenanceQueries.cleanup(choice),
    // What is being deleted is not counted once more.
    enabled: !isPending && !isSuccess,
  })
  const [typed, setTyped] = useState('')
  const [isWrong, setWrong] = useState(false)
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (isPending && isRunning) close()
  }, [isPending, isRunning])
  const isEmpty = counts?.conversations === 0
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isAll && fold(typed).trim() !== fold(word)) return setWrong(true)
    mutate(choice)
  }
  const label = isAll ? 'Limpar tudo' : 'Limpar período'
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`${label}?`}
      description={
        isAll ? 'Todas as conversas finalizadas' : `Finalizadas ${whenText(choice.dateFrom, choice.dateTo)}`
      }
      footer={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button
            type="submit"
            form={form}
            variant="dangerSolid"
            icon={Trash2}
            disabled={!counts || isEmpty}
            isBusy={isPending}
            busyLabel="Limpando..."
          >
            {label}
          </Button>
        </>
      }
    >
      {counts ? (
        <div className="grid gap-2 text-sm">
          {isEmpty ? (
            <p>Nenhuma conversa finalizada {isAll ? 'para apagar' : 'nesse período'}.</p>
          ) : (
            <>
              <p className="tabular-nums">
                Apaga{' '}
                <strong className="font-semibold">
                  {conversationsText(counts.conversations, counts.messages, counts.files)}
                </strong>
                {counts.files > 0 && ` (${sizeText(counts.sizeBytes)})`}. Contatos e empresas ficam.{' '}
                <strong className="font-semibold">Não há volta sem um backup.</strong>
              </p>
              <BackupNote last={lastBackup} dates={dates} />
            </>
          )}
        </div>
      ) : error ? (
        <ErrorState
          title="Erro ao contar"
          description={error.message}
          isRetrying={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <p className="flex min-h-20 items-center gap-2 text-sm text-ink-2">
          <Spinner label="Contando o que seria apagado" />
          <span aria-hidden>Contando o que seria apagado...</span>
        </p>
      )}
      <form id={form} noValidate onSubmit={submit} className="empty:hidden">
        {isAll && !isEmpty && (
          <Field
            label={`Digite ${word} para confirmar`}
            error={isWrong ? `Digite a palavra ${word}` : undefined}
          >
            {(control) => (
              <Input
                {...control}
                autoComplete="off"
                spellCheck={false}
                value={typed}
                onChange={({ target }) => {
                  setTyped(target.value)
                  setWrong(false)
                }}
              />
            )}
          </Field>
        )}
      </form>
    </Dialog>
  )
}

function whenText(from: string, to: string): string {
  const period = periodText(from, to) ?? ''
  return from === to ? `em ${period}` : `de ${period}`
}

/** Whether there is a way back: the last backup. */
function BackupNote({
  last,
  dates,
}: {
  last: MaintenanceStats['lastBackup'] | undefined
  dates: ZonedDates
}) {
  if (last === undefined) return null
  if (last?.status === 'completed')
    return <p className="text-ink-2 tabular-nums">Último backup: {dates.dateTime(last.date)}.</p>
  return (
    <p className="flex gap-1.5 text-amber-text">
      <TriangleAlert size={16} aria-hidden className="mt-px flex-none" />
      {!last
        ? 'Ainda não há nenhum backup.'
        : last.status === 'processing'
          ? 'Há um backup em andamento.'
          : 'O último backup não foi concluído.'}
    </p>
  )
}
