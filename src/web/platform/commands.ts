import type { LucideIcon } from 'lucide-react'
import { useEffect, useSyncExternalStore } from 'react'

/** Something that can be done here and now, offered by whatever is on the screen. */
export interface Command {
  /** Unique among all that are offered. */
  id: string
  /** In Portuguese, as on the button that does the same. */
  label: string
  /** Of what it speaks, as a heading: 'Esta conversa'. */
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

/** Offers commands while the caller is on the screen, as they are in its last paint. */
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

/** All that is offered now, in the order in which it came. */
export function useOffered(): readonly Command[] {
  return useSyncExternalStore(subscribe, () => all)
}
