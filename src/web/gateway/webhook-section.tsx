import { Copy } from 'lucide-react'
import type { EvolutionConfig } from '#shared/gateway/gateway.ts'
import { dateTime } from '#web/platform/live/server-clock.ts'
import { copyText } from '#web/ui/buttons/copy-text.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { SettingsSection } from '#web/ui/layout/settings-section.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { VerifyWebhook } from '#web/gateway/link/verify-webhook.tsx'

/** The webhook's URL, and the button that registers it at the gateway and waits for an event by it. */
export function WebhookSection({ config }: { config: EvolutionConfig | undefined }) {
  const address = config?.webhookUrl || `${location.origin}/api/webhook/evolution`
  return (
    <SettingsSection
      title="Webhook"
      description="O endereço em que a Evolution API nos entrega as mensagens."
    >
      <Field label="URL do webhook" hint={webhookNote(config)} className="w-full max-w-[480px]">
        {(control) => (
          <Input
            {...control}
            readOnly
            value={address}
            onFocus={(event) => event.target.select()}
            trailing={
              <IconButton
                size="sm"
                className="-mr-1.5"
                icon={Copy}
                label="Copiar URL do webhook"
                onClick={() => void copy(address)}
              />
            }
          />
        )}
      </Field>
      {config && <VerifyWebhook id={config.id} />}
    </SettingsSection>
  )
}

function webhookNote(config: EvolutionConfig | undefined): string {
  if (!config) return 'Salve a conexão para registrá-lo no gateway.'
  return config.webhookSetAt
    ? `Registrado no gateway em ${dateTime(config.webhookSetAt)}`
    : 'Ainda não registrado no gateway'
}

async function copy(text: string): Promise<void> {
  if (await copyText(text)) toast({ title: 'URL copiada' })
  else
    toast({
      tone: 'error',
      title: 'Não foi possível copiar',
      description: 'Selecione o endereço e copie com Ctrl+C.',
    })
}
