import { ShieldCheck } from 'lucide-react'
import { EmptyState } from '#web/ui/states/empty-state.tsx'

/** In place of the data of a contact that was anonymized. */
export function ErasedNote() {
  return (
    <EmptyState
      icon={ShieldCheck}
      title="Dados apagados"
      description="A pedido do titular (LGPD). Só contagens e horários das conversas ficam."
    />
  )
}
