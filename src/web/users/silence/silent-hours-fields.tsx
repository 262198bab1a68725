import { type ReactNode, useId } from 'react'
import { type SilentHours, silenceModes } from '#shared/settings/silent-hours.ts'
import { silenceModeLabels } from '#shared/settings/texts.ts'
import { cn } from '#web/ui/cn.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { Switch } from '#web/ui/fields/switch.tsx'
import { TimeInput } from '#web/ui/fields/time-input.tsx'

/** What is wrong with each field. */
export type SilentHoursErrors = Partial<Record<keyof SilentHours, string | undefined>>

export interface SilentHoursFieldsProps {
  value: SilentHours
  errors: SilentHoursErrors
  onChange: (next: SilentHours) => void
}

/** When the console is quiet: of the team, or of a person. */
export function SilentHoursFields({ value, errors, onChange }: SilentHoursFieldsProps) {
  const id = useId()
  const set = (change: Partial<SilentHours>) => onChange({ ...value, ...change })
  return (
    <>
      <Field label="Silêncio" className="w-[320px] max-w-full">
        {(control) => (
          <Select
            {...control}
            value={value.mode}
            onChange={(mode) => set({ mode: mode as SilentHours['mode'] })}
            options={silenceModes.map((mode) => ({ value: mode, label: silenceModeLabels[mode] }))}
          />
        )}
      </Field>
      {value.mode === 'closed' && (
        <p className="text-xs text-ink-3">
          Sempre que o atendimento está fechado: também no almoço, nos feriados e nas outras exceções.
        </p>
      )}
      {value.mode === 'hours' && (
        <>
          <div className="flex flex-wrap items-start gap-4">
            <Time
              label="Início do silêncio"
              value={value.start}
              error={errors.start}
              onChange={(start) => set({ start })}
            />
            <Time
              label="Fim do silêncio"
              value={value.end}
              error={errors.end}
              onChange={(end) => set({ end })}
            />
          </div>
          <Days
            label="Dias em que começa"
            hint="Um fim antes do início é no dia seguinte."
            days={value.days}
            error={errors.days}
            onChange={(days) => set({ days })}
          />
          <Days
            label="Dias de folga"
            hint="Silêncio o dia inteiro."
            days={value.daysOff}
            error={errors.daysOff}
            onChange={(daysOff) => set({ daysOff })}
          />
        </>
      )}
      {value.mode !== 'off' && (
        <div className="flex items-center gap-2 text-sm font-medium">
          <Switch id={id} checked={value.mentions} onCheckedChange={(mentions) => set({ mentions })} />
          <label htmlFor={id}>Menções avisam mesmo assim</label>
        </div>
      )}
    </>
  )
}

function Time({
  label,
  value,
  error,
  onChange,
}: {
  label: string
  value: string
  error: string | undefined
  onChange: (next: string) => void
}) {
  return (
    <Field label={label} error={error}>
      {(control) => (
        <TimeInput
          {...control}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onWhole={onChange}
        />
      )}
    </Field>
  )
}

/** The order of a week as displayed; 0 is Sunday. */
const weekdays = ['Segunda', 'Terça', 'Quarta', 'Quinta', 'Sexta', 'Sábado', 'Domingo'].map((name, n) => ({
  day: (n + 1) % 7,
  name,
}))

function Days({
  label,
  hint,
  days,
  error,
  onChange,
}: {
  label: string
  hint: ReactNode
  days: readonly number[]
  error: string | undefined
  onChange: (next: number[]) => void
}) {
  const toggle = (day: number) =>
    onChange(
      (days.includes(day) ? days.filter((one) => one !== day) : [...days, day]).toSorted((a, b) => a - b),
    )
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      <div className="flex flex-wrap gap-1.5">
        {weekdays.map(({ day, name }) => (
          <button
            key={day}
            type="button"
            aria-pressed={days.includes(day)}
            onClick={() => toggle(day)}
            className={cn(
              'h-(--height-control) rounded-control border px-2.5 text-sm font-medium',
              days.includes(day)
                ? 'border-accent bg-accent-soft text-accent-text'
                : 'border-line-strong text-ink-2 hover:bg-hover hover:text-ink',
            )}
          >
            {name}
          </button>
        ))}
      </div>
      {error ? (
        <p role="alert" className="text-xs text-red-text">
          {error}
        </p>
      ) : (
        <p className="text-xs text-ink-3">{hint}</p>
      )}
    </fieldset>
  )
}
