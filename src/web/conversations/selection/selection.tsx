import { ListChecks } from 'lucide-react'
import { useCommands } from '#web/platform/commands.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { onDemand } from '#web/ui/on-demand.tsx'
import type { Selection } from './use-selection.ts'

/** What can be done with the selected conversations; the list is its positioned parent. */
export const SelectionBar = onDemand(async () => (await import('./selection-bar.tsx')).SelectionBar)

/** Starts the selection, and ends it. */
export function SelectButton({
  selection,
  size = 'sm',
  isShown = true,
}: {
  selection: Selection
  size?: 'sm' | 'md'
  /** Whether the list is on the screen, so that the command is offered. */
  isShown?: boolean
}) {
  const { isOn, begin, end } = selection
  const label = 'Selecionar conversas'
  const command = { id: 'select', group: 'Conversas', label, icon: ListChecks, run: begin }
  useCommands(isShown && !isOn ? [command] : [])
  return <IconButton label={label} icon={ListChecks} size={size} isOn={isOn} onClick={isOn ? end : begin} />
}
