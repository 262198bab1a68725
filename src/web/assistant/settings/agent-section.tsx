import { Info } from 'lucide-react'
import { useState } from 'react'
import { useFormContext } from 'react-hook-form'
import {
  askedPersonMark,
  type AssistantConfig,
  type AssistantForm,
} from '#shared/assistant/assistant-config.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { SettingsSection } from '#web/ui/layout/settings-section.tsx'
import { useTest } from './config-queries.ts'
import { KeyField, NumberField, SwitchField, TextField } from './form-fields.tsx'
import { Note } from './note.tsx'
import { TestOutcome } from './test-outcome.tsx'

/** The agent that answers clients who wait. */
export function AgentSection({ config }: { config: AssistantConfig }) {
  return (
    <SettingsSection
      title="Agente na fila"
      description={
        'Responde quem está esperando, até uma pessoa escrever. Cada mensagem dele aparece para a equipe ' +
        'marcada como IA.'
      }
    >
      <SwitchField
        name="isActive"
        label="Agente ativo"
        hint="Desligado, nada é enviado ao serviço do agente."
      />
      <SwitchField
        name="autoResponse"
        label="Responder automaticamente"
        hint="Só na fila, só em conversas iniciadas pelo contato, e só ao que chegar a partir de agora."
      />
      <div className="grid w-full max-w-[560px] items-start gap-3.5 md:grid-cols-2">
        <TextField name="agentName" label="Agente" hint="O nome que a equipe vê." />
        <TextField name="agentId" label="ID do agente" />
      </div>
      <div className="grid w-full max-w-[560px] gap-3.5">
        <KeyField name="apiToken" label="Token da API" stored={config.apiTokenHint} />
      </div>
      <div className="grid w-full max-w-[560px] items-start gap-3.5 md:grid-cols-2">
        <NumberField name="autoResponseDelay" label="Espera antes de responder" unit="ms" />
        <NumberField name="maxRetries" label="Tentativas" unit="vezes" />
      </div>
      <SwitchField
        name="fallbackToHuman"
        label="Passar para uma pessoa quando falhar"
        hint="Depois da última tentativa o cliente segue na fila, sem aviso a ele; a equipe vê o motivo."
      />
      <Note icon={Info}>
        Para o agente pedir uma pessoa, instrua-o a escrever {askedPersonMark} na resposta. A marca não chega
        ao cliente, que segue na fila.
      </Note>
      <AgentTest />
    </SettingsSection>
  )
}

function AgentTest() {
  const { getValues, setError } = useFormContext<AssistantForm>()
  const [question, setQuestion] = useState('')
  const test = useTest()
  const run = () => {
    const { agentId, apiToken } = getValues()
    if (agentId.trim() === '')
      return setError('agentId', { message: 'Informe o ID do agente' }, { shouldFocus: true })
    return test.mutate({ what: 'agent', agentId, apiToken, question })
  }
  return (
    <div className="grid w-full max-w-[560px] gap-3 rounded-card border border-line p-3">
      <Field
        label="Testar o agente"
        hint="Nada sai para o WhatsApp. Sem pergunta, só confere se o agente existe."
      >
        {(field) => (
          <Input
            {...field}
            value={question}
            maxLength={1000}
            placeholder="Vocês entregam em Campinas?"
            onChange={(event) => setQuestion(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              // It is no field of the form.
              event.preventDefault()
              run()
            }}
          />
        )}
      </Field>
      <Button className="justify-self-start" isBusy={test.isPending} busyLabel="Testando..." onClick={run}>
        Testar agente
      </Button>
      <TestOutcome result={test.data} error={test.error} />
    </div>
  )
}
