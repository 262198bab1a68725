import { closeCodes } from '#shared/live-events.ts'

const firstDelayMs = 1000
const longestDelayMs = 30_000
const attemptsBeforeFailed = 5

export interface Closed {
  code: number
  reason: string
}

export type NextStep =
  /** The session is over: no attempts until the user signs in. */
  | { kind: 'session ended' }
  | {
      kind: 'again'
      delayMs: number
      status: 'reconnecting' | 'failed'
      /** Whether the next attempt counts towards the five. */
      counts: boolean
      /** Whether the return of the network or the user cuts the delay short. */
      mayHurry: boolean
    }

/**
 * What follows a closed link: 1, 2, 4, 8, 16 s, each times 0.5 to 1.5 so that a thousand browsers do not
 * reconnect at once; after the fifth failed attempt every 30 s for ever, with the specified error shown.
 *
 * @param failedAttempts since the link last worked
 * @param random in [0, 1)
 * @see specification §4 Real-time link, decisions §2 'five reconnect attempts'
 */
export function nextStep(failedAttempts: number, closed: Closed, random: number): NextStep {
  if (closed.code === closeCodes.sessionEnded || closed.code === closeCodes.otherUser)
    return { kind: 'session ended' }
  if (closed.code === closeCodes.notNow) {
    // The server is up and names a time: never earlier, and not counted as a failure.
    const askedMs = Number(closed.reason)
    const delayMs = Number.isFinite(askedMs) && askedMs > 0 ? askedMs : firstDelayMs
    return {
      kind: 'again',
      delayMs: delayMs * (1 + random / 2),
      status: 'reconnecting',
      counts: false,
      mayHurry: false,
    }
  }
  const isFailed = failedAttempts >= attemptsBeforeFailed
  const delayMs = isFailed ? longestDelayMs : Math.min(firstDelayMs * 2 ** failedAttempts, longestDelayMs)
  return {
    kind: 'again',
    delayMs: delayMs * (0.5 + random),
    status: isFailed ? 'failed' : 'reconnecting',
    counts: true,
    mayHurry: true,
  }
}
