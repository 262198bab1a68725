import { CalendarClock, Pencil, RotateCw, Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { ScheduledMessage } from '#shared/scheduled/scheduled.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { onDemand } from '#web/ui/on-demand.tsx'
import { useCan, useMe } from '#web/users/users.tsx'
import { useScheduledActs } from './queries.ts'
import { sendLabel } from './words.ts'

const ScheduledDialog = onDemand(async () => (await import('./scheduled-dialog.tsx')).ScheduledDialog)

/** What can be done with a scheduled message: sent now, changed, cancelled, scheduled again. */
export function ScheduledActs({ message }: { message: ScheduledMessage }) {
  const me = useMe()
  const canSchedule = useCan('schedule')
  const { cancel, send } = useScheduledActs()
  const [opened, setOpened] = useState<{ message: ScheduledMessage; isAgain: boolean }>()
  const { state, mayChange, isCompleted, contact } = message
  const of = `: ${contact.name}`
  const label = sendLabel(message, me.id)
  const isAgain = state === 'cancelled' && !isCompleted && canSchedule
  return (
    <span className="flex flex-none items-center justify-end">
      {mayChange && (
        <>
          <IconButton
            label={label + of}
            icon={state === 'failed' ? RotateCw : Send}
            size="sm"
            isBusy={send.isPending}
            onClick={() => send.mutate(message)}
          />
          <IconButton
            label={`Editar${of}`}
            icon={Pencil}
            size="sm"
            onClick={() => setOpened({ message, isAgain: false })}
          />
          <IconButton
            label={`Cancelar${of}`}
            icon={Trash2}
            size="sm"
            tone="danger"
            isBusy={cancel.isPending}
            onClick={() => cancel.mutate(message)}
          />
        </>
      )}
      {isAgain && (
        <IconButton
          label={`Agendar de novo${of}`}
          icon={CalendarClock}
          size="sm"
          onClick={() => setOpened({ message, isAgain: true })}
        />
      )}
      {opened && <ScheduledDialog {...opened} onClose={() => setOpened(undefined)} />}
    </span>
  )
}
