import { useSyncExternalStore } from 'react'
import { onDemand } from '#web/ui/on-demand.tsx'
import { confirmation } from './confirmation.ts'

const ConfirmDialog = onDemand(async () => (await import('./confirm-dialog.tsx')).ConfirmDialog)

/** Asks for the password again when a call needs it. */
export function ConfirmHost() {
  const asked = useSyncExternalStore(confirmation.subscribe, confirmation.get)
  if (!asked) return null
  return <ConfirmDialog onClose={() => asked.settle(false)} onConfirmed={() => asked.settle(true)} />
}
