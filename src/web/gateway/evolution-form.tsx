import { zodResolver } from '@hookform/resolvers/zod'
import type { ReactNode } from 'react'
import { Controller, useForm } from 'react-hook-form'
import {
  evolutionConfigCreate,
  evolutionConfigForm,
  type EvolutionConfig,
  type EvolutionConfigForm,
} from '#shared/gateway.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { PasswordInput } from '#web/ui/password-input.tsx'
import { SaveBar } from '#web/ui/save-bar.tsx'
import { SettingsSection } from '#web/ui/settings-section.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { toast } from '#web/ui/toast.ts'
import { useSaveConfig, useTestConfig } from './queries.ts'
import { TestResult } from './test-result.tsx'

/** Without a stored connection all is asked for; with one a blank key keeps the stored one. */
export function EvolutionForm({
  config,
  children,
}: {
  config: EvolutionConfig | undefined
  /** What stands between the fields and the save bar. */
  children: ReactNode
}) {
  const save = useSaveConfig(config?.id)
  const test = useTestConfig()
  const form = useForm({
    resolver: zodResolver(config ? evolutionConfigForm : evolutionConfigCreate),
    defaultValues: valuesOf(config),
  })
  const { errors, dirtyFields } = form.formState

  const submit = form.handleSubmit(async (values) => {
    try {
      const saved = await save.mutateAsync(values)
      form.reset(valuesOf(saved))
      toast({ title: 'Configuração salva', description: 'A conexão com a Evolution API foi atualizada.' })
    } catch (error) {
      toast({
        tone: 'error',
        title: `Falha ao salvar configuração da Evolution API: ${(error as Error).message}`,
      })
    }
  })

  const runTest = () => {
    const { baseUrl, apiKey } = form.getValues()
    if (!baseUrl.trim() || (!apiKey.trim() && !config))
      return toast({
        tone: 'error',
        title: 'Dados incompletos',
        description: 'Preencha a URL base e a chave da API primeiro',
      })
    test.mutate({ baseUrl, apiKey })
  }

  return (
    <form noValidate onSubmit={submit}>
      <SettingsSection title="Conexão" description="O servidor da Evolution API e a instância do número.">
        <Field
          label="Nome da instância"
          error={errors.instanceName?.message}
          className="w-full max-w-[480px]"
        >
          {(control) => <Input {...control} {...form.register('instanceName')} autoComplete="off" />}
        </Field>
        <Field
          label="Chave da API"
          error={errors.apiKey?.message}
          hint={config && `Guardada, termina em ${config.apiKeyHint}. Deixe vazio para não alterar.`}
          className="w-full max-w-[480px]"
        >
          {(control) => (
            <PasswordInput
              {...control}
              {...form.register('apiKey')}
              autoComplete="off"
              placeholder={config ? `••••••••${config.apiKeyHint}` : ''}
              showLabel="Mostrar chave"
              hideLabel="Ocultar chave"
            />
          )}
        </Field>
        <Field label="URL base" error={errors.baseUrl?.message} className="w-full max-w-[480px]">
          {(control) => (
            <Input
              {...control}
              {...form.register('baseUrl')}
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
          className="w-full max-w-[480px]"
        >
          {(control) => (
            <Input {...control} {...form.register('webhookUrl')} inputMode="url" spellCheck={false} />
          )}
        </Field>
        <Controller
          control={form.control}
          name="isActive"
          render={({ field: { value, onChange, ref, ...field } }) => (
            <label className="flex items-center gap-2 text-sm font-medium">
              <Switch {...field} ref={ref} checked={value ?? true} onCheckedChange={onChange} />
              Conexão ativa
            </label>
          )}
        />
        <Button isBusy={test.isPending} busyLabel="Testando..." onClick={runTest}>
          Testar Conexão
        </Button>
        <TestResult result={test.data} error={test.error} />
      </SettingsSection>
      {children}
      <SaveBar
        changeCount={Object.keys(dirtyFields).length}
        isBusy={form.formState.isSubmitting}
        onDiscard={() => form.reset(valuesOf(config))}
      />
    </form>
  )
}

function valuesOf(config: EvolutionConfig | undefined): EvolutionConfigForm {
  return {
    instanceName: config?.instanceName ?? '',
    apiKey: '',
    baseUrl: config?.baseUrl ?? '',
    webhookUrl: config?.webhookUrl ?? '',
    isActive: config?.isActive ?? true,
  }
}
