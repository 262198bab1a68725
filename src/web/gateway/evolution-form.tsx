import { zodResolver } from '@hookform/resolvers/zod'
import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import {
  evolutionConfigCreate,
  evolutionConfigChange,
  type EvolutionConfig,
  type EvolutionConfigChange,
} from '#shared/gateway/gateway.ts'
import { ApiError } from '#web/platform/api/api.ts'
import { LeaveDialog } from '#web/platform/browser/leave-dialog.tsx'
import { useLeaveGuard } from '#web/platform/browser/leaving.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { resetToSaved, valuesSent } from '#web/ui/forms/reset-to-saved.ts'
import { SaveBar } from '#web/ui/forms/save-bar.tsx'
import { SettingsSection } from '#web/ui/layout/settings-section.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { DefaultSector } from './numbers/default-sector.tsx'
import { EvolutionFields } from './evolution-fields.tsx'
import { useSaveConfig, useTestConfig } from './queries.ts'
import { TestResult } from './test-result.tsx'

/** One that is new, or whose key cannot be read here, needs its key. */
const newOrForeign = z.extend(evolutionConfigChange, { apiKey: evolutionConfigCreate.shape.apiKey })

/** Without a stored connection all fields are required; otherwise a blank key keeps the stored one. */
export function EvolutionForm({
  config,
  isSeveral = false,
  baseUrl = '',
  onCreated,
  children,
}: {
  config: EvolutionConfig | undefined
  /** Another number is a click away, so what is not saved is asked about. */
  isSeveral?: boolean
  /** The address that a new one begins with. */
  baseUrl?: string
  /** Reports that it was created, or that a deleted one is back, instead of the usual words. */
  onCreated?: (config: EvolutionConfig, isBack: boolean) => void
  /** Content between the fields and the save bar. */
  children: ReactNode
}) {
  const hasKey = config !== undefined && !config.isKeyMissing
  const save = useSaveConfig(config?.id)
  const test = useTestConfig()
  const form = useForm({
    resolver: zodResolver(hasKey ? evolutionConfigChange : newOrForeign),
    defaultValues: valuesOf(config, baseUrl),
  })
  const leaving = useLeaveGuard(isSeveral && form.formState.isDirty)

  const submit = form.handleSubmit(async (values) => {
    const sent = valuesSent(form)
    try {
      const saved = await save.mutateAsync(values)
      if (onCreated) return onCreated(saved, saved.isBack === true)
      resetToSaved(form, valuesOf(saved), sent)
      toast({ title: 'Configuração salva', description: 'A conexão com a Evolution API foi atualizada.' })
    } catch (error) {
      if (error instanceof ApiError && error.fields['apiKey'])
        return form.setError('apiKey', { message: error.message }, { shouldFocus: true })
      if (error instanceof ApiError && error.code?.startsWith('sectors.'))
        form.setError('defaultSectorId', { message: error.message })
      const { message } = error as Error
      toast({ tone: 'error', title: `Falha ao salvar configuração da Evolution API: ${message}` })
    }
  })

  const runTest = () => {
    const { baseUrl: typedUrl, apiKey } = form.getValues()
    if (typedUrl.trim() && (apiKey.trim() || hasKey))
      return test.mutate({ baseUrl: typedUrl, apiKey, ...(config && { id: config.id }) })
    toast({
      tone: 'error',
      title: 'Dados incompletos',
      description: 'Preencha a URL base e a chave da API primeiro',
    })
  }

  return (
    <form noValidate onSubmit={submit} className="flex grow flex-col">
      <SettingsSection title="Conexão" description="O servidor da Evolution API e a instância do número.">
        <EvolutionFields
          form={form}
          keyHint={hasKey ? config.apiKeyHint : undefined}
          isKeyForeign={config?.isKeyMissing === true}
          // The result of a test is of what was in the fields then.
          onConnection={() => test.reset()}
        />
        {config && <DefaultSector form={form} numberId={config.id} />}
        <Button isBusy={test.isPending} busyLabel="Testando..." onClick={runTest}>
          Testar Conexão
        </Button>
        <TestResult result={test.data} error={test.error} />
      </SettingsSection>
      {children}
      <SaveBar
        changeCount={Object.keys(form.formState.dirtyFields).length}
        isBusy={form.formState.isSubmitting}
        onDiscard={() => {
          form.reset(valuesOf(config, baseUrl))
          // Its result is of what is no longer in the fields.
          test.reset()
        }}
      />
      <LeaveDialog leaving={leaving} />
    </form>
  )
}

function valuesOf(config: EvolutionConfig | undefined, baseUrl = ''): EvolutionConfigChange {
  return {
    instanceName: config?.instanceName ?? '',
    apiKey: '',
    baseUrl: config?.baseUrl ?? baseUrl,
    webhookUrl: config?.webhookUrl ?? '',
    isActive: config?.isActive ?? true,
    ...(config && { defaultSectorId: config.defaultSectorId }),
  }
}
