import { CirclePause, CirclePlay } from 'lucide-react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { cn } from '#web/ui/cn.ts'
import { dayAndTime, returnText } from './return-text.ts'

/** On hold, and until when, or back from it; nothing for any other conversation. */
export function OnHold({
  conversation: { snoozedUntil, returnedAt, snoozeReason },
  nowMs,
  isLong = false,
  className,
}: {
  conversation: Pick<Conversation, 'snoozedUntil' | 'returnedAt' | 'snoozeReason'>
  nowMs: number
  /** 'em espera até amanhã, 09:00' on cards, 'amanhã, 09:00' in lists. */
  isLong?: boolean
  className?: string
}) {
  if (snoozedUntil === undefined && returnedAt === undefined) return null
  const Icon = snoozedUntil === undefined ? CirclePlay : CirclePause
  const when =
    snoozedUntil === undefined
      ? 'voltou da espera'
      : isLong
        ? `em espera até ${dayAndTime(snoozedUntil, nowMs)}`
        : returnText(snoozedUntil, nowMs)
  const told =
    snoozedUntil === undefined ? 'Voltou da espera' : `Em espera até ${dayAndTime(snoozedUntil, nowMs)}`
  return (
    <span
      title={snoozeReason === undefined ? told : `${told}: ${snoozeReason}`}
      className={cn(
        'inline-flex shrink-0 items-center gap-1 text-xs font-medium whitespace-nowrap text-blue-text',
        'tabular-nums',
        className,
      )}
    >
      <Icon size={12} aria-hidden />
      {!isLong && snoozedUntil !== undefined && <span className="sr-only">em espera, volta </span>}
      {when}
    </span>
  )
}
