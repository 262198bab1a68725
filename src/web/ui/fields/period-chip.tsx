import { type FormEvent, useState } from 'react'
import { Button } from '#web/ui/buttons/button.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { FormChip } from '#web/ui/fields/filter-chip.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { daysBefore, periodText } from '#shared/text/time/zoned-dates.ts'

interface Period {
  from: string | undefined
  to: string | undefined
}

const usualPeriods = [
  ['Hoje', 0],
  ['7 dias', 6],
  ['30 dias', 29],
] as const

/** Filters by days, both inclusive; open at either end. */
export function PeriodChip({
  from,
  to,
  today,
  onChange,
}: Period & { today: string; onChange: (period: Period) => void }) {
  return (
    <FormChip
      label="Período"
      shown={periodText(from, to)}
      onClear={() => onChange({ from: undefined, to: undefined })}
    >
      {(close) => (
        <PeriodForm
          period={{ from, to }}
          today={today}
          onChoose={(period) => {
            onChange(period)
            close()
          }}
        />
      )}
    </FormChip>
  )
}

function PeriodForm({
  period,
  today,
  onChoose,
}: {
  period: Period
  today: string
  onChoose: (period: Period) => void
}) {
  const [from, setFrom] = useState(period.from ?? '')
  const [to, setTo] = useState(period.to ?? '')
  const isReversed = from !== '' && to !== '' && from > to
  const apply = (event: FormEvent) => {
    event.preventDefault()
    if (!isReversed) onChoose({ from: from || undefined, to: to || undefined })
  }
  return (
    <form className="grid w-72 gap-3" onSubmit={apply}>
      <div className="flex gap-1.5">
        {usualPeriods.map(([label, days]) => (
          <Button
            key={label}
            size="sm"
            onClick={() => onChoose({ from: daysBefore(today, days), to: today })}
          >
            {label}
          </Button>
        ))}
      </div>
      <div className="grid grid-cols-2 gap-2">
        <Field label="De">
          {(control) => (
            <Input
              {...control}
              type="date"
              fieldSize="bar"
              value={from}
              max={today}
              onChange={(event) => setFrom(event.target.value)}
            />
          )}
        </Field>
        <Field label="Até">
          {(control) => (
            <Input
              {...control}
              type="date"
              fieldSize="bar"
              value={to}
              max={today}
              onChange={(event) => setTo(event.target.value)}
            />
          )}
        </Field>
      </div>
      {isReversed && (
        <p role="alert" className="text-xs text-red-text">
          O período termina antes de começar
        </p>
      )}
      <Button type="submit" variant="primary" disabled={isReversed}>
        Aplicar
      </Button>
    </form>
  )
}
