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
