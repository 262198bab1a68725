import { Forward } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useCommands } from '#web/platform/commands.ts'
import { onDemand } from '#web/ui/on-demand.tsx'
import { useCan } from '#web/users/users.tsx'

const HandOverDialog = onDemand(async () => (await import('./hand-over-dialog.tsx')).HandOverDialog)

/** 'Passar meu turno': its trigger, and its dialog, which is loaded on demand. */
export function HandOver({
  trigger,
}: {
  /** With undefined for whoever may not. Absent: offered in the command palette only. */
  trigger?: (open: (() => void) | undefined) => ReactNode
}) {
  const [isOpen, setIsOpen] = useState(false)
  const isAllowed = useCan('handOver')
  const mayReturn = useCan('handOverToQueue')
  const mayTransfer = useCan('handOverToColleague')
  const open = () => setIsOpen(true)
  const command = { id: 'hand-over', group: 'Conversas', label: 'Passar meu turno', icon: Forward, run: open }
  useCommands(!trigger && isAllowed ? [command] : [])
  return (
    <>
      {trigger?.(isAllowed ? open : undefined)}
      {isOpen && (
        <HandOverDialog mayReturn={mayReturn} mayTransfer={mayTransfer} onClose={() => setIsOpen(false)} />
      )}
    </>
  )
}
