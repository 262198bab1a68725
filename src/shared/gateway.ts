import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { id, idParam, instant } from './users.ts'

/** How the gateway's number stands: 'open' is connected. */
export const gatewayStates = [
  'open',
  'connecting',
  'close',
  'unreachable',
  'unauthorized',
  'disconnected',
] as const

/** A key with an accent or a line break in it is no key, and no gateway could be asked with it. */
const sentAsHeader = z
  .string()
  .trim()
  .max(500)
  .regex(/^[\x20-\x7e]*$/, 'A chave da API só tem letras sem acento, números e sinais')

export const evolutionConfigForm = z.object({
  instanceName: z.string().trim().min(1, 'Nome da instância é obrigatório').max(100),
  /** Write-only; blank when editing keeps the stored one. */
  apiKey: sentAsHeader,
  baseUrl: z
    .string()
    .trim()
    .max(500)
    .pipe(z.url({ protocol: /^https?$/, error: 'URL base deve ser uma URL válida' })),
  /** Blank: our own address, found by PUBLIC_URL or the address of the browser. */
  webhookUrl: z.string().trim().max(500).optional(),
  isActive: z.boolean().default(true),
})
export type EvolutionConfigForm = z.input<typeof evolutionConfigForm>

export const evolutionConfigCreate = evolutionConfigForm.extend({
  apiKey: sentAsHeader.min(1, 'Chave da API é obrigatória'),
})

export const evolutionConfig = z.object({
  id,
  instanceName: z.string(),
  /** The last four characters; the key itself never leaves the server. */
  apiKeyHint: z.string(),
  baseUrl: z.string(),
  webhookUrl: z.string().nullable(),
  isActive: z.boolean(),
  status: z.string(),
  lastConnectedAt: instant.nullable(),
  /** When our webhook was last accepted by the gateway. */
  webhookSetAt: instant.nullable(),
})
export type EvolutionConfig = z.infer<typeof evolutionConfig>

export const getEvolutionConfig = endpoint({
  method: 'GET',
  path: '/api/evolution-config',
  summary: 'Conexão com o gateway',
  reply: evolutionConfig.nullable(),
})

export const createEvolutionConfig = endpoint({
  method: 'POST',
  path: '/api/evolution-config',
  summary: 'Criar a conexão com o gateway',
  body: evolutionConfigCreate,
  reply: evolutionConfig,
  status: 201,
})

export const updateEvolutionConfig = endpoint({
  method: 'PUT',
  path: '/api/evolution-config/:id',
  summary: 'Alterar a conexão com o gateway',
  params: z.object({ id: idParam }),
  body: evolutionConfigForm,
  reply: evolutionConfig,
})

export const testEvolutionConfig = endpoint({
  method: 'POST',
  path: '/api/evolution-config/test',
  summary: 'Testar endereço e chave do gateway',
  body: z.object({ baseUrl: evolutionConfigForm.shape.baseUrl, apiKey: sentAsHeader }),
  reply: z.object({
    success: z.boolean(),
    total: z.number().int(),
    instanceNames: z.array(z.string()),
    message: z.string(),
    details: z.string(),
  }),
})

export const setupEvolutionWebhook = endpoint({
  method: 'POST',
  path: '/api/evolution-config/setup-webhook',
  summary: 'Registrar nosso webhook no gateway, com um segredo novo',
  reply: z.object({ success: z.boolean(), message: z.string() }),
})

const evolutionStatus = z.object({
  connected: z.boolean(),
  instanceInfo: z
    .object({
      connectionStatus: z.string(),
      ownerJid: z.string().nullable(),
      number: z.string().nullable(),
      profileName: z.string().nullable(),
    })
    .nullable(),
})
export const getEvolutionStatus = endpoint({
  method: 'GET',
  path: '/api/evolution-config/status',
  summary: 'Situação do número no gateway',
  reply: evolutionStatus,
})
