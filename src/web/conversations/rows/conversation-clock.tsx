import { AlarmClock, Timer } from 'lucide-react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { isBackFor } from '#shared/conversations/list/list-view.ts'
import { ago, shortSpan } from '#shared/text/time/relative-time.ts'
import { cn } from '#web/ui/cn.ts'
import { Waiting } from '#web/ui/states/waiting.tsx'
import { useMe } from '#web/users/users.tsx'
import { OnHold } from '#web/conversations/snoozing/on-hold.tsx'
import { dayKey } from '#web/platform/live/server-clock.ts'
import { dayAndTime } from '#web/conversations/snoozing/return-text.ts'
import { minutesSince } from './minutes-since.ts'

/**
 * The one clock of a conversation: its return from hold (past ones for its operator alone, until it is
 * opened), else what runs out first of its targets, else how long its client has waited; nothing where none
 * runs.
 */
export function ConversationClock({
  conversation,
  nowMs,
  isLong = false,
  className,
}: {
  conversation: Conversation
  nowMs: number
  /** 'responder em 4 min' on cards, 'em 4 min' in lists. */
  isLong?: boolean
  className?: string
}) {
  const { id: userId } = useMe()
  const { sla, snoozedUntil, waitingSince } = conversation
  const shown = { nowMs, isLong, ...(className !== undefined && { className }) }
  if (snoozedUntil !== undefined || isBackFor(conversation, userId))
    return <OnHold conversation={conversation} {...shown} />
  if (sla) return <SlaClock sla={sla} waitingSince={waitingSince} {...shown} />
  if (waitingSince === null) return null
  return (
    <Waiting
      minutes={minutesSince(waitingSince, nowMs)}
      isLong={isLong}
      {...(className !== undefined && { className })}
    />
  )
}

/** How much is left to a first reply or to an end, or by how much it is late. */
export function SlaClock({
  sla,
  waitingSince,
  nowMs,
  isLong = false,
  className,
}: {
  sla: NonNullable<Conversation['sla']>
  /** Told beside it. */
  waitingSince: string | null
  nowMs: number
  isLong?: boolean
  className?: string
}) {
  const { isBroken, isNear, text, told } = slaText(sla, nowMs)
  const waits = waitingSince === null ? '' : `, cliente esperando ${ago(minutesSince(waitingSince, nowMs))}`
  const Icon = isBroken ? AlarmClock : Timer
  return (
    <span
      title={`${told}${waits}`}
      className={cn(
        'inline-flex shrink-0 items-center gap-1 text-xs whitespace-nowrap tabular-nums',
        isBroken ? 'font-semibold text-red-text' : isNear ? 'font-medium text-amber-text' : 'text-ink-3',
        className,
      )}
    >
      <Icon size={12} aria-hidden />
      {isLong ? told : text}
      {!isLong && <span className="sr-only">, {told}</span>}
    </span>
  )
}

/**
 * What a clock says: 'em 4 min' and 'responder em 4 min'; late, 'SLA +2 min' and 'resposta atrasada 2 min'.
 * Over a night, whose hours do not count, it says when: 'amanhã, 09:04' and 'responder até amanhã, 09:04';
 * late, 'SLA ontem, 17:55' and 'resposta atrasada desde ontem, 17:55'.
 */
export function slaText(
  { clock, dueAt, nearAt }: NonNullable<Conversation['sla']>,
  nowMs: number,
): { isBroken: boolean; isNear: boolean; text: string; told: string } {
  const left = Math.ceil((Date.parse(dueAt) - nowMs) / 60_000)
  const isBroken = Date.parse(dueAt) <= nowMs
  const isNear = Date.parse(nearAt) <= nowMs
  const minutes = Math.max(1, Math.abs(left))
  const isByClock = minutes < 60 || dayKey(dueAt) === dayKey(nowMs)
  const long = isByClock ? shortSpan(minutes) : dayAndTime(dueAt, nowMs)
  const what = clock === 'reply' ? 'responder' : 'encerrar'
  const noun = clock === 'reply' ? 'resposta atrasada' : 'encerramento atrasado'
  return {
    isBroken,
    isNear,
    text: `${isBroken ? (isByClock ? 'SLA +' : 'SLA ') : isByClock ? 'em ' : ''}${long}`,
    told: isBroken
      ? `${noun} ${isByClock ? '' : 'desde '}${long}`
      : `${what} ${isByClock ? 'em' : 'até'} ${long}`,
  }
}
