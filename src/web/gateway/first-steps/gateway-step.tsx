import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { evolutionConfigCreate, evolutionConfigForm, type EvolutionConfig } from '#shared/gateway/gateway.ts'
import { ApiError } from '#web/platform/api/api.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { PasswordInput } from '#web/ui/fields/password-input.tsx'
import { addressError, keyIsForeign } from '#web/gateway/form-words.ts'
import { useSaveConfig, useTestConfig } from '#web/gateway/queries.ts'
import { TestResult } from '#web/gateway/test-result.tsx'
import { StepRow, useReview } from './step-row.tsx'

/** Where the Evolution API is, and its key: tried before they are saved. */
export function GatewayStep({
  config,
  isDone,
  isNext,
}: {
  config: EvolutionConfig | undefined
  isDone: boolean
  isNext: boolean
}) {
  const review = useReview(isDone)
  const isOpen = isNext || review.isReviewing
  return (
    <StepRow
      number={1}
      title="Gateway e chave"
      note={
        isDone && config
          ? `${config.baseUrl}, instância ${config.instanceName}`
          : config?.isKeyMissing
            ? 'Falta digitar a chave de novo'
            : 'A Evolution API é o programa que fala com o WhatsApp'
      }
      isDone={isDone}
      isNext={isNext}
      action={review.action}
    >
      {isOpen && <GatewayForm config={config} onSaved={review.close} />}
    </StepRow>
  )
}

function GatewayForm({ config, onSaved }: { config: EvolutionConfig | undefined; onSaved: () => void }) {
  const hasKey = config !== undefined && !config.isKeyMissing
  const save = useSaveConfig(config?.id)
  const test = useTestConfig()
  const [failure, setFailure] = useState<Error | null>(null)
  const { register, handleSubmit, setError, getValues, formState } = useForm({
    resolver: zodResolver(hasKey ? evolutionConfigForm : evolutionConfigCreate),
    defaultValues: {
      baseUrl: config?.baseUrl ?? '',
      apiKey: '',
      instanceName: config?.instanceName ?? 'balcao',
      webhookUrl: config?.webhookUrl ?? '',
      isActive: true,
    },
  })
  const { errors, isSubmitting } = formState
  /** What was answered for other values stands beside no new ones. */
  const forget = () => {
    test.reset()
    setFailure(null)
  }
  const submit = handleSubmit(async (values) => {
    setFailure(null)
    try {
      const result = await test.mutateAsync({ baseUrl: values.baseUrl, apiKey: values.apiKey })
      if (!result.success) return
      await save.mutateAsync(values)
      onSaved()
    } catch (error) {
      if (error instanceof ApiError && error.fields['apiKey']) {
        forget()
        return setError('apiKey', { message: error.message }, { shouldFocus: true })
      }
      setFailure(error as Error)
    }
  }, forget)
  return (
    <form noValidate onSubmit={submit} className="grid gap-3.5">
      <Field
        label="URL base"
        isRequired
        error={addressError(errors.baseUrl?.message, getValues('baseUrl'))}
        hint="O endereço da Evolution API, visto deste servidor."
      >
        {(field) => (
          <Input
            {...field}
            {...register('baseUrl', { onChange: forget })}
            inputMode="url"
            placeholder="https://evolution.exemplo.com"
            spellCheck={false}
          />
        )}
      </Field>
      <div className="grid items-start gap-3.5 md:grid-cols-2">
        <Field label="Chave da API" isRequired error={errors.apiKey?.message} hint={keyHint(config)}>
          {(field) => (
            <PasswordInput
              {...field}
              {...register('apiKey', { onChange: forget })}
              autoComplete="off"
              showLabel="Mostrar chave"
              hideLabel="Ocultar chave"
            />
          )}
        </Field>
        <Field
          label="Nome da instância"
          isRequired
          error={errors.instanceName?.message}
          hint="Criada lá, se ainda não existir."
        >
          {(field) => (
            <Input {...field} {...register('instanceName')} autoComplete="off" spellCheck={false} />
          )}
        </Field>
      </div>
      {!test.data?.success && <TestResult result={test.data} error={test.error} />}
      {failure && !test.error && (
        <p role="alert" className="text-sm text-red-text">
          Falha ao salvar configuração da Evolution API: {failure.message}
        </p>
      )}
      <div>
        <Button type="submit" variant="primary" isBusy={isSubmitting} busyLabel="Testando...">
          Testar e continuar
        </Button>
      </div>
    </form>
  )
}

function keyHint(config: EvolutionConfig | undefined): string {
  if (!config) return 'AUTHENTICATION_API_KEY do servidor dela.'
  return config.isKeyMissing ? keyIsForeign : 'Guardada. Deixe vazio para não alterar.'
}
