import type { QueryClient } from '@tanstack/react-query'
import type { LiveFrame } from '#shared/live-events.ts'

/** Loads the web's code, after defining the few browser globals that it uses. */
export async function loadPage() {
  const stubs = {
    localStorage: createStorage(),
    sessionStorage: createStorage(),
    window: { addEventListener: () => undefined },
    document: { addEventListener: () => undefined },
  }
  for (const [name, value] of Object.entries(stubs))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  const [{ conversationQueries }, { applyLiveEvent }, { userQueries }, watch] = await Promise.all([
    import('#web/conversations/cache/queries.ts'),
    import('#web/room-events.ts'),
    import('#web/users/queries.ts'),
    import('#web/platform/live/frame-watch.ts'),
  ])
  return {
    conversationQueries,
    userQueries,
    watchFrames: watch.watchFrames,
    receive: (client: QueryClient, event: LiveFrame) => applyLiveEvent(client, event),
  }
}
function createStorage() {
  const stored = new Map<string, string>()
  return {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  }
}

export type Page = Awaited<ReturnType<typeof loadPage>>
