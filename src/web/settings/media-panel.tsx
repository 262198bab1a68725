import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { Info, Lock } from 'lucide-react'
import { useForm } from 'react-hook-form'
import type { MediaSettings } from '#shared/settings/settings-endpoints.ts'
import { mediaSettingsForm } from '#shared/settings/settings.ts'
import { ApiError } from '#web/platform/api/api.ts'
import { dateTime } from '#web/platform/live/server-clock.ts'
import { useLeaveGuard } from '#web/platform/browser/leaving.ts'
import { Badge } from '#web/ui/badges/badge.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { DeniedState } from '#web/ui/states/denied-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { fieldLook } from '#web/ui/fields/field-look.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { SettingsSection } from '#web/ui/layout/settings-section.tsx'
import { cut } from '#web/ui/cut.ts'
import { toast } from '#web/ui/states/toast.ts'
import { useCan } from '#web/users/users.tsx'
import { InfoBox } from '#web/settings/fields/info-box.tsx'
import { LeaveDialog } from '#web/platform/browser/leave-dialog.tsx'
import { useSaveMediaSettings } from '#web/settings/form/mutations.ts'
import { settingsQueries } from '#web/settings/form/queries.ts'
import { SettingsSkeleton } from '#web/settings/form/settings-skeleton.tsx'
import { TextPreview } from '#web/settings/fields/text-preview.tsx'
import { resetToSaved, valuesSent } from '#web/ui/forms/reset-to-saved.ts'

/**
 * How files are stored: read-only, except for the text about a rejected file. @see specification §2 media
 * settings
 */
export function MediaPanel() {
  const settings = useQuery(settingsQueries.media())
  const canView = useCan('viewMediaSettings')
  if (!canView) return <DeniedState description="Você não tem permissão para ver estas configurações." />
  if (settings.isPending) return <SettingsSkeleton />
  if (!settings.data)
    return (
      <ErrorState
        description={settings.error.message}
        isRetrying={settings.isFetching}
        onRetry={() => void settings.refetch()}
      />
    )
  return <Panel settings={settings.data} />
}

const megabytes = (bytes: number) =>
  (bytes / 1_048_576).toLocaleString('pt-BR', { minimumFractionDigits: 1, maximumFractionDigits: 1 })

function Panel({ settings }: { settings: MediaSettings }) {
  const types = [
    ['Imagens', settings.allowedImageTypes],
    ['Vídeos', settings.allowedVideoTypes],
    ['Áudios', settings.allowedAudioTypes],
    ['Documentos', settings.allowedDocumentTypes],
  ] as const
  return (
    <>
      <SettingsSection title="Endereços e pastas" description="Definidos na instalação do sistema.">
        <div className="grid w-full gap-3.5 md:grid-cols-2">
          <Protected label="URL base de mídia" value={settings.baseMediaUrl} />
          <Protected label="URL do proxy da Evolution" value={settings.evolutionApiProxyUrl} />
          <Protected label="URL de arquivos locais" value={settings.localFilesUrl} />
          <Protected label="Tamanho máximo (MB)" value={megabytes(settings.maxFileSize)} isDisabled />
          <Protected label="Diretório de uploads" value={settings.uploadDirectory} />
          <Protected label="Diretório de cache" value={settings.cacheDirectory} />
        </div>
      </SettingsSection>
      <SettingsSection
        title="Tipos permitidos"
        description="O que aparece na própria conversa. Outros tipos são guardados como documentos."
      >
        <div className="grid w-full gap-3.5 md:grid-cols-2">
          {types.map(([label, list]) => (
            <Protected key={label} label={label} value={list.join(', ')} />
          ))}
        </div>
      </SettingsSection>
      <SettingsSection title="Mensagem de arquivo bloqueado" isLast>
        <BlockedFileForm stored={settings.blockedFileMessage} />
        <InfoBox icon={Info}>
          Configuração nº {settings.id} · limite de {megabytes(settings.maxFileSize)} MB · criada em{' '}
          {dateTime(settings.createdAt)} · atualizada em {dateTime(settings.updatedAt)}
        </InfoBox>
      </SettingsSection>
    </>
  )
}

function Protected({
  label,
  value = '',
  isDisabled = false,
}: {
  label: string
  value?: string | undefined
  isDisabled?: boolean
}) {
  return (
    <Field
      label={
        <span className="flex items-center gap-2">
          {label}
          <Badge icon={Lock}>Protegido</Badge>
        </span>
      }
    >
      {(control) => (
        <Input
          {...control}
          value={value}
          title={value}
          readOnly
          disabled={isDisabled}
          className="bg-sunken"
        />
      )}
    </Field>
  )
}

function BlockedFileForm({ stored }: { stored: string }) {
  const canEdit = useCan('editSettings')
  const save = useSaveMediaSettings()
  const form = useForm({
    resolver: zodResolver(mediaSettingsForm),
    values: { blockedFileMessage: stored },
    resetOptions: { keepDirtyValues: true },
  })
  const { errors, isDirty } = form.formState
  const leaving = useLeaveGuard(isDirty)
  const submit = form.handleSubmit(async ({ blockedFileMessage }) => {
    const sent = valuesSent(form)
    try {
      const saved = await save.mutateAsync(blockedFileMessage)
      resetToSaved(form, { blockedFileMessage: saved.blockedFileMessage }, sent)
      toast({ title: 'Configurações atualizadas' })
    } catch (error) {
      toast({
        tone: 'error',
        title: 'Erro ao salvar',
        description:
          error instanceof ApiError
            ? (error.userMessage ?? `Erro ${error.status}: ${cut(error.body)}`)
            : 'Não foi possível salvar a mensagem.',
      })
    }
  })
  return (
    <form noValidate onSubmit={submit} className="grid w-full justify-items-start gap-3">
      <div className="grid w-full gap-x-5 gap-y-2 lg:grid-cols-[minmax(0,1fr)_264px]">
        <Field
          label="Mensagem"
          className="content-start"
          hint="Vai quando o arquivo do cliente não é guardado, por ser perigoso. Vazio: ele não é avisado."
          error={errors.blockedFileMessage?.message}
        >
          {(control) => (
            <textarea
              {...control}
              {...form.register('blockedFileMessage')}
              rows={3}
              dir="auto"
              disabled={!canEdit}
              className={fieldLook('lines')}
            />
          )}
        </Field>
        <TextPreview text={form.watch('blockedFileMessage')} />
      </div>
      {canEdit && (
        <Button
          type="submit"
          variant="primary"
          disabled={!isDirty}
          isBusy={form.formState.isSubmitting}
          busyLabel="Salvando..."
        >
          Salvar Mensagem
        </Button>
      )}
      <LeaveDialog leaving={leaving} />
    </form>
  )
}
