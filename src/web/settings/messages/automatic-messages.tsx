import { Info } from 'lucide-react'
import { inactivityMinutes } from '#shared/settings/inactivity.ts'
import { SettingsSection } from '#web/ui/layout/settings-section.tsx'
import { InfoBox } from '#web/settings/fields/info-box.tsx'
import { SettingsForm } from '#web/settings/form/settings-form.tsx'
import { TextSetting } from '#web/settings/fields/text-setting.tsx'

const sent = [
  'warningMessage',
  'operatorInitiatedWarningMessage',
  'transferMessage',
  'finalizationMessage',
  'inactivityMessage',
] as const
const inserted = ['greetingMessage', 'verificationMessage', 'farewellMessage', 'lgpdMessage'] as const

const words = {
  saved: 'Configurações de mensagens salvas com sucesso!',
  failed: (message: string) => `Falha ao salvar mensagens automáticas: ${message}`,
  save: 'Salvar Mensagens Automáticas',
}

/** The nine texts sent automatically. @see specification §2 Settings (basic) */
export function AutomaticMessages() {
  return (
    <SettingsForm keys={[...sent, ...inserted]} words={words}>
      <SettingsSection
        title="Mensagens automáticas"
        description="Enviadas pelo sistema ao cliente. Sem texto, nada é enviado."
      >
        {sent.map((name) => (
          <TextSetting key={name} name={name} />
        ))}
      </SettingsSection>
      <SettingsSection
        title="Respostas dos botões"
        description="O operador insere no chat, revê e envia."
        isLast
      >
        {inserted.map((name) => (
          <TextSetting key={name} name={name} rows={name === 'lgpdMessage' ? 8 : 3} />
        ))}
        <InfoBox icon={Info}>
          A mensagem de inatividade é enviada após {inactivityMinutes} minutos sem resposta. Saudação,
          Verificação e Despedida são botões de resposta rápida no chat.
        </InfoBox>
      </SettingsSection>
    </SettingsForm>
  )
}
