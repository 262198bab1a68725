import { Shield } from 'lucide-react'
import { useFormContext } from 'react-hook-form'
import type { AssistantConfig, AssistantForm } from '#shared/assistant/assistant-config.ts'
import { agentSentence, helpSentence } from '#shared/text/assistant-texts.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { SettingsSection } from '#web/ui/layout/settings-section.tsx'
import { useTest } from './config-queries.ts'
import { KeyField, SwitchField, TextField } from './form-fields.tsx'
import { Note } from './note.tsx'
import { TestOutcome } from './test-outcome.tsx'

/** Two texts that a person asks for and reads before anything is done with them. */
export function HelpSection({ config }: { config: AssistantConfig }) {
  const { getValues, setError } = useFormContext<AssistantForm>()
  const test = useTest()
  const run = () => {
    const { helpBaseUrl, helpModel, helpKey } = getValues()
    if (helpBaseUrl.trim() === '')
      return setError('helpBaseUrl', { message: 'Informe o endereço do servidor' }, { shouldFocus: true })
    if (helpModel.trim() === '')
      return setError('helpModel', { message: 'Informe o modelo' }, { shouldFocus: true })
    return test.mutate({ what: 'help', helpBaseUrl, helpModel, helpKey })
  }
  return (
    <SettingsSection
      title="Ajuda para quem atende"
      description={
        'Dois botões no chat, desligados por padrão. Nada é enviado sem alguém ler e apertar Enviar.'
      }
    >
      <SwitchField
        name="canSummarize"
        label="Resumir"
        hint="A conversa em cinco linhas; também ao transferir."
      />
      <SwitchField
        name="canSuggest"
        label="Sugerir resposta"
        hint="Um rascunho que o operador edita antes de enviar."
      />
      <div className="grid w-full max-w-[560px] gap-3.5">
        <TextField
          name="helpBaseUrl"
          label="Endereço do servidor"
          inputMode="url"
          placeholder="https://api.exemplo.com/v1"
          hint={
            'Qualquer servidor com a API de chat da OpenAI. Um da rede interna precisa estar em ' +
            'GATEWAY_ALLOWED_HOSTS.'
          }
        />
      </div>
      <div className="grid w-full max-w-[560px] items-start gap-3.5 md:grid-cols-2">
        <TextField name="helpModel" label="Modelo" />
        <KeyField
          name="helpKey"
          label="Chave do servidor"
          stored={config.helpKeyHint}
          none="Um servidor próprio pode não precisar."
        />
      </div>
      {config.helpKeyHint !== null && (
        <SwitchField name="isHelpKeyRemoved" label="Esquecer a chave guardada" hint="Vale ao salvar." />
      )}
      <Button isBusy={test.isPending} busyLabel="Testando..." onClick={run}>
        Testar servidor
      </Button>
      <TestOutcome result={test.data} error={test.error} />
      <ClientNotice config={config} />
    </SettingsSection>
  )
}

/** What clients are informed of, and whether they are. */
function ClientNotice({ config }: { config: AssistantConfig }) {
  const isAgentOn = config.isActive && config.autoResponse
  const isHelpOn = config.canSummarize || config.canSuggest
  const isMissing = (isAgentOn && !config.isAgentTold) || (isHelpOn && !config.isHelpTold)
  return (
    <Note icon={Shield} isWarning={isMissing}>
      {isMissing ? (
        <p>
          O texto LGPD das Mensagens foi mudado ou está vazio e não conta mais que a IA é usada. Acrescente
          lá:
        </p>
      ) : (
        <p>
          O texto da conversa vai para esses servidores. Ao ligar, o texto LGPD enviado aos clientes passa a
          dizer:
        </p>
      )}
      <p className="mt-1.5">“{agentSentence}” (agente)</p>
      <p className="mt-1.5">“{helpSentence}” (ajuda)</p>
    </Note>
  )
}
