import { Plus, Trash2 } from 'lucide-react'
import { useId, useRef } from 'react'
import { useFieldArray, useFormContext } from 'react-hook-form'
import type { DifferentDay } from '#shared/settings/schedule.ts'
import type { SystemSettings } from '#shared/settings/settings.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { Switch } from '#web/ui/fields/switch.tsx'
import { errorAt, TimeSetting } from '#web/settings/fields/controls.tsx'
import { weekdayName, weekdays } from './weekdays.ts'
import { WholeDay } from './whole-day.tsx'

const list = 'workingHours.differentDays'

/** The half day that most teams have. */
const half = { start: '08:00', end: '12:00', lunch: 'usual' } as const

/** A row of the first day that has none, Saturday before all others. */
const nextDay = (rows: readonly DifferentDay[]): DifferentDay => {
  const day = [6, 0, 1, 2, 3, 4, 5].find((one) => rows.every((row) => row.day !== one)) ?? 6
  return { day, ...half }
}

/** Days of the week with hours of their own: none, or a row for each. */
export function DifferentDays() {
  const id = useId()
  const { watch, setValue } = useFormContext<SystemSettings>()
  const rows = watch(list) ?? []
  const isOn = rows.length > 0
  // Whoever switches them off and on again finds them.
  const before = useRef<DifferentDay[]>(undefined)
  const replace = (next: DifferentDay[] | undefined) =>
    setValue(list, next, { shouldValidate: true, shouldDirty: true })
  return (
    <div className="grid w-full gap-2.5">
      <div className="grid gap-1">
        <div className="flex items-center gap-2 text-sm font-medium">
          <Switch
            id={id}
            checked={isOn}
            aria-describedby={`${id}-hint`}
            onCheckedChange={(next) => {
              if (!next) before.current = structuredClone(rows)
              replace(next ? (before.current ?? [nextDay([])]) : undefined)
            }}
          />
          <label htmlFor={id}>Horário diferente em alguns dias</label>
        </div>
        <p id={`${id}-hint`} className="pl-10 text-xs text-ink-3">
          No lugar do horário acima: sábado só de manhã, plantão de 24 h.
        </p>
      </div>
      {isOn && <Rows onNone={() => replace(undefined)} />}
    </div>
  )
}

function Rows({ onNone }: { onNone: () => void }) {
  const { control, watch } = useFormContext<SystemSettings>()
  const { fields, append, remove } = useFieldArray({ control, name: list })
  const add = useRef<HTMLButtonElement>(null)
  const rows = watch(list) ?? []
  return (
    <>
      <ul className="grid w-full gap-2.5">
        {fields.map((field, index) => (
          <li key={field.id}>
            <Row
              index={index}
              onRemove={() => {
                // Absent, not empty: without rows the hours are those from before there were any.
                if (rows.length === 1) return onNone()
                remove(index)
                add.current?.focus()
              }}
            />
          </li>
        ))}
      </ul>
      {rows.length < weekdays.length && (
        <Button ref={add} icon={Plus} className="justify-self-start" onClick={() => append(nextDay(rows))}>
          Adicionar dia
        </Button>
      )}
    </>
  )
}

const lunches = [
  { value: 'usual', label: 'Almoço padrão' },
  { value: 'none', label: 'Sem almoço' },
  { value: 'own', label: 'Outro almoço' },
] as const

function Row({ index, onRemove }: { index: number; onRemove: () => void }) {
  const { watch, setValue, unregister, formState } = useFormContext<SystemSettings>()
  const name = `${list}.${index}` as const
  const rows = watch(list) ?? []
  const row = rows[index]
  if (!row) return null
  const { day, lunch } = row
  const { enabled, start, end } = watch('lunchBreak')
  const usualLunch = enabled ? `${start}–${end}` : 'Desligado'
  const others = rows.filter((_, at) => at !== index).map((one) => one.day)
  const chooseLunch = (next: string) => {
    // The fields of times that are gone would be looked for in the word.
    unregister([`${name}.lunch.start`, `${name}.lunch.end`])
    const value = next === 'own' ? { start: '12:00', end: '13:00' } : next === 'none' ? next : 'usual'
    setValue(`${name}.lunch`, value, { shouldValidate: true, shouldDirty: true })
  }
  return (
    <div
      role="group"
      aria-label={`Horário de ${weekdayName(day)}`}
      className="relative grid gap-3 rounded-card border border-line bg-surface p-3"
    >
      <div className="flex flex-wrap items-start gap-3 pr-11">
        <Field label="Dia" className="max-md:basis-full" error={errorAt(formState.errors, `${name}.day`)}>
          {(control) => (
            <Select
              {...control}
              value={String(day)}
              onChange={(next) =>
                setValue(`${name}.day`, Number(next), { shouldValidate: true, shouldDirty: true })
              }
              options={weekdays
                .filter((one) => !others.includes(one.day))
                .map((one) => ({ value: String(one.day), label: one.name }))}
              className="w-[130px] md:w-[150px]"
            />
          )}
        </Field>
        <TimeSetting name={`${name}.start`} label="Das" />
        <TimeSetting name={`${name}.end`} label="Até" />
        <IconButton
          icon={Trash2}
          label={`Remover horário de ${weekdayName(day)}`}
          tone="danger"
          onClick={onRemove}
          className="absolute top-10 right-3"
        />
      </div>
      <WholeDay name={name} label="Dia inteiro (24 h)" usual={half} />
      <div className="flex flex-wrap items-start gap-3">
        <Field label="Almoço" hint={lunch === 'usual' && usualLunch}>
          {(control) => (
            <Select
              {...control}
              value={typeof lunch === 'string' ? lunch : 'own'}
              onChange={chooseLunch}
              options={lunches}
              className="w-[150px]"
            />
          )}
        </Field>
        {typeof lunch !== 'string' && (
          <>
            <TimeSetting name={`${name}.lunch.start`} label="Almoço das" />
            <TimeSetting name={`${name}.lunch.end`} label="Almoço até" />
          </>
        )}
      </div>
    </div>
  )
}
