import { useQuery } from '@tanstack/react-query'
import { CalendarClock, CalendarX, CircleAlert, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { ScheduledMessage } from '#shared/scheduled/scheduled.ts'
import { clockTime, useNow } from '#web/platform/live/server-clock.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { cn } from '#web/ui/cn.ts'
import { cut } from '#web/ui/cut.ts'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Condition, When } from './condition.tsx'
import { scheduledQueries } from './queries.ts'
import { ScheduledActs } from './scheduled-acts.tsx'
import { dayAndTime } from '#web/conversations/scheduled/times/times.ts'
import { reasonText } from './words.ts'

/** Above the messages of a chat: what is scheduled, and what was cancelled or not sent since yesterday. */
export function ScheduledStrip({ conversationId }: { conversationId: number }) {
  const { data = [] } = useQuery(scheduledQueries.ofConversation(conversationId))
  const nowMs = useNow(60_000)
  const [isOpen, setOpen] = useState(false)
  const [dismissed, setDismissed] = useState<readonly number[]>([])
  const pending = data.filter(({ state }) => state === 'pending')
  const ended = data.filter(({ id, state }) => state !== 'pending' && !dismissed.includes(id))
  const [next] = pending
  return (
    <>
      {next && (
        <Line icon={<CalendarClock aria-hidden size={16} className="flex-none text-ink-2" />}>
          <p className="min-w-0 flex-1 truncate text-sm" dir="auto">
            <strong className="font-semibold">
              {pending.length} {pending.length === 1 ? 'agendada' : 'agendadas'}:
            </strong>{' '}
            {dayAndTime(next.sendAt, nowMs)} · “{cut(next.content, 120)}”
          </p>
          <Button size="sm" onClick={() => setOpen(true)}>
            Ver
          </Button>
        </Line>
      )}
      {ended.map((message) => (
        <Ended
          key={message.id}
          message={message}
          nowMs={nowMs}
          onDismiss={() => setDismissed((old) => [...old, message.id])}
        />
      ))}
      {isOpen && (
        <Dialog isOpen title="Mensagens agendadas" onClose={() => setOpen(false)}>
          {pending.length === 0 ? (
            <p className="text-sm text-ink-2">Nada agendado nesta conversa.</p>
          ) : (
            <ul className="grid gap-2">
              {pending.map((message) => (
                <li key={message.id} className="grid gap-1.5 rounded-card border border-line p-3 text-sm">
                  <span className="flex items-start justify-between gap-2">
                    <When message={message} />
                    <ScheduledActs message={message} />
                  </span>
                  <span className="line-clamp-4 break-words whitespace-pre-wrap" dir="auto">
                    {cut(message.content, 600)}
                  </span>
                  <span className="flex flex-wrap items-center gap-1.5 text-xs text-ink-2">
                    {message.author.name}
                    <Condition message={message} />
                  </span>
                </li>
              ))}
            </ul>
          )}
        </Dialog>
      )}
    </>
  )
}

function Ended({
  message,
  nowMs,
  onDismiss,
}: {
  message: ScheduledMessage
  nowMs: number
  onDismiss: () => void
}) {
  const isFailed = message.state === 'failed'
  const at = message.endedAt === null ? '' : ` · ${clockTime(message.endedAt)}`
  const Icon = isFailed ? CircleAlert : CalendarX
  return (
    <Line
      className={isFailed ? 'bg-red-soft' : undefined}
      icon={
        <Icon aria-hidden size={16} className={cn('flex-none', isFailed ? 'text-red-text' : 'text-ink-2')} />
      }
    >
      <p className={cn('min-w-0 flex-1 text-sm', isFailed ? 'text-red-text' : 'text-ink-2')}>
        Agendada de {dayAndTime(message.sendAt, nowMs)} {isFailed ? 'não enviada' : 'cancelada'}:{' '}
        {reasonText(message)}
        {at}
      </p>
      <ScheduledActs message={message} />
      <IconButton label="Dispensar" icon={X} size="sm" onClick={onDismiss} />
    </Line>
  )
}

function Line({
  icon,
  className,
  children,
}: {
  icon: ReactNode
  className?: string | undefined
  children: ReactNode
}) {
  return (
    <div
      className={cn(
        'flex flex-none items-center gap-2 border-b border-line bg-surface px-3 py-1.5',
        className,
      )}
    >
      {icon}
      {children}
    </div>
  )
}
