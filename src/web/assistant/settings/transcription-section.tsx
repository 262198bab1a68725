import { Shield } from 'lucide-react'
import { useFormContext, useWatch } from 'react-hook-form'
import type { AssistantConfig, AssistantForm } from '#shared/assistant/assistant-config.ts'
import { transcriptionSentence } from '#shared/text/assistant-texts.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { SettingsSection } from '#web/ui/layout/settings-section.tsx'
import { useTest } from './config-queries.ts'
import { KeyField, NumberField, SwitchField, TextField } from './form-fields.tsx'
import { Note } from './note.tsx'
import { TestOutcome } from './test-outcome.tsx'

/** Voices in words, by a server that is asked for each. */
export function TranscriptionSection({ config }: { config: AssistantConfig }) {
  const { getValues, setError } = useFormContext<AssistantForm>()
  const isOn = useWatch<AssistantForm, 'canTranscribe'>({ name: 'canTranscribe' })
  const test = useTest()
  const run = () => {
    const { transcriptionBaseUrl, transcriptionModel, transcriptionKey } = getValues()
    if (transcriptionBaseUrl.trim() === '')
      return setError(
        'transcriptionBaseUrl',
        { message: 'Informe o endereço do servidor' },
        { shouldFocus: true },
      )
    if (transcriptionModel.trim() === '')
      return setError('transcriptionModel', { message: 'Informe o modelo' }, { shouldFocus: true })
    return test.mutate({ what: 'transcription', transcriptionBaseUrl, transcriptionModel, transcriptionKey })
  }
  return (
    <SettingsSection
      title="Transcrição"
      description={
        'Os áudios em texto, abaixo de cada um: para ler, copiar e encontrar na busca. Desligada por padrão.'
      }
      isLast
    >
      <SwitchField
        name="canTranscribe"
        label="Transcrever áudios"
        hint="Um botão em cada áudio, recebido ou enviado, para quem pode ler a conversa."
      />
      <SwitchField
        name="transcribesAll"
        label="Transcrever todos os áudios recebidos"
        hint={
          isOn
            ? 'Sem ninguém pedir: as mensagens de voz dos clientes que chegarem a partir de agora.'
            : 'Só vale com “Transcrever áudios” ligado.'
        }
      />
      <div className="grid w-full max-w-[560px] gap-3.5">
        <TextField
          name="transcriptionBaseUrl"
          label="Endereço do servidor de transcrição"
          inputMode="url"
          placeholder="https://api.exemplo.com/v1"
          hint={
            'Qualquer servidor com a API de transcrição da OpenAI, também um próprio. Um da rede interna ' +
            'precisa estar em GATEWAY_ALLOWED_HOSTS.'
          }
        />
      </div>
      <div className="grid w-full max-w-[560px] items-start gap-3.5 md:grid-cols-2">
        <TextField name="transcriptionModel" label="Modelo de transcrição" placeholder="whisper-1" />
        <KeyField
          name="transcriptionKey"
          label="Chave da transcrição"
          stored={config.transcriptionKeyHint}
          none="Um servidor próprio pode não precisar."
        />
      </div>
      {config.transcriptionKeyHint !== null && (
        <SwitchField
          name="isTranscriptionKeyRemoved"
          label="Esquecer a chave da transcrição"
          hint="Vale ao salvar."
        />
      )}
      <div className="grid w-full max-w-[560px] items-start gap-3.5 md:grid-cols-2">
        <NumberField name="transcriptionMaxMinutes" label="Duração máxima" unit="min por áudio" />
        <NumberField name="transcriptionDayMinutes" label="Limite diário" unit="min por dia" />
      </div>
      <p className="text-xs text-ink-3">{usedToday(config)}</p>
      <Button isBusy={test.isPending} busyLabel="Testando..." onClick={run}>
        Testar transcrição
      </Button>
      <TestOutcome result={test.data} error={test.error} />
      <TranscriptionNotice config={config} />
    </SettingsSection>
  )
}

function usedToday({ transcribedMinutes, transcriptionDayMinutes }: AssistantConfig): string {
  if (transcribedMinutes === 0) return 'Hoje nenhum áudio foi enviado.'
  return `Hoje: ${transcribedMinutes} de ${transcriptionDayMinutes} min de áudio enviados.`
}

/** What clients are told of it, and whether they are. */
function TranscriptionNotice({ config }: { config: AssistantConfig }) {
  const isMissing = config.canTranscribe && !config.isTranscriptionTold
  return (
    <Note icon={Shield} isWarning={isMissing}>
      {isMissing ? (
        <p>
          O texto LGPD das Mensagens foi mudado ou está vazio e não conta que os áudios são transcritos.
          Acrescente lá:
        </p>
      ) : (
        <p>
          O áudio vai para esse servidor, sem nome nem número. Ao ligar, o texto LGPD enviado aos clientes
          passa a dizer:
        </p>
      )}
      <p className="mt-1.5">“{transcriptionSentence}”</p>
    </Note>
  )
}
