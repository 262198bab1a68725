import { CircleAlert, Clock, MessageCirclePlus, Reply, WifiOff } from 'lucide-react'
import type { ScheduledMessage } from '#shared/scheduled/scheduled.ts'
import { clockTime, useNow } from '#web/platform/live/server-clock.ts'
import { Badge } from '#web/ui/badges/badge.tsx'
import { dayAndTime } from '#web/conversations/scheduled/times/times.ts'
import { reasonText } from './words.ts'

/** On what a message that waits depends, or how it has ended. */
export function Condition({ message }: { message: ScheduledMessage }) {
  const { state, isNumberAway, movedFrom, isCompleted, cancelOnAnswer, endedBy, author } = message
  if (state === 'failed')
    return (
      <span className="flex min-w-0 items-start gap-1.5 text-sm text-red-text">
        <CircleAlert aria-hidden size={14} className="mt-[3px] flex-none" />
        <span className="min-w-0">Não enviada: {reasonText(message)}</span>
      </span>
    )
  if (state === 'cancelled') return <span className="text-sm text-ink-2">{reasonText(message)}</span>
  if (state === 'sent')
    return endedBy && endedBy.id !== author.id ? (
      <span className="text-sm text-ink-2">enviada por {endedBy.name}</span>
    ) : null
  return (
    <span className="flex flex-wrap gap-1">
      {isNumberAway && (
        <Badge tone="amber" icon={WifiOff}>
          número desconectado
        </Badge>
      )}
      {movedFrom !== null && (
        <Badge tone="amber" icon={Clock}>
          movida: abre às {clockTime(message.sendAt)}
        </Badge>
      )}
      {cancelOnAnswer && (
        <Badge tone="plain" icon={Reply}>
          se não responder
        </Badge>
      )}
      {isCompleted && (
        <Badge tone="plain" icon={MessageCirclePlus}>
          abre conversa nova
        </Badge>
      )}
    </span>
  )
}

/** When it is sent or has ended, and below it when it was to be. */
export function When({ message }: { message: ScheduledMessage }) {
  const nowMs = useNow(60_000)
  const { state, sendAt, movedFrom, endedAt, isNumberAway } = message
  const shown = state === 'pending' ? sendAt : (endedAt ?? sendAt)
  const below =
    state !== 'pending'
      ? `era ${dayAndTime(sendAt, nowMs)}`
      : isNumberAway
        ? 'sai quando o número voltar'
        : movedFrom === null
          ? ''
          : `era ${dayAndTime(movedFrom, nowMs)}`
  return (
    <span className="grid min-w-0">
      <time dateTime={shown} className="font-medium tabular-nums">
        {dayAndTime(shown, nowMs)}
      </time>
      {below && state !== 'sent' && <span className="text-xs text-ink-2">{below}</span>}
    </span>
  )
}
