import { Smartphone } from 'lucide-react'
import type { SimulatorState } from '#simulator/control-views.ts'
import { cn } from '#web/ui/cn.ts'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { Phone } from './phone/phone.tsx'
import type { ShownPhones } from './shown-phones.ts'
import { useNow } from './use-now.ts'

/** The phones side by side; on small screens one of them. */
export function Stage({
  state,
  shownPhones,
  isNarrow,
}: {
  state: SimulatorState
  shownPhones: ShownPhones
  isNarrow: boolean
}) {
  const { shown, front, hide } = shownPhones
  // Often enough to show 'Ontem' after midnight.
  const nowMs = useNow(60_000)
  const phones = isNarrow ? (front ? [front] : []) : shown
  if (phones.length === 0)
    return (
      <div className="grid bg-canvas">
        <EmptyState
          icon={Smartphone}
          title="Nenhum celular na tela"
          description={
            isNarrow ? 'Abra a lista e crie um celular.' : 'Marque um celular na lista ao lado, ou crie um.'
          }
        />
      </div>
    )
  return (
    <div
      className={cn(
        'thin-scroll flex min-w-0 items-stretch gap-5 overflow-x-auto bg-canvas px-6 pt-2.5 pb-5',
        'justify-center-safe max-md:px-3 max-md:pt-2 max-md:pb-3',
      )}
    >
      {phones.map((phone) => (
        <Phone
          key={phone.id}
          phone={phone}
          companyName={state.gateway.ownerName}
          nowMs={nowMs}
          onHide={isNarrow ? undefined : () => hide(phone.id)}
        />
      ))}
    </div>
  )
}
