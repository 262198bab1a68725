/**
 * The instant of a local date and time. A time that the clock skips is the one as much later; of one that
 * comes twice, either.
 * @param day 'YYYY-MM-DD'
 * @param time 'HH:MM'
 * @returns milliseconds since 1970; NaN for what is no date or time
 */
export function localInstant(timeZone: string, day: string, time: string): number {
  const asUtc = Date.parse(`${day}T${time}:00Z`)
  if (Number.isNaN(asUtc)) return NaN
  // The offset at the guess may be that of the other side of a change; at the second guess it is right.
  const first = asUtc - offsetAt(timeZone, asUtc)
  return asUtc - offsetAt(timeZone, first)
}

/** By how much the local time is ahead of UTC, in milliseconds. */
function offsetAt(timeZone: string, atMs: number): number {
  const local = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  return Date.parse(`${local.format(atMs).replace(' ', 'T')}Z`) - Math.floor(atMs / 1000) * 1000
}
