import type { Times } from '#shared/reports/reports.ts'
import { meanTimeText, outsideHours, outsideHoursText } from '#shared/text/time/mean-time.ts'

/** A mean time of some conversations, which it opens. */
export function TimeButton({
  times,
  isByClock,
  ...button
}: {
  times: Times
  isByClock: boolean
  what: string
  onOpen: () => void
}) {
  return (
    <ValueButton
      {...button}
      value={meanTimeText(times[isByClock ? 'clock' : 'open'].mean)}
      outside={times.count > 0 ? outsideHoursText(times.clock.mean) : undefined}
    />
  )
}

/** A figure that is no count, and opens the conversations it is computed from. */
export function ValueButton({
  value,
  outside: outsideText,
  what,
  onOpen,
}: {
  value: string
  /** Said in place of a missing value of conversations that are there. */
  outside?: string | undefined
  what: string
  onOpen: () => void
}) {
  if (value === '--' && outsideText === undefined) return <span className="text-ink-3">--</span>
  const isOutside = value === '--'
  return (
    <button
      type="button"
      aria-label={`${what}: ${isOutside ? outsideText : value}. Ver as conversas`}
      title={isOutside ? outsideText : undefined}
      onClick={onOpen}
      className={[
        'rounded-[3px] whitespace-nowrap underline decoration-line-strong underline-offset-3',
        'hover:decoration-ink',
      ].join(' ')}
    >
      {isOutside ? <span className="text-xs text-ink-3">{outsideHours}</span> : value}
    </button>
  )
}
