import { useId } from 'react'
import { Controller, type UseFormReturn } from 'react-hook-form'
import type * as z from 'zod/mini'
import type { evolutionConfigChange, EvolutionConfigChange } from '#shared/gateway/gateway.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { PasswordInput } from '#web/ui/fields/password-input.tsx'
import { Switch } from '#web/ui/fields/switch.tsx'
import { addressError, keyIsForeign } from './form-words.ts'

export function EvolutionFields({
  form: { control, register, getValues, formState },
  keyHint,
  isKeyForeign,
  onConnection,
}: {
  form: UseFormReturn<EvolutionConfigChange, unknown, z.output<typeof evolutionConfigChange>>
  /** Last characters of the stored key; undefined: none is stored. */
  keyHint: string | undefined
  isKeyForeign: boolean
  /** Called when something is typed that a test of the connection depends on. */
  onConnection: () => void
}) {
  const { errors } = formState
  const switchId = useId()
  const width = 'w-full max-w-[480px]'
  return (
    <>
      <Field label="Nome da instância" error={errors.instanceName?.message} className={width}>
        {(field) => <Input {...field} {...register('instanceName')} autoComplete="off" />}
      </Field>
      <Field
        label="Chave da API"
        error={errors.apiKey?.message}
        hint={keyHint === undefined ? isKeyForeign && keyIsForeign : storedKey(keyHint)}
        className={width}
      >
        {(field) => (
          <PasswordInput
            {...field}
            {...register('apiKey', { onChange: onConnection })}
            autoComplete="off"
            placeholder={keyHint === undefined ? '' : `••••••••${keyHint}`}
            showLabel="Mostrar chave"
            hideLabel="Ocultar chave"
          />
        )}
      </Field>
      <Field
        label="URL base"
        error={addressError(errors.baseUrl?.message, getValues('baseUrl'))}
        className={width}
      >
        {(field) => (
          <Input
            {...field}
            {...register('baseUrl', { onChange: onConnection })}
            inputMode="url"
            placeholder="https://evolution.exemplo.com"
            spellCheck={false}
          />
        )}
      </Field>
      <Field
        label="URL do webhook (opcional)"
        error={errors.webhookUrl?.message}
        hint="Só quando o gateway alcança este sistema por outro endereço."
        className={width}
      >
        {(field) => <Input {...field} {...register('webhookUrl')} inputMode="url" spellCheck={false} />}
      </Field>
      <Controller
        control={control}
        name="isActive"
        render={({ field: { value, onChange, ...field } }) => (
          <div className="flex items-center gap-2 text-sm font-medium">
            <Switch {...field} id={switchId} checked={value ?? true} onCheckedChange={onChange} />
            <label htmlFor={switchId}>Conexão ativa</label>
          </div>
        )}
      />
    </>
  )
}

/** The end of a short key is not shown. */
const storedKey = (hint: string) =>
  `Guardada${hint === '' ? '' : `, termina em ${hint}`}. Deixe vazio para não alterar.`
