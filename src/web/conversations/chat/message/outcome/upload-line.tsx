import { cancelUpload, useUploadProgress } from '#web/conversations/sends/uploads.ts'
import type { PendingSend } from '#web/conversations/sends/sends.ts'
import { useAwaitsNetwork } from './use-awaits-network.ts'

/** The progress of an upload, and the button that cancels it. */
export function UploadLine({
  send,
  onDiscard,
}: {
  send: PendingSend
  /** Removes it from the queue. */
  onDiscard: () => void
}) {
  const { clientMessageId } = send
  const part = useUploadProgress(clientMessageId)
  const awaitsNetwork = useAwaitsNetwork(send)
  const link = 'font-semibold underline underline-offset-2'
  const line = 'mx-1 mt-1 flex items-center justify-end gap-1.5 text-xs text-ink-2 tabular-nums'
  if (part === undefined)
    return (
      <p className={line}>
        {awaitsNetwork ? 'aguardando conexão' : 'Na fila para enviar'}
        <button type="button" className={link} onClick={onDiscard}>
          Cancelar
        </button>
      </p>
    )
  const percent = Math.floor(part * 100)
  return (
    <p className={line}>
      <progress
        aria-label="Enviando arquivo"
        value={percent}
        max={100}
        className={[
          'h-1 w-24 overflow-hidden rounded-full bg-ink/15 [&::-moz-progress-bar]:bg-accent',
          '[&::-webkit-progress-bar]:bg-transparent [&::-webkit-progress-value]:bg-accent',
        ].join(' ')}
      />
      {percent} %
      <button type="button" className={link} onClick={() => cancelUpload(clientMessageId)}>
        Cancelar
      </button>
    </p>
  )
}
