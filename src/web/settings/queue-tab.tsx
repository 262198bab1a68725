import { useFormContext } from 'react-hook-form'
import { inactivityMinutes } from '#shared/settings/inactivity.ts'
import type { SystemSettings } from '#shared/settings/settings.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { SettingsSection } from '#web/ui/layout/settings-section.tsx'
import { NumberSetting, SwitchSetting } from '#web/settings/fields/controls.tsx'
import { SettingsForm } from '#web/settings/form/settings-form.tsx'
import { TextSetting } from '#web/settings/fields/text-setting.tsx'

const words = {
  saved: 'Configurações da fila salvas com sucesso!',
  failed: (message: string) => `Falha ao salvar configurações: ${message}`,
}

/** Texts for waiting clients, distribution of conversations, and auto-close. @see specification §2 Fila */
export function QueueTab() {
  return (
    <SettingsForm
      keys={[
        'queueMessage',
        'queuePositionUpdateMessage',
        'queueWelcomeMessage',
        'maxActivePerOperator',
        'pauseReturnMinutes',
        'autoDistributionEnabled',
        'inactivityAppliesTo',
        'inactivityCountsOpenHoursOnly',
        'inactivityWarningMinutes',
        'inactivityWarningMessage',
      ]}
      words={words}
    >
      <SettingsSection
        title="Mensagens da fila"
        description={
          '{{position}} é o lugar do cliente na fila; {position} significa o mesmo. ' +
          'Sem texto, nada é enviado.'
        }
      >
        <TextSetting name="queueMessage" />
        <TextSetting name="queuePositionUpdateMessage" />
        <TextSetting name="queueWelcomeMessage" />
      </SettingsSection>
      <SettingsSection
        title="Distribuição"
        description={
          'Um operador está livre quando está presente e tem menos conversas aguardando por ele ' +
          'do que o limite.'
        }
      >
        <NumberSetting
          name="maxActivePerOperator"
          label="Limite por operador"
          hint="Conversas que aguardam o operador."
          unit="conversas"
          min={1}
          max={1000}
        />
        <SwitchSetting
          name="autoDistributionEnabled"
          label="Distribuir automaticamente"
          hint="Quem espera há mais tempo vai para o operador livre com menos conversas."
        />
        <NumberSetting
          name="pauseReturnMinutes"
          label="Voltar à fila durante a pausa"
          hint="O cliente de quem está em pausa, sem resposta por este tempo. 0: nunca."
          unit="minutos"
          min={0}
          max={600}
        />
      </SettingsSection>
      <SettingsSection
        title="Inatividade"
        description={
          `Após ${inactivityMinutes} minutos sem mensagens a conversa é encerrada com a mensagem de ` +
          'inatividade. Durante uma falha do WhatsApp ninguém é encerrado.'
        }
        isLast
      >
        <AppliesTo />
        <SwitchSetting
          name="inactivityCountsOpenHoursOnly"
          label="Contar só no expediente"
          hint="Fora do horário de atendimento o tempo não passa."
        />
        <NumberSetting
          name="inactivityWarningMinutes"
          label="Avisar antes de encerrar"
          hint="0: sem aviso."
          unit="minutos antes"
          min={0}
          max={inactivityMinutes - 1}
        />
        <TextSetting name="inactivityWarningMessage" />
      </SettingsSection>
    </SettingsForm>
  )
}

function AppliesTo() {
  const { watch, setValue } = useFormContext<SystemSettings>()
  return (
    <Field label="Encerrar por inatividade" className="w-[320px] max-w-full">
      {(control) => (
        <Select
          {...control}
          value={watch('inactivityAppliesTo')}
          onChange={(next) => setValue('inactivityAppliesTo', next as SystemSettings['inactivityAppliesTo'])}
          options={[
            { value: 'client', label: 'Quando o cliente não responde' },
            { value: 'all', label: 'Também quando nós não respondemos' },
          ]}
        />
      )}
    </Field>
  )
}
