import { useQuery } from '@tanstack/react-query'
import type { Message } from '#shared/messages/messages.ts'
import { useNow } from '#web/platform/live/server-clock.ts'
import { settingsQueries } from '#web/settings/settings.tsx'

/** Below a message that has not left yet: undoes its send, with the seconds that are left for it. */
export function UndoLine({ message, onUndo }: { message: Message; onUndo: (message: Message) => void }) {
  const { data: settings } = useQuery(settingsQueries.system())
  const now = useNow(1000)
  const end = Date.parse(message.createdAt) + (settings?.undoSendSeconds ?? 0) * 1000
  // The time comes in whole seconds, rounded down.
  const seconds = Math.floor((end - now) / 1000)
  if (seconds <= 0) return null
  return (
    <p className="mx-1 mt-1 flex items-center justify-end gap-1.5 text-xs text-ink-2">
      <span aria-hidden className="tabular-nums">
        Envia em {seconds} s
      </span>
      <button
        type="button"
        className="min-h-6 font-semibold underline underline-offset-2"
        onClick={() => onUndo(message)}
      >
        Desfazer
      </button>
    </p>
  )
}
