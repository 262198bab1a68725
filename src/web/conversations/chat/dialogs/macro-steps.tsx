import { CircleAlert } from 'lucide-react'
import type { MacroPreview, PreviewedStep } from '#shared/macros/macro-runs.ts'
import { stepActs, type StepKind } from '#shared/macros/steps.ts'
import { fieldNameOf } from '#shared/text/field-names.ts'
import { nameIn, type Placeholder, splitPlaceholders } from '#shared/text/template.ts'
import { dayAndTime } from '#web/conversations/snoozing/return-text.ts'
import { stepIcons } from '#web/ui/badges/step-icons.ts'
import { serverNow } from '#web/platform/live/server-clock.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { cn } from '#web/ui/cn.ts'

type Values = Partial<Record<Placeholder, string>>

/** What a macro will do, step by step, and what keeps it from being run. */
export function MacroSteps({
  preview,
  values,
  skip,
  onSkip,
}: {
  preview: MacroPreview
  /** What was written for placeholders without a value. */
  values: Values
  /** The places of files that are left out. */
  skip: readonly number[]
  onSkip: (place: number) => void
}) {
  return (
    <ol aria-label="Passos" className="grid">
      {preview.steps.map((step, place) => (
        <li
          key={place}
          className="flex items-start gap-3 border-t border-line py-2.5 text-sm first:border-t-0 first:pt-0"
        >
          <Step
            step={step}
            place={place}
            values={values}
            isSkipped={skip.includes(place)}
            onSkip={() => onSkip(place)}
          />
        </li>
      ))}
    </ol>
  )
}

function Step({
  step,
  place,
  values,
  isSkipped,
  onSkip,
}: {
  step: PreviewedStep
  place: number
  values: Values
  isSkipped: boolean
  onSkip: () => void
}) {
  const kind = step.kind as StepKind
  const isRefused = step.error !== null && !isSkipped
  const Icon = isRefused ? CircleAlert : stepIcons[kind]
  return (
    <>
      <Icon
        size={16}
        aria-hidden
        className={cn('mt-0.5 flex-none', isRefused ? 'text-red-text' : 'text-accent-text')}
      />
      <div className="min-w-0 flex-1">
        <p className="font-medium">{stepActs[kind]}</p>
        <p dir="auto" className="[overflow-wrap:anywhere] whitespace-pre-wrap text-ink-2">
          <Detail step={step} values={values} />
        </p>
        {isRefused && (
          <p className="mt-0.5 text-red-text">
            {step.error?.replace(/\.$/, '')}.
            {step.isBroken && ' A macro precisa ser corrigida nas configurações.'}
          </p>
        )}
        {isSkipped && <p className="text-amber-text">Fica de fora.</p>}
        {isRefused && step.isSkippable && (
          <Button variant="link" size="sm" className="-ml-[9px]" onClick={onSkip}>
            Continuar sem o arquivo
          </Button>
        )}
      </div>
      <span aria-hidden className="flex-none text-xs text-ink-3 tabular-nums">
        {place + 1}
      </span>
    </>
  )
}

function Detail({ step, values }: { step: PreviewedStep; values: Values }) {
  const { kind, detail, missing, tells = 0, until, isMoved } = step
  if (kind === 'finalize') return detail || 'Sem motivo'
  if (until !== undefined)
    return [dayAndTime(until, serverNow()), isMoved && 'próxima abertura', detail].filter(Boolean).join(' · ')
  const told = tells === 0 ? '' : ` · avisa ${tells === 1 ? '1 pessoa' : `${tells} pessoas`}`
  if (missing.length === 0) return detail + told
  return (
    <>
      {splitPlaceholders(detail).map((part, at) =>
        missing.includes(part) ? (
          <mark key={at} className="rounded-tag bg-amber-soft px-1 font-medium text-amber-text">
            {values[nameIn(part) as Placeholder]?.trim() || fieldNameOf(part)}
          </mark>
        ) : (
          part
        ),
      )}
      {told}
    </>
  )
}
