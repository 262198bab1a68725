import { type ReactNode, useId } from 'react'
import { Controller, type FieldPathByValue, get, useFormContext } from 'react-hook-form'
import type { SystemSettings } from '#shared/settings/settings.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { Switch } from '#web/ui/fields/switch.tsx'
import { TimeInput } from '#web/ui/fields/time-input.tsx'

/** Controls of a settings form, each bound to its setting by name. */

/** A setting that is on or off. */
export function SwitchSetting({
  name,
  label,
  hint,
}: {
  name: FieldPathByValue<SystemSettings, boolean>
  label: string
  hint?: ReactNode
}) {
  const { control } = useFormContext<SystemSettings>()
  const id = useId()
  return (
    <Controller
      control={control}
      name={name}
      render={({ field: { value, onChange, ...field } }) => (
        <div className="grid gap-1">
          <div className="flex items-center gap-2 text-sm font-medium">
            <Switch
              {...field}
              id={id}
              checked={value}
              onCheckedChange={onChange}
              {...(hint !== undefined && { 'aria-describedby': `${id}-hint` })}
            />
            <label htmlFor={id}>{label}</label>
          </div>
          {hint !== undefined && (
            <p id={`${id}-hint`} className="pl-10 text-xs text-ink-3">
              {hint}
            </p>
          )}
        </div>
      )}
    />
  )
}

type TimeName =
  | `workingHours.${'start' | 'end'}`
  | `workingHours.differentDays.${number}.${'' | 'lunch.'}${'start' | 'end'}`
  | `lunchBreak.${'start' | 'end'}`
  | `scheduleExceptions.${number}.hours.${'start' | 'end'}`

/** A time of day. */
export function TimeSetting({ name, label }: { name: TimeName; label: string }) {
  const { register, setValue, formState } = useFormContext<SystemSettings>()
  return (
    <Field label={label} error={errorAt(formState.errors, name)}>
      {(control) => (
        <TimeInput
          {...control}
          {...register(name)}
          onWhole={(time) => setValue(name, time, { shouldValidate: true })}
        />
      )}
    </Field>
  )
}

/** An integer. */
export function NumberSetting({
  name,
  label,
  hint,
  min,
  max,
  unit,
}: {
  name: FieldPathByValue<SystemSettings, number>
  label: string
  hint?: string
  min: number
  max: number
  unit: string
}) {
  const { register, formState } = useFormContext<SystemSettings>()
  const error = errorAt(formState.errors, name) && `Digite um número de ${min} a ${max}`
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <Input
          {...control}
          {...register(name, { valueAsNumber: true })}
          type="number"
          inputMode="numeric"
          min={min}
          max={max}
          step={1}
          className="w-[168px]"
          trailing={<span className="text-xs text-ink-3">{unit}</span>}
        />
      )}
    </Field>
  )
}

/** The validation message of a field, by its path. */
export function errorAt(errors: object, path: string): string | undefined {
  return (get(errors, path) as { message?: string } | undefined)?.message
}
