import { queryOptions } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { LiveEventOf } from '#shared/live-events.ts'
import { getServerTime } from '#shared/users/users.ts'
import { call } from '#web/platform/api/api.ts'

let offsetMs = 0

/** The estimated time of the server. */
export function serverNow(): number {
  return Date.now() + offsetMs
}

/** Fetched every minute by the shell; half the round trip is subtracted. @see specification §9 Refresh */
export const serverTimeQuery = queryOptions({
  queryKey: ['server-time'],
  refetchInterval: 60_000,
  queryFn: async ({ signal }) => {
    const leftAtMs = Date.now()
    const { serverTime } = await call(getServerTime, { signal })
    offsetMs = Date.parse(serverTime) - (leftAtMs + Date.now()) / 2
    return serverTime
  },
})

/** Sets the clock by the greeting of a connection. */
export function setServerClock({ data }: LiveEventOf<'hello'>): void {
  offsetMs = Date.parse(data.serverTime) - Date.now()
}

/**
 * The server's time in steps of `intervalMs`: places with the same interval update together.
 * @returns milliseconds, rounded down to the step
 */
export function useNow(intervalMs: number): number {
  const step = stepOf(intervalMs)
  return useSyncExternalStore(step.subscribe, step.get)
}

interface Step {
  subscribe: (listener: () => void) => () => void
  get: () => number
}
const steps = new Map<number, Step>()

function stepOf(intervalMs: number): Step {
  const known = steps.get(intervalMs)
  if (known) return known
  const listeners = new Set<() => void>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const beat = () => {
    // The timer is set to the next full step, so that seconds change when the server's do.
    timer = setTimeout(beat, intervalMs - (serverNow() % intervalMs) + 5)
    for (const listener of listeners) listener()
  }
  const made: Step = {
    get: () => Math.floor(serverNow() / intervalMs) * intervalMs,
    subscribe(listener) {
      listeners.add(listener)
      if (listeners.size === 1) beat()
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) clearTimeout(timer)
      }
    },
  }
  steps.set(intervalMs, made)
  return made
}

export {
  clockDate,
  clockTime,
  clockTimeWithSeconds,
  dateTime,
  daySeparator,
  dayKey,
  shortDate,
  timeZone,
} from '#web/platform/dates.ts'
