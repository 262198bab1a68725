import { ListChecks } from 'lucide-react'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { onDemand } from '#web/ui/on-demand.tsx'
import type { Selection } from './use-selection.ts'

/** What can be done with the selected conversations; the list is its positioned parent. */
export const SelectionBar = onDemand(async () => (await import('./selection-bar.tsx')).SelectionBar)

/** Starts the selection, and ends it. */
export function SelectButton({ selection, size = 'sm' }: { selection: Selection; size?: 'sm' | 'md' }) {
  return (
    <IconButton
      label="Selecionar conversas"
      icon={ListChecks}
      size={size}
      isOn={selection.isOn}
      onClick={selection.isOn ? selection.end : selection.begin}
    />
  )
}
