import { CircleAlert, GripVertical, X } from 'lucide-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { snoozeTimeLabels } from '#shared/conversations/snooze.ts'
import { type MacroStep, stepLabels } from '#shared/macros/steps.ts'
import { priorityLabels } from '#shared/text/text.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { cn } from '#web/ui/cn.ts'
import { stepIcons } from '#web/ui/badges/step-icons.ts'
import { idIn, type Known, type NamingKind } from './known.ts'

/** A step in the list: what it is, what is wrong with it, and its fields while it is open. */
export function StepRow({
  step,
  place,
  known,
  problem,
  isOpen,
  onOpen,
  onMove,
  onRemove,
  children,
}: {
  step: MacroStep
  /** From 1. */
  place: number
  known: Known
  problem: string | undefined
  isOpen: boolean
  onOpen: () => void
  /** Up (-1) or down. */
  onMove: (by: -1 | 1) => void
  onRemove: () => void
  children: ReactNode
}) {
  const Icon = stepIcons[step.kind]
  const label = stepLabels[step.kind]
  const onKeyDown = (event: KeyboardEvent) => {
    const by = ({ ArrowUp: -1, ArrowDown: 1 } as const)[event.key]
    if (!event.altKey || by === undefined) return
    event.preventDefault()
    onMove(by)
  }
  return (
    <div
      className={cn(
        'rounded-control border bg-surface',
        isOpen ? 'border-accent' : problem === undefined ? 'border-line' : 'border-red-line',
      )}
    >
      <div className="flex min-h-9 items-center gap-2 pr-1 pl-2 text-sm">
        <GripVertical size={14} aria-hidden className="flex-none cursor-grab text-ink-3 max-md:hidden" />
        <button
          type="button"
          aria-expanded={isOpen}
          aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
          onClick={onOpen}
          onKeyDown={onKeyDown}
          className={[
            'flex min-h-9 min-w-0 flex-1 items-center gap-2.5 rounded-control text-left',
            'max-md:min-h-11',
          ].join(' ')}
        >
          <Icon size={15} aria-hidden className="flex-none text-ink-2" />
          <span className="w-24 flex-none font-medium max-md:w-20">
            <span className="sr-only">Passo {place}: </span>
            {label}
          </span>
          <span className="min-w-0 flex-1 truncate text-ink-2" dir="auto">
            {summaryOf(step, known)}
          </span>
          {problem !== undefined && (
            <CircleAlert size={15} aria-label={problem} className="flex-none text-red-text" />
          )}
        </button>
        <IconButton
          icon={X}
          size="sm"
          label={`Tirar o passo ${place}: ${label}`}
          className="max-md:size-11"
          onClick={onRemove}
        />
      </div>
      {!isOpen && problem !== undefined && (
        <p className="px-3 pb-2 text-xs text-red-text md:pl-[60px]">{problem}</p>
      )}
      {isOpen && <div className="border-t border-line p-3">{children}</div>}
    </div>
  )
}

/** A step that may not be changed, with all that it has. */
export function WholeStep({
  step,
  place,
  known,
  problem,
}: {
  step: MacroStep
  /** From 1. */
  place: number
  known: Known
  problem: string | undefined
}) {
  const Icon = stepIcons[step.kind]
  const more = step.kind === 'file' ? step.text : step.kind === 'snooze' ? step.reason : undefined
  return (
    <div className="flex items-start gap-2.5 rounded-control border border-line bg-surface p-2 text-sm">
      <Icon size={15} aria-hidden className="mt-0.5 flex-none text-ink-2" />
      <p className="w-24 flex-none font-medium max-md:w-20">
        <span className="sr-only">Passo {place}: </span>
        {stepLabels[step.kind]}
      </p>
      <div className="min-w-0 flex-1 [overflow-wrap:anywhere] whitespace-pre-wrap text-ink-2">
        <p dir="auto">{summaryOf(step, known)}</p>
        {more && <p dir="auto">{more}</p>}
        {problem !== undefined && <p className="text-xs text-red-text">{problem}</p>}
      </div>
    </div>
  )
}

function summaryOf(step: MacroStep, known: Known): string {
  switch (step.kind) {
    case 'text':
    case 'note':
      return step.text
    case 'file':
      return `${step.file.fileName} · ${Math.ceil(step.file.sizeBytes / 1024).toLocaleString('pt-BR')} KB`
    case 'priority':
      return priorityLabels[step.priority]
    case 'snooze':
      return snoozeTimeLabels[step.time]
    default: {
      const id = idIn(step)
      const name = known[step.kind as NamingKind]?.find((one) => one.id === id)?.name
      return name ?? (step.kind === 'finalize' && id === null ? 'Sem motivo' : '')
    }
  }
}
