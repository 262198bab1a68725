import { useState } from 'react'
import type { Faults } from '#simulator/control-api.ts'
import { cn } from '#web/ui/cn.ts'
import { FaultDialog } from './fault-dialog.tsx'
import { faultInfos, type FaultInfo } from './fault-info.ts'
import { FaultRow } from './fault-row.tsx'

/** Switches for the gateway's faults. */
export function FaultList({ faults }: { faults: Faults }) {
  const [adjusted, setAdjusted] = useState<FaultInfo>()
  const count = faultInfos.filter(({ name }) => faults[name].on).length
  const words = count === 0 ? 'nenhuma ligada' : count === 1 ? '1 ligada' : `${count} ligadas`
  return (
    <section aria-label="Falhas" className="shrink-0">
      <h2 className="flex justify-between px-4 pt-3.5 pb-1.5 text-xs font-semibold text-ink-2">
        Falhas
        <span className={cn('tabular-nums', count > 0 ? 'text-amber-text' : 'font-normal text-ink-3')}>
          {words}
        </span>
      </h2>
      <ul>
        {faultInfos.map((info) => (
          <FaultRow key={info.name} info={info} faults={faults} onAdjust={() => setAdjusted(info)} />
        ))}
      </ul>
      {adjusted && (
        <FaultDialog info={adjusted} fault={faults[adjusted.name]} onClose={() => setAdjusted(undefined)} />
      )}
    </section>
  )
}
