type HeatLevel = 0 | 1 | 2 | 3 | 4

export interface HeatStep {
  level: HeatLevel
  /** The largest value of the level. */
  upTo: number
}

const levels = [1, 2, 3, 4] as const

/** The shade of a value: of none and of 0 the first, of the others by quarters of the largest one. */
export function levelOf(value: number | null, most: number): HeatLevel {
  if (value === null || value === 0) return 0
  return levels.find((level) => value <= (most * level) / 4) ?? 4
}

/** What the shades stand for, without those that no whole number has. */
export function heatScale(most: number, isCounted: boolean): HeatStep[] {
  const boundOf = (level: number) => (isCounted ? Math.floor((most * level) / 4) : (most * level) / 4)
  return [
    { level: 0, upTo: 0 },
    ...levels
      .filter((level) => boundOf(level) > boundOf(level - 1))
      .map((level) => ({ level, upTo: boundOf(level) })),
  ]
}
