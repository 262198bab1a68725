export interface TimePart {
  amount: number
  unit: 'h' | 'min' | 's'
}

/** '6 min 42 s', '1 h 12 min': the two largest units; undefined without data. */
export function meanTime(seconds: number | null | undefined): TimePart[] | undefined {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return undefined
  const whole = Math.max(0, Math.round(seconds))
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor((whole % 3600) / 60)
  if (hours > 0)
    return [
      { amount: hours, unit: 'h' },
      { amount: minutes, unit: 'min' },
    ]
  const rest = { amount: whole % 60, unit: 's' } as const
  return minutes > 0 ? [{ amount: minutes, unit: 'min' }, rest] : [rest]
}

/** '4 min 48 s'; '--' without data. @param ms milliseconds */
export function meanTimeText(ms: number | null): string {
  const parts = meanTime(ms === null ? null : ms / 1000)
  return parts ? parts.map(({ amount, unit }) => `${amount} ${unit}`).join(' ') : '--'
}

/** Of what has no time in hours of work, since it was closed all the while. */
export const outsideHours = 'fora do expediente'
/** 'fora do expediente, 17 min 3 s no relógio'. @param clockMs milliseconds */
export const outsideHoursText = (clockMs: number | null): string =>
  `${outsideHours}, ${meanTimeText(clockMs)} no relógio`
