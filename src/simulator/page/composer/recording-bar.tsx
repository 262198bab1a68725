import { Send, Trash2 } from 'lucide-react'
import { duration } from '#simulator/page/dates.ts'
import { useNow } from '#simulator/page/use-now.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'

/** Replaces the field while recording. */
export function RecordingBar({
  startedAtMs,
  onCancel,
  onSend,
}: {
  startedAtMs: number
  onCancel: () => void
  onSend: () => void
}) {
  const nowMs = useNow(250)
  return (
    <div className="flex items-center gap-1 p-[7px]">
      <IconButton label="Cancelar gravação" icon={Trash2} size="sm" tone="danger" onClick={onCancel} />
      <span className="flex flex-1 items-center gap-2 text-sm text-ink-2">
        <span aria-hidden className="animate-skeleton size-2 rounded-full bg-red" />
        Gravando <span className="tabular-nums">{duration((nowMs - startedAtMs) / 1000)}</span>
      </span>
      <IconButton label="Enviar áudio" icon={Send} tone="accent" className="rounded-full" onClick={onSend} />
    </div>
  )
}
