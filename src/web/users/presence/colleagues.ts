import type { LiveEvent } from '#shared/live-events.ts'
import type { Operator, PresenceState } from '#shared/users/users.ts'
import { liveStatus, onLiveStatus } from '#web/platform/live/live.ts'

/**
 * Everybody who is not offline, as last pushed. The database, which an answer about the operators reads, is
 * ahead of the pushes or behind them by moments: somebody who reloads a page is offline there in between, and
 * nothing is pushed about it. Undefined while the whole has not been pushed.
 */
let pushed: ReadonlyMap<number, PresenceState> | undefined

onLiveStatus(() => {
  if (liveStatus() !== 'open') forgetPresence()
})

export function forgetPresence(): void {
  pushed = undefined
}

export function notePresence({ isWhole, people }: Extract<LiveEvent, { type: 'presence' }>['data']): void {
  if (!isWhole && !pushed) return
  const next = new Map(isWhole ? [] : pushed)
  for (const { id, state } of people)
    if (state === 'offline') next.delete(id)
    else next.set(id, state)
  pushed = next
}

/** The operators with their presence as pushed; unchanged while that is unknown. */
export function withPresence(operators: Operator[]): Operator[] {
  const states = pushed
  if (!states) return operators
  return operators.map((one) => {
    const presence = states.get(one.id) ?? 'offline'
    return { ...one, presence, isOnline: presence !== 'offline' }
  })
}
