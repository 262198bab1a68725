import { Button } from '#web/ui/buttons/button.tsx'

/**
 * The foot of a form: what is unsaved, and the buttons to save or discard. It is inside the form that it
 * submits.
 */
export function SaveBar({
  changeCount,
  isBusy,
  onDiscard,
  saveLabel = 'Salvar',
}: {
  changeCount: number
  isBusy: boolean
  onDiscard: () => void
  saveLabel?: string
}) {
  const hasChanges = changeCount > 0
  return (
    <div
      className={[
        'sticky -bottom-6 z-10 -mx-4 -mb-6 border-t border-line bg-surface',
        'px-4 md:-bottom-10 md:-mx-6 md:-mb-10 md:px-6 lg:-mx-8 lg:px-8',
      ].join(' ')}
    >
      <div className="mx-auto flex h-14 max-w-[1136px] items-center gap-2">
        <p role="status" className="flex min-w-0 items-center gap-[7px] text-sm text-ink-2">
          {hasChanges && <span aria-hidden className="size-2 shrink-0 rounded-full bg-amber" />}
          <span className="truncate">{changeText(changeCount)}</span>
        </p>
        <Button
          variant="ghost"
          size="tall"
          className="ml-auto"
          disabled={!hasChanges || isBusy}
          onClick={onDiscard}
        >
          Descartar
        </Button>
        <Button
          type="submit"
          variant="primary"
          size="tall"
          disabled={!hasChanges}
          isBusy={isBusy}
          busyLabel="Salvando..."
        >
          {saveLabel}
        </Button>
      </div>
    </div>
  )
}

function changeText(count: number): string {
  if (count === 0) return 'Tudo salvo'
  return count === 1 ? '1 mudança não salva' : `${count} mudanças não salvas`
}
