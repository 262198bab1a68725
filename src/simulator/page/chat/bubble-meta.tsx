import { Check, CheckCheck, CircleAlert, Clock, Pin, type LucideIcon } from 'lucide-react'
import type { Ack } from '#simulator/control-api.ts'
import type { ChatMessage } from '#simulator/control-views.ts'
import { clockTime } from '#simulator/page/dates.ts'
import { cn } from '#web/ui/cn.ts'

const ticks: Record<Ack, { icon: LucideIcon; label: string; ink?: string }> = {
  pending: { icon: Clock, label: 'A caminho' },
  sent: { icon: Check, label: 'Enviada' },
  delivered: { icon: CheckCheck, label: 'Entregue' },
  read: { icon: CheckCheck, label: 'Lida', ink: 'text-tick-read' },
  played: { icon: CheckCheck, label: 'Ouvida', ink: 'text-tick-read' },
  error: { icon: CircleAlert, label: 'Não enviada', ink: 'text-red-text' },
}

/** Time, edit mark and, for the phone's own messages, ticks. Floats at the end of the bubble. */
export function BubbleMeta({ message, className }: { message: ChatMessage; className?: string }) {
  const isOwn = message.from === 'phone'
  const { icon: Icon, label, ink } = ticks[message.ack]
  return (
    <span
      dir="ltr"
      className={cn(
        'relative top-0.5 float-right mt-1 ml-2.5 inline-flex h-4 items-center gap-[3px] text-xs',
        'tabular-nums',
        isOwn ? 'text-ink-2' : 'text-ink-3',
        className,
      )}
    >
      {message.pinned && <Pin size={12} role="img" aria-label="Fixada" />}
      {message.edited && !message.deleted && <span className="mr-0.5">editada</span>}
      <time dateTime={message.at}>{clockTime(message.at)}</time>
      {isOwn && !message.deleted && <Icon size={14} role="img" aria-label={label} className={cn(ink)} />}
    </span>
  )
}
