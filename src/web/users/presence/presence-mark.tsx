import type { Operator } from '#shared/users/users.ts'
import { cn } from '#web/ui/cn.ts'
import { pauseClockAt, type PauseTone } from './pause-clock.ts'

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
 */
export function PresenceMark({
  of: { presence, pause },
  nowMs,
}: {
  of: Pick<Operator, 'presence' | 'pause'>
  nowMs?: number
}) {
  const limit = pause?.limitMinutes ?? undefined
  const clock = pause && nowMs !== undefined ? pauseClockAt(pause, nowMs) : undefined
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1.5 whitespace-nowrap">
      <span
        aria-hidden
        className={cn('size-2', looks[presence], presence === 'paused' ? 'rounded-[2px]' : 'rounded-full')}
      />
      <span className="min-w-0 truncate">
        {presence === 'paused' ? (pause?.name ?? 'Em pausa') : presenceLabels[presence]}
      </span>
      {clock && (
        <span className={cn('tabular-nums', tones[clock.tone])}>
          {limit === undefined ? `${clock.minutes} min` : `${clock.minutes} de ${limit} min`}
        </span>
      )}
    </span>
  )
}
