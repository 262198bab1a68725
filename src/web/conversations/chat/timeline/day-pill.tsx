import { daySeparator, useNow } from '#web/platform/live/server-clock.ts'

/** 'Hoje', 'Ontem', a weekday or a date. */
export function DayPill({ at }: { at: string }) {
  const nowMs = useNow(60_000)
  return (
    <span
      className={[
        'inline-grid h-[22px] place-items-center rounded-full border',
        'border-line bg-surface px-2.5 text-xs font-medium text-ink-2',
      ].join(' ')}
    >
      {daySeparator(at, nowMs)}
    </span>
  )
}
