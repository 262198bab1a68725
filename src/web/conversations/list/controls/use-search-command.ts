import { Search } from 'lucide-react'
import type { RefObject } from 'react'
import { type Command, useCommands } from '#web/platform/commands.ts'

/** Offers to search the list, by Alt+B too. */
export function useSearchCommand(field: RefObject<HTMLInputElement | null>, isShown = true): void {
  const run = () => {
    field.current?.focus()
    field.current?.select()
  }
  const command: Command = {
    id: 'search',
    group: 'Conversas',
    label: 'Buscar na lista',
    icon: Search,
    letter: 'B',
    run,
  }
  useCommands(isShown ? [command] : [])
}
