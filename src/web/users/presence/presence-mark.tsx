import type { Operator, PauseNow } from '#shared/users/users.ts'
import { cn } from '#web/ui/cn.ts'
import { pauseClockAt, type PauseTone, usePauseClock } from './pause-clock.ts'

const presenceLabels: Record<Exclude<Operator['presence'], 'paused'>, string> = {
  online: 'Online',
  idle: 'Ausente',
  away: 'Ausente',
  offline: 'Offline',
}

const looks: Record<Operator['presence'], string> = {
  online: 'bg-green',
  idle: 'bg-amber',
  away: 'bg-amber',
  paused: 'bg-amber',
  offline: 'bg-line-strong',
}

const tones: Record<PauseTone, string> = { fine: '', near: 'text-amber-text', over: 'text-red-text' }

/**
 * The presence of a colleague: a dot and a word; of a pause its reason and for how many minutes.
 * @param nowMs the server's time; absent: a pause is told without its time
 * @param isFull available, and with as many clients who wait as they may have
 */
export function PresenceMark({
  of: { presence, pause },
  nowMs,
  isFull = false,
}: {
  of: Pick<Operator, 'presence' | 'pause'>
  nowMs?: number
  isFull?: boolean
}) {
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1.5 whitespace-nowrap">
      <span
        aria-hidden
        className={cn(
          'size-2 flex-none',
          isFull ? 'bg-ink-3 outline-1 outline-offset-1 outline-ink-3' : looks[presence],
          presence === 'paused' ? 'rounded-[2px]' : 'rounded-full',
        )}
      />
      <span className="min-w-0 truncate">
        {presence === 'paused' ? (pause?.name ?? 'Em pausa') : presenceLabels[presence]}
      </span>
      {pause && nowMs !== undefined && <PauseTime pause={pause} nowMs={nowMs} />}
    </span>
  )
}

function PauseTime({ pause, nowMs }: { pause: PauseNow; nowMs: number }) {
  const { minutes, tone } = pauseClockAt(pause, nowMs)
  const { limitMinutes } = pause
  return (
    <span className={cn('tabular-nums', tones[tone])}>
      {limitMinutes === null ? `${minutes} min` : `${minutes} de ${limitMinutes} min`}
    </span>
  )
}

/** For how long a pause has lasted, by the second; of one with a limit, and by how much it is beyond. */
export function RunningPause({ pause }: { pause: PauseNow }) {
  const { text, minutes, tone, over } = usePauseClock(pause)
  const { limitMinutes } = pause
  return (
    <span className="tabular-nums">
      {/* Not as a text: a reader would say it every second. */}
      <span
        aria-hidden
        data-time={text}
        className={cn('font-medium before:content-[attr(data-time)]', tones[tone])}
      />
      <span className="sr-only">{`${minutes} min`}</span>
      {limitMinutes !== null && ` de ${limitMinutes} min`}
      {over > 0 && <span className="text-red-text">{`, passou ${over} min`}</span>}
    </span>
  )
}
