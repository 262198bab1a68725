import { ApiError } from '#web/platform/api/api.ts'
import { Button } from '#web/ui/buttons/button.tsx'

/** Why a section of the panel is empty: no permission, or a failed request. */
export function PanelTrouble({
  error,
  words,
  onRetry,
}: {
  error: Error
  /** 'Não foi possível carregar os arquivos.' */
  words: string
  onRetry: () => void
}) {
  if (error instanceof ApiError && error.status === 403)
    return (
      <p role="status" className="text-sm text-ink-2">
        {error.message}
      </p>
    )
  return (
    <div role="alert" className="grid justify-items-start gap-2 text-sm text-ink-2">
      {words}
      <Button size="sm" onClick={onRetry}>
        Tentar novamente
      </Button>
    </div>
  )
}

export function PanelMore({ isBusy, onMore }: { isBusy: boolean; onMore: () => void }) {
  return (
    <Button size="sm" className="mt-2" isBlock isBusy={isBusy} busyLabel="Carregando..." onClick={onMore}>
      Ver mais
    </Button>
  )
}
