import { useState } from 'react'
import { type MacroStep, mostSteps, type StepKind, stepLabels } from '#shared/macros/steps.ts'
import { stepIcons } from '#web/ui/badges/step-icons.ts'
import { KeyCap } from '#web/ui/badges/key-cap.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { cn } from '#web/ui/cn.ts'
import { useOrder } from '#web/ui/use-order.ts'
import { type Draft, newStep, withId } from './draft.ts'
import { FileButton } from './file-button.tsx'
import { type Known, problemOf } from './known.ts'
import { StepFields } from './step-fields.tsx'
import { StepRow, WholeStep } from './step-row.tsx'

type Steps = Draft['steps']

/** The steps in their order, which is changed by dragging and by key, and the kinds that can be added. */
export function StepsList({
  steps,
  known,
  isReadOnly,
  onChange,
}: {
  steps: Steps
  known: Known
  isReadOnly: boolean
  /** Takes what becomes of the steps of now: a file comes when others have changed. */
  onChange: (change: (now: Steps) => Steps) => void
}) {
  const [open, setOpen] = useState<number>()
  const add = (step: MacroStep) => {
    const added = withId(step)
    onChange((now) => [...now, added])
    setOpen(added.id)
  }
  const rows = steps.map(({ id, step }) => ({ id, name: stepLabels[step.kind] }))
  const order = useOrder(rows, (ids) =>
    onChange((now) => ids.flatMap((id) => now.find((one) => one.id === id) ?? [])),
  )
  return (
    <section aria-label="Passos" className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2">
      <p className="flex items-center justify-between gap-2 text-sm font-medium">
        Passos
        {!isReadOnly && (
          <span aria-hidden className="text-xs font-normal text-ink-3 max-md:hidden">
            arraste, ou <KeyCap>Alt ↑</KeyCap> <KeyCap>Alt ↓</KeyCap>
          </span>
        )}
      </p>
      {steps.length === 0 && <p className="text-sm text-ink-3">Nenhum passo ainda. Escolha o primeiro.</p>}
      <ol aria-label="Passos da macro" className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
        {order.shown.map((id, index) => {
          const step = steps.find((one) => one.id === id)?.step
          if (!step) return null
          const problem = problemOf(step, known)
          if (isReadOnly)
            return (
              <li key={id}>
                <WholeStep step={step} place={index + 1} known={known} problem={problem} />
              </li>
            )
          const isOpen = open === id
          return (
            <li
              key={id}
              // While it is open its texts are selected by dragging.
              {...(!isOpen && order.rowProps(id, index))}
              className={cn(order.isDragged(id) && 'opacity-60')}
            >
              <StepRow
                step={step}
                place={index + 1}
                known={known}
                problem={problem}
                isOpen={isOpen}
                onOpen={() => setOpen(isOpen ? undefined : id)}
                onMove={(by) => order.move(id, by)}
                onRemove={() => onChange((now) => now.filter((one) => one.id !== id))}
              >
                <StepFields
                  step={step}
                  known={known}
                  problem={problem}
                  onChange={(next) =>
                    onChange((now) => now.map((one) => (one.id === id ? { id, step: next(one.step) } : one)))
                  }
                />
              </StepRow>
            </li>
          )
        })}
      </ol>
      <p role="status" className="sr-only">
        {order.said}
      </p>
      {!isReadOnly && steps.length < mostSteps && <Kinds onAdd={add} />}
    </section>
  )
}

const kinds = Object.keys(stepLabels) as StepKind[]

/** The kinds of steps, each a button that adds one. */
function Kinds({ onAdd }: { onAdd: (step: MacroStep) => void }) {
  return (
    <div role="group" aria-label="Adicionar passo" className="flex flex-wrap gap-1.5 pt-1">
      {kinds.map((kind) =>
        kind === 'file' ? (
          <FileButton
            key={kind}
            label={stepLabels[kind]}
            className="rounded-full"
            onFile={(file) => onAdd({ kind, file, text: '' })}
          />
        ) : (
          <Button
            key={kind}
            size="sm"
            icon={stepIcons[kind]}
            className="rounded-full"
            onClick={() => onAdd(newStep(kind))}
          >
            {stepLabels[kind]}
          </Button>
        ),
      )}
    </div>
  )
}
