import type { ManagedSector, ManagedSectors } from '#shared/sectors/managed-sectors.ts'
import { useNow } from '#web/platform/live/server-clock.ts'
import { SectorDot } from '#web/sectors/sectors.tsx'
import { cn } from '#web/ui/cn.ts'
import { Card } from '#web/ui/layout/card.tsx'
import { useOrder } from '#web/ui/use-order.ts'
import { Waiting } from '#web/ui/states/waiting.tsx'
import { useOrderSectors } from '#web/settings/sectors/mutations.ts'
import { minutesSince, SectorRow } from './sector-row.tsx'

/** The sectors in the order of the client's menu, which is changed by dragging and by key. */
export function SectorList({
  sectors,
  timezone,
  chosenId,
  mayOrder,
}: {
  sectors: readonly ManagedSector[]
  timezone: string
  chosenId: number | undefined
  mayOrder: boolean
}) {
  const { mutate } = useOrderSectors()
  const { shown, rowProps, isDragged, move, said } = useOrder(sectors, mutate)
  return (
    <Card className="overflow-hidden">
      <ul aria-label="Setores">
        {shown.map((id, index) => {
          const sector = sectors.find((one) => one.id === id)
          return (
            sector && (
              <li
                key={id}
                {...(mayOrder && rowProps(id, index))}
                className={cn('border-b border-line last:border-b-0', isDragged(id) && 'opacity-60')}
              >
                <SectorRow
                  sector={sector}
                  timezone={timezone}
                  isChosen={id === chosenId}
                  move={mayOrder ? (step) => move(id, step) : undefined}
                />
              </li>
            )
          )
        })}
      </ul>
      {mayOrder && (
        <p className="border-t border-line bg-sunken px-3.5 py-2 text-xs text-ink-2">
          A ordem é a do menu do cliente<span className="max-md:hidden">: arraste para mudar</span>.
        </p>
      )}
      <p role="status" className="sr-only">
        {said}
      </p>
    </Card>
  )
}

/** What waits without a sector, below the list. */
export function NoSector({ none }: { none: ManagedSectors['none'] }) {
  const now = useNow(30_000)
  return (
    <Card className="mt-3 px-3.5 py-2.5">
      <p className="flex min-h-5 items-center gap-2 text-sm">
        <SectorDot color={null} />
        <span className="min-w-0 flex-1 font-medium">Sem setor</span>
        <span className="tabular-nums">{none.waiting.toLocaleString('pt-BR')} na fila</span>
        {none.waiting > 0 && none.waitingSince && <Waiting minutes={minutesSince(none.waitingSince, now)} />}
      </p>
      <p className="mt-0.5 text-xs text-ink-3">
        Todos com ‘Todas’ e os responsáveis veem e colocam num setor.
      </p>
    </Card>
  )
}
