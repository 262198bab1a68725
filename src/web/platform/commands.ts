import type { LucideIcon } from 'lucide-react'
import { useEffect, useSyncExternalStore } from 'react'
import { createEmitter } from './emitter.ts'

/** The letters that run a command together with Alt; the sheet of shortcuts lists each of them. */
export const commandLetters = ['A', 'B', 'E', 'L', 'N', 'P', 'S', 'T', 'X'] as const
export type CommandLetter = (typeof commandLetters)[number]

/** An action available now, offered by the current screen. */
export interface Command {
  /** Unique among all commands on offer. */
  id: string
  /** In Portuguese, as on the corresponding button. */
  label: string
  /** Heading of its group: 'Esta conversa'. */
  group: string
  icon: LucideIcon
  /** Pressed together with Alt, it runs the command. */
  letter?: CommandLetter
  run: () => void
}

/** A button of some screen asks for the command palette, with what is looked for; '' for nothing yet. */
export const paletteAsked = createEmitter<string>()

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

/** The command on offer whose letter is pressed together with Alt. */
export function commandFor(event: KeyboardEvent): Command | undefined {
  if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return undefined
  // On a Mac, Alt makes another character of the letter.
  const letter = /^[a-z]$/i.test(event.key) ? event.key.toUpperCase() : /^Key(.)$/.exec(event.code)?.[1]
  return letter === undefined ? undefined : all.find((command) => command.letter === letter)
}
