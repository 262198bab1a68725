import { AppError } from '#shared/errors.ts'

/**
 * Limits how often a person calls this process: as many calls at once as are allowed a minute, and after that
 * as many as come back with time. One person's runaway script must not be everybody's slow console.
 * @param perMinute 0: no limit
 * @returns counts a call of the person with this id; throws AppError 429 when it is one too many
 */
export function createCallLimit(perMinute: number): (personId: number) => void {
  const perMs = perMinute / 60_000
  const people = new Map<number, { left: number; atMs: number }>()
  return (personId) => {
    if (perMinute === 0) return
    const nowMs = performance.now()
    const before = people.get(personId) ?? { left: perMinute, atMs: nowMs }
    const left = Math.min(perMinute, before.left + (nowMs - before.atMs) * perMs)
    people.set(personId, { left: left < 1 ? left : left - 1, atMs: nowMs })
    if (left < 1)
      throw new AppError('request.too_often', { retryAfterSeconds: Math.ceil((1 - left) / perMs / 1000) })
  }
}
