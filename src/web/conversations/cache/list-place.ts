import { useSyncExternalStore } from 'react'

/** The query of the list as it was shown last: '?tab=mine&page=2'. */
let place = ''
const listeners = new Set<() => void>()

export function keepPlace(search: string): void {
  if (search === place) return
  place = search
  for (const listener of listeners) listener()
}

/** The same where the list stands beside a chat, whose address says nothing of it. */
export function usePlace(): string {
  return useSyncExternalStore(subscribe, () => place)
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Where the list was left: its page, search and tab. Whoever leaves a chat returns there. */
export function listAddress(): string {
  return `/conversas-ativas${place}`
}
