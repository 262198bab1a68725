import { Clock } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Controller, type FieldPathByValue, get, useFormContext } from 'react-hook-form'
import type { SystemSettings } from '#shared/settings/settings.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { Switch } from '#web/ui/fields/switch.tsx'

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

/** A time of day, 'HH:MM': the browser's own field would show AM and PM in an English browser. */
export function TimeSetting({ name, label }: { name: TimeName; label: string }) {
  const { register, setValue, formState } = useFormContext<SystemSettings>()
  const onBlur = ({ target }: { target: HTMLInputElement }) =>
    setValue(name, wholeTime(target.value), { shouldValidate: true })
  return (
    <Field label={label} error={errorAt(formState.errors, name)}>
      {(control) => (
        <Input
          {...control}
          {...register(name, { onBlur })}
          inputMode="numeric"
          autoComplete="off"
          maxLength={5}
          placeholder="hh:mm"
          className="w-[104px] tabular-nums"
          trailing={<Clock size={14} aria-hidden className="shrink-0 text-ink-3" />}
        />
      )}
    </Field>
  )
}

/** '9', '930', '9h30' → '09:00', '09:30'; anything else is left for the schema to reject. */
function wholeTime(typed: string): string {
  const [, hours, minutes = '00'] = /^(\d{1,2})(?:[:h]?(\d{2}))?h?$/i.exec(typed.trim()) ?? []
  return hours === undefined ? typed : `${hours.padStart(2, '0')}:${minutes}`
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
