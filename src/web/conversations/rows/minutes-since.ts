/** Whole minutes; 0 if the clock is behind. */
export function minutesSince(instant: string, nowMs: number): number {
  return Math.max(0, Math.floor((nowMs - Date.parse(instant)) / 60_000))
}
