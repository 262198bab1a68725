import type { FirstSteps } from '#shared/gateway/gateway-link.ts'
import { doneCount, stepOrder } from './queries.ts'

export function Progress({ steps }: { steps: FirstSteps }) {
  const done = doneCount(steps)
  const text = `${done} de ${stepOrder.length} prontos`
  return (
    <div className="flex items-center gap-3">
      <div
        role="progressbar"
        aria-label="Passos prontos"
        aria-valuemin={0}
        aria-valuemax={stepOrder.length}
        aria-valuenow={done}
        aria-valuetext={text}
        className="h-1.5 flex-1 overflow-hidden rounded-full bg-line"
      >
        <div
          className="h-full rounded-full bg-accent"
          style={{ width: `${(done / stepOrder.length) * 100}%` }}
        />
      </div>
      <span className="text-sm text-ink-2 tabular-nums">{text}</span>
    </div>
  )
}
