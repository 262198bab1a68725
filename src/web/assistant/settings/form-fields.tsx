import { type HTMLAttributes, useId } from 'react'
import { Controller, useFormContext } from 'react-hook-form'
import type { AssistantForm } from '#shared/assistant/assistant-config.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { PasswordInput } from '#web/ui/fields/password-input.tsx'
import { Switch } from '#web/ui/fields/switch.tsx'

type NameOf<Value> = {
  [Name in keyof AssistantForm]-?: NonNullable<AssistantForm[Name]> extends Value ? Name : never
}[keyof AssistantForm]

export function SwitchField({ name, label, hint }: { name: NameOf<boolean>; label: string; hint: string }) {
  const { control } = useFormContext<AssistantForm>()
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
              checked={value ?? false}
              onCheckedChange={onChange}
              aria-describedby={`${id}-hint`}
            />
            <label htmlFor={id}>{label}</label>
          </div>
          <p id={`${id}-hint`} className="pl-10 text-xs text-ink-3">
            {hint}
          </p>
        </div>
      )}
    />
  )
}

export function TextField({
  name,
  label,
  hint,
  inputMode,
  placeholder,
}: {
  name: 'agentId' | 'agentName' | 'helpBaseUrl' | 'helpModel' | 'transcriptionBaseUrl' | 'transcriptionModel'
  label: string
  hint?: string
  inputMode?: HTMLAttributes<HTMLInputElement>['inputMode']
  placeholder?: string
}) {
  const { register, formState } = useFormContext<AssistantForm>()
  return (
    <Field label={label} hint={hint} error={formState.errors[name]?.message}>
      {(field) => (
        <Input
          {...field}
          {...register(name)}
          autoComplete="off"
          spellCheck={false}
          inputMode={inputMode}
          placeholder={placeholder}
        />
      )}
    </Field>
  )
}

export function NumberField({ name, label, unit }: { name: NameOf<number>; label: string; unit: string }) {
  const { register, formState } = useFormContext<AssistantForm>()
  return (
    <Field
      label={label}
      error={formState.errors[name] && (formState.errors[name].message ?? 'Digite um número')}
    >
      {(field) => (
        <Input
          {...field}
          {...register(name, { valueAsNumber: true })}
          type="number"
          inputMode="numeric"
          trailing={<span className="text-xs text-ink-3">{unit}</span>}
        />
      )}
    </Field>
  )
}

/** A key that is stored is not shown: it stays unless another is typed. */
export function KeyField({
  name,
  label,
  stored,
  none,
}: {
  name: 'apiToken' | 'helpKey' | 'transcriptionKey'
  label: string
  /** The end of the stored one; null: none is stored. */
  stored: string | null
  /** What is said when none is stored. */
  none?: string
}) {
  const { register, formState } = useFormContext<AssistantForm>()
  const hint =
    stored === null
      ? none
      : `Guardado${stored === '' ? '' : `, termina em ${stored}`}. Deixe vazio para não alterar.`
  return (
    <Field label={label} hint={hint} error={formState.errors[name]?.message}>
      {(field) => (
        <PasswordInput
          {...field}
          {...register(name)}
          autoComplete="off"
          placeholder={stored === null ? '' : `••••••••${stored}`}
          showLabel={`Mostrar ${label.toLowerCase()}`}
          hideLabel={`Ocultar ${label.toLowerCase()}`}
        />
      )}
    </Field>
  )
}
