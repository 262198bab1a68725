import * as z from 'zod/mini'
import { tuning } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'
import { settingText } from '#shared/settings/schedule.ts'
import { instant } from '#shared/users/users.ts'

/** Why the agent answers no more in a conversation: it asked for a person, or it failed too often. */
export const assistantEnds = ['asked_person', 'failed'] as const

/** By this mark in its answer the agent asks for a person. Clients do not see it. */
export const askedPersonMark = '[HUMANO]'

/** What a header can carry. */
const key = z
  .string()
  .check(
    z.trim(),
    z.maxLength(1000),
    z.regex(/^[\x21-\x7e]*$/, 'A chave só tem letras sem acento, números e sinais'),
  )
const word = (longest: number) => settingText(longest).check(z.trim())

const agentId = z
  .string()
  .check(
    z.trim(),
    z.maxLength(100),
    z.regex(/^[\w-]*$/, 'O ID do agente só tem letras, números, hífen e sublinhado'),
  )
const serverUrl = z.pipe(
  z.string().check(z.trim(), z.maxLength(500)),
  z.union([
    z.literal(''),
    z
      .url({ protocol: /^https?$/, error: 'O endereço deve começar com http:// ou https://' })
      // A path is added to it, and it is shown: a key in it would be no secret.
      .check(z.regex(/^[^@?#]*$/, 'O endereço não pode ter usuário, senha, ? nem #')),
  ]),
)

export const assistantForm = z.object({
  agentId,
  agentName: word(100),
  /** Write-only; blank keeps the stored one. */
  apiToken: key,
  isActive: z.boolean(),
  autoResponse: z.boolean(),
  /** Milliseconds. */
  autoResponseDelay: z.int().check(z.minimum(0, 'No mínimo 0'), z.maximum(60_000, 'No máximo 60000')),
  fallbackToHuman: z.boolean(),
  maxRetries: z.int().check(z.minimum(1, 'No mínimo 1'), z.maximum(10, 'No máximo 10')),
  helpBaseUrl: serverUrl,
  helpModel: word(200),
  /** Write-only; blank keeps the stored one. */
  helpKey: key,
  /** Forgets the stored key: a server of one's own may need none. */
  isHelpKeyRemoved: z._default(z.boolean(), false),
  canSummarize: z.boolean(),
  canSuggest: z.boolean(),
  transcriptionBaseUrl: serverUrl,
  transcriptionModel: word(200),
  /** Write-only; blank keeps the stored one. */
  transcriptionKey: key,
  isTranscriptionKeyRemoved: z._default(z.boolean(), false),
  canTranscribe: z.boolean(),
  transcribesAll: z.boolean(),
  /** Minutes. */
  transcriptionMaxMinutes: z.int().check(z.minimum(1, 'No mínimo 1'), z.maximum(60, 'No máximo 60')),
  transcriptionDayMinutes: z.int().check(z.minimum(1, 'No mínimo 1'), z.maximum(10_000, 'No máximo 10000')),
})
export type AssistantForm = z.input<typeof assistantForm>

const assistantConfig = z.object({
  ...z.omit(assistantForm, {
    apiToken: true,
    helpKey: true,
    isHelpKeyRemoved: true,
    transcriptionKey: true,
    isTranscriptionKeyRemoved: true,
  }).shape,
  /** The last four characters of a key of twelve or more, else ''. null: none is stored. */
  apiTokenHint: z.nullable(z.string()),
  helpKeyHint: z.nullable(z.string()),
  transcriptionKeyHint: z.nullable(z.string()),
  /** Of the minutes of today. */
  transcribedMinutes: z.int(),
  /** Whether the text that clients get on their data tells of each. */
  isAgentTold: z.boolean(),
  isHelpTold: z.boolean(),
  isTranscriptionTold: z.boolean(),
  updatedAt: z.nullable(instant),
})
export type AssistantConfig = z.infer<typeof assistantConfig>

export const getAssistantConfig = endpoint({
  method: 'GET',
  path: '/api/gpt-maker-config',
  summary: 'O agente que responde na fila, e os servidores que ajudam a equipe',
  act: 'manageAssistant',
  audit: tuning,
  reply: assistantConfig,
})

export const saveAssistantConfig = endpoint({
  method: 'PUT',
  path: '/api/gpt-maker-config',
  summary: 'Mudar o agente e os servidores de ajuda; o texto da LGPD acompanha o que se liga',
  act: 'manageAssistant',
  audit: 'assistant.update',
  body: assistantForm,
  isSensitive: true,
  reply: assistantConfig,
})

/** A test of what the form has, stored or not. Nothing is sent to a client. */
export const testAssistant = endpoint({
  method: 'POST',
  path: '/api/gpt-maker-config/test',
  summary: 'Testar o agente, o servidor de ajuda ou o de transcrição; nada sai para o WhatsApp',
  act: 'manageAssistant',
  audit: 'assistant.test',
  body: z.discriminatedUnion('what', [
    z.object({
      what: z.literal('agent'),
      agentId: agentId.check(z.minLength(1, 'Informe o ID do agente')),
      /** Blank: the stored one. */
      apiToken: key,
      /** Asked of the agent; blank: only whether it is there. */
      question: word(1000),
    }),
    z.object({
      what: z.literal('help'),
      helpBaseUrl: serverUrl.check(z.minLength(1, 'Informe o endereço do servidor')),
      helpModel: word(200).check(z.minLength(1, 'Informe o modelo')),
      helpKey: key,
    }),
    z.object({
      what: z.literal('transcription'),
      transcriptionBaseUrl: serverUrl.check(z.minLength(1, 'Informe o endereço do servidor')),
      transcriptionModel: word(200).check(z.minLength(1, 'Informe o modelo')),
      transcriptionKey: key,
    }),
  ]),
  reply: z.object({
    success: z.boolean(),
    /** What to tell the administrator. */
    message: z.string(),
    /** What the agent answered, or what words the server heard. */
    answer: z.string(),
    tookMs: z.int(),
  }),
})
