import type { LiveEvent } from '#shared/live-events.ts'
import type { Operator, PauseNow, PresenceState } from '#shared/users/users.ts'
import { serverNow } from '#web/platform/live/server-clock.ts'
import { liveStatus, onLiveStatus } from '#web/platform/live/live.ts'

/**
 * Everybody who is not offline, as last pushed. The database, which an answer about the operators reads, is
 * ahead of the pushes or behind them by moments: somebody who reloads a page is offline there in between, and
 * nothing is pushed about it. Undefined while the whole has not been pushed.
 */
let pushed: ReadonlyMap<number, Pushed> | undefined

interface Pushed {
  state: PresenceState
  pause?: PauseNow | undefined
  /** When it was pushed as a change; undefined: it was so before. */
  since: string | undefined
}

onLiveStatus(() => {
  if (liveStatus() !== 'open') forgetPresence()
})

export function forgetPresence(): void {
  pushed = undefined
}

export function notePresence({ isWhole, people }: Extract<LiveEvent, { type: 'presence' }>['data']): void {
  if (!isWhole && !pushed) return
  const next = new Map(isWhole ? [] : pushed)
  const since = isWhole ? undefined : new Date(serverNow()).toISOString()
  for (const { id, ...now } of people) next.set(id, { ...now, since })
  pushed = next
}

/** The operators with their presence as pushed; unchanged while that is unknown. */
export function withPresence(operators: Operator[]): Operator[] {
  const states = pushed
  if (!states) return operators
  return operators.map(({ pause: _fetched, ...one }) => {
    const { state, pause, since } = states.get(one.id) ?? { state: 'offline' as const }
    return {
      ...one,
      presence: state,
      ...(pause && { pause }),
      since: state === one.presence ? one.since : (since ?? null),
      isOnline: state !== 'offline',
    }
  })
}
