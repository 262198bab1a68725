import type { LucideIcon } from 'lucide-react'
import { useEffect, useSyncExternalStore } from 'react'

/** An action available now, offered by the current screen. */
export interface Command {
  /** Unique among all commands on offer. */
  id: string
  /** In Portuguese, as on the corresponding button. */
  label: string
  /** Heading of its group: 'Esta conversa'. */
  group: string
  icon: LucideIcon
  run: () => void
}

let all: readonly Command[] = []
const offers = new Set<readonly Command[]>()
const listeners = new Set<() => void>()

function notifyListeners(): void {
  all = [...offers].flat()
  for (const listener of listeners) listener()
}

/** Offers commands while the caller is mounted, as of its last render. */
export function useCommands(commands: readonly Command[]): void {
  useEffect(() => {
    offers.add(commands)
    notifyListeners()
    return () => {
      offers.delete(commands)
      notifyListeners()
    }
  }, [commands])
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** All commands on offer, in the order they were added. */
export function useOffered(): readonly Command[] {
  return useSyncExternalStore(subscribe, () => all)
}
