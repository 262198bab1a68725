import { createEmitter } from '#web/platform/emitter.ts'
import { logout } from '#shared/users/users.ts'
import { call, holdCalls, onSessionEnded } from '#web/platform/api/api.ts'
import { stopLive } from '#web/platform/live/live.ts'
import { onForeignToken, storeToken, storedToken } from '#web/platform/api/token.ts'

/** 'doubtful': another tab has signed in, and the server must be asked as whom. */
export type SessionState = 'open' | 'ended' | 'doubtful'

const changes = createEmitter<void>()
const otherTabs = new BroadcastChannel('balcao-session')
let state: SessionState = 'open'

export const sessionState = {
  get: () => state,
  subscribe: changes.on,
  set(next: SessionState): void {
    if (state === next) return
    state = next
    changes.emit()
  },
}

/** Signs out here and in all tabs. The page reloads, so that nothing of this user is left in memory. */
export async function signOut(): Promise<void> {
  stopLive()
  const request = call(logout, { signal: AbortSignal.timeout(3000) })
  holdCalls()
  try {
    await request
  } catch (error) {
    // Signing out must work without the server too; the session then expires by age.
    console.warn('The server was not told of the logout', error)
  }
  storeToken(null)
  otherTabs.postMessage('signed out')
  startAnew()
}

/** Another user must never act with what the previous one left in memory: sends, timers, the cache. */
export function startAnew(): void {
  window.location.assign('/')
}

otherTabs.addEventListener('message', startAnew)
onSessionEnded(() => sessionState.set('ended'))
onForeignToken(() => {
  holdCalls()
  sessionState.set(storedToken() === null ? 'ended' : 'doubtful')
})
