import { Button } from '#web/ui/buttons/button.tsx'

/**
 * The foot of a form: what is unsaved, and the buttons to save or discard. It is inside the form that it
 * submits, a column that fills its screen: the bar is at the bottom also if there is little above.
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
        'sticky -bottom-6 z-10 -mx-4 mt-auto -mb-6 border-t border-line bg-surface',
        'px-4 md:-bottom-10 md:-mx-6 md:-mb-10 md:px-6 lg:-mx-8 lg:px-8',
      ].join(' ')}
    >
      <div className="mx-auto flex min-h-14 max-w-[1136px] flex-wrap items-center gap-x-2 gap-y-1 py-2">
        <p role="status" className="flex items-center gap-[7px] text-sm whitespace-nowrap text-ink-2">
          {hasChanges && <span aria-hidden className="size-2 shrink-0 rounded-full bg-amber" />}
          {changeText(changeCount)}
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
