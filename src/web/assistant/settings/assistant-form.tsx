import { zodResolver } from '@hookform/resolvers/zod'
import { FormProvider, useForm } from 'react-hook-form'
import {
  assistantForm,
  type AssistantConfig,
  type AssistantForm as Form,
} from '#shared/assistant/assistant-config.ts'
import { ApiError } from '#web/platform/api/api.ts'
import { LeaveDialog } from '#web/platform/browser/leave-dialog.tsx'
import { useLeaveGuard } from '#web/platform/browser/leaving.ts'
import { resetToSaved, valuesSent } from '#web/ui/forms/reset-to-saved.ts'
import { SaveBar } from '#web/ui/forms/save-bar.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { AgentSection } from './agent-section.tsx'
import { useSaveConfig } from './config-queries.ts'
import { HelpSection } from './help-section.tsx'
import { TranscriptionSection } from './transcription-section.tsx'

export function AssistantForm({ config }: { config: AssistantConfig }) {
  const save = useSaveConfig()
  const form = useForm<Form>({
    resolver: zodResolver(assistantForm) as never,
    defaultValues: valuesOf(config),
  })
  const { isDirty, dirtyFields, isSubmitting } = form.formState
  const leaving = useLeaveGuard(isDirty)
  const submit = form.handleSubmit(async (values) => {
    const sent = valuesSent(form)
    try {
      resetToSaved(form, valuesOf(await save.mutateAsync(values)), sent)
      toast({ title: 'Configuração da IA salva' })
    } catch (error) {
      const fields = error instanceof ApiError ? Object.entries(error.fields) : []
      for (const [name, message] of fields) form.setError(name as keyof Form, { message })
      toast({ tone: 'error', title: 'Não foi salvo', description: (error as Error).message })
    }
  })
  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={submit} className="flex grow flex-col">
        <AgentSection config={config} />
        <HelpSection config={config} />
        <TranscriptionSection config={config} />
        <SaveBar
          changeCount={Object.keys(dirtyFields).length}
          isBusy={isSubmitting}
          onDiscard={() => form.reset(valuesOf(config))}
        />
      </form>
      <LeaveDialog leaving={leaving} />
    </FormProvider>
  )
}

function valuesOf(config: AssistantConfig): Form {
  const {
    apiTokenHint: _token,
    helpKeyHint: _key,
    transcriptionKeyHint: _transcription,
    transcribedMinutes: _minutes,
    isTranscriptionTold: _told,
    isAgentTold: _agent,
    isHelpTold: _help,
    updatedAt: _at,
    ...shown
  } = config
  return {
    ...shown,
    apiToken: '',
    helpKey: '',
    isHelpKeyRemoved: false,
    transcriptionKey: '',
    isTranscriptionKeyRemoved: false,
  }
}
