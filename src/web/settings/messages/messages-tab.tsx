import { useFormContext } from 'react-hook-form'
import type { SystemSettings } from '#shared/settings/settings.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { SettingsSection } from '#web/ui/layout/settings-section.tsx'
import { SwitchSetting } from '#web/settings/fields/controls.tsx'
import { SettingsForm } from '#web/settings/form/settings-form.tsx'
import { TextSetting } from '#web/settings/fields/text-setting.tsx'

const words = {
  saved: 'Configurações de mensagens salvas com sucesso!',
  failed: (message: string) => `Falha ao salvar configurações: ${message}`,
}

/** Texts beside the automatic ones, and their display. @see specification §2 Mensagens */
export function MessagesTab() {
  return (
    <SettingsForm
      keys={[
        'ratingsEnabled',
        'ratingMessage',
        'ratingAfterInactivity',
        'thanksStayClosed',
        'blockedFileNotice',
        'blockedFileMessage',
        'readReceiptsEnabled',
        'phoneAnswersCount',
        'undoSendSeconds',
        'undoFinalizeSeconds',
        'enableViewTrackingForAll',
        'enableSoundNotifications',
      ]}
      words={words}
    >
      <SettingsSection
        title="Avaliação"
        description="Depois da finalização o cliente responde com uma nota de 1 a 5, em até 24 horas."
      >
        <SwitchSetting name="ratingsEnabled" label="Pedir avaliação" />
        <TextSetting name="ratingMessage" />
        <SwitchSetting
          name="ratingAfterInactivity"
          label="Pedir também após inatividade"
          hint="Desligado, quem parou de responder não é perguntado."
        />
      </SettingsSection>
      <SettingsSection
        title="Arquivos"
        description="Programas e outros arquivos perigosos não são guardados. Todos os outros tipos são."
      >
        <SwitchSetting
          name="blockedFileNotice"
          label="Avisar o cliente"
          hint="Desligado, ou sem texto, só a equipe vê na conversa que o arquivo não foi guardado."
        />
        <TextSetting name="blockedFileMessage" />
      </SettingsSection>
      <SettingsSection title="Comportamento" description="Vale para toda a equipe." isLast>
        <SwitchSetting
          name="thanksStayClosed"
          label="Agradecimento não reabre"
          hint="Até uma hora depois do fim, só um “obrigado” fica na conversa finalizada, sem fila nem som."
        />
        <SwitchSetting
          name="readReceiptsEnabled"
          label="Confirmar leitura ao cliente"
          hint="O cliente vê os tiques azuis quando quem o atende abre a conversa."
        />
        <SwitchSetting
          name="phoneAnswersCount"
          label="Resposta pelo celular conta"
          hint="O que é escrito no celular da empresa deixa a conversa aguardando o cliente."
        />
        <UndoTime
          name="undoSendSeconds"
          label="Desfazer envio"
          hint="Por este tempo a mensagem espera, e quem a escreveu pode desfazê-la."
        />
        <UndoTime
          name="undoFinalizeSeconds"
          label="Desfazer finalização"
          hint="Por este tempo os textos ao cliente esperam, e quem finalizou pode voltar atrás."
        />
        <SwitchSetting
          name="enableViewTrackingForAll"
          label="Registrar visualizações de todos"
          hint="Desligado, só as visualizações de operadores são registradas."
        />
        <SwitchSetting
          name="enableSoundNotifications"
          label="Sons de notificação"
          hint="Desligado, nenhuma tela toca; ligado, cada pessoa escolhe."
        />
      </SettingsSection>
    </SettingsForm>
  )
}

const undoTimes = [
  { value: '0', label: 'Não esperar' },
  ...[3, 4, 5, 6, 7, 8, 9, 10, 12, 15].map((seconds) => ({
    value: String(seconds),
    label: `${seconds} segundos`,
  })),
]
/** A message may not wait longer. */
const mostToSend = 10

function UndoTime({
  name,
  label,
  hint,
}: {
  name: 'undoSendSeconds' | 'undoFinalizeSeconds'
  label: string
  hint: string
}) {
  const { watch, setValue } = useFormContext<SystemSettings>()
  return (
    <Field label={label} hint={hint} className="w-[320px] max-w-full">
      {(control) => (
        <Select
          {...control}
          value={String(watch(name))}
          onChange={(next) => setValue(name, Number(next))}
          options={undoTimes.filter(({ value }) => name !== 'undoSendSeconds' || Number(value) <= mostToSend)}
        />
      )}
    </Field>
  )
}
