import { CalendarClock } from 'lucide-react'
import { useRef, useState } from 'react'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { onDemand } from '#web/ui/on-demand.tsx'

const SchedulePopover = onDemand(async () => (await import('./schedule-popover.tsx')).SchedulePopover)

/** 'Agendar': what is written is sent at a time that is chosen. */
export function ScheduleButton({
  conversationId,
  text,
  isReady,
  onScheduled,
}: {
  conversationId: number
  text: string
  /** Asked before it is opened. */
  isReady: () => boolean
  onScheduled: () => void
}) {
  const [isOpen, setOpen] = useState(false)
  const place = useRef<HTMLSpanElement>(null)
  return (
    <span ref={place} className="flex-none">
      <IconButton
        label="Agendar"
        icon={CalendarClock}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen && isReady())}
      />
      {isOpen && (
        <SchedulePopover
          place={place}
          conversationId={conversationId}
          text={text}
          onScheduled={onScheduled}
          onClose={() => setOpen(false)}
        />
      )}
    </span>
  )
}
