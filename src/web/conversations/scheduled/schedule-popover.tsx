import { X } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { useMediaQuery } from '#web/platform/browser/media-query.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { PopoverContent } from '#web/ui/overlays/popover-content.tsx'
import { newClientMessageId } from '#web/conversations/sends/new-client-message-id.ts'
import { useSchedule } from './queries.ts'
import { ScheduleForm } from './schedule-form.tsx'

/** Beside the button; on a phone a sheet from below. The text stays where it is until it is scheduled. */
export function SchedulePopover({
  place,
  conversationId,
  text,
  onScheduled,
  onClose,
}: {
  place: RefObject<HTMLElement | null>
  conversationId: number
  text: string
  onScheduled: () => void
  onClose: () => void
}) {
  const hasRoom = useMediaQuery('(min-width: 48rem)')
  const { mutate, isPending } = useSchedule(conversationId)
  // One for the form: a call that is repeated after a lost answer schedules nothing twice.
  const [clientMessageId] = useState(newClientMessageId)
  const form = (
    <ScheduleForm
      conversationId={conversationId}
      isBusy={isPending}
      isOff={text.trim() === ''}
      onClose={onClose}
      onChosen={(chosen) =>
        mutate(
          { ...chosen, content: text.trim(), clientMessageId },
          {
            onSuccess: () => {
              onScheduled()
              onClose()
            },
          },
        )
      }
    />
  )
  if (!hasRoom)
    return (
      <Dialog isOpen title="Agendar" onClose={onClose}>
        {form}
      </Dialog>
    )
  return (
    <PopoverContent
      place={place}
      isToggle
      label="Agendar"
      align="end"
      onClose={onClose}
      className={[
        'max-h-(--radix-popover-content-available-height)',
        'w-[352px] max-w-[calc(100vw-16px)] overflow-y-auto p-3.5',
      ].join(' ')}
    >
      <div className="mb-2 flex items-center justify-between">
        <h2 className="text-base font-semibold">Agendar</h2>
        <IconButton label="Fechar" icon={X} size="sm" onClick={onClose} />
      </div>
      {form}
    </PopoverContent>
  )
}
