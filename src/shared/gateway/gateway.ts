import * as z from 'zod/mini'
import { tuning } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'
import { numberSettings, numberSettingsChange } from '#shared/settings/own-settings.ts'
import { id, idParam, instant } from '#shared/users/users.ts'

/** The connection states of the gateway's number: 'open' is connected. */
export const gatewayStates = [
  'open',
  'connecting',
  'close',
  'unreachable',
  'unauthorized',
  'unlicensed',
  'disconnected',
] as const
export type GatewayState = (typeof gatewayStates)[number]

/** Characters that an HTTP header can carry. */
const sentAsHeader = z
  .string()
  .check(
    z.trim(),
    z.maxLength(500),
    z.regex(/^[\x20-\x7e]*$/, 'A chave da API só tem letras sem acento, números e sinais'),
  )

export const evolutionConfigForm = z.object({
  instanceName: z
    .string()
    .check(z.trim(), z.minLength(1, 'Nome da instância é obrigatório'), z.maxLength(100)),
  /** Write-only; blank when editing keeps the stored one. */
  apiKey: sentAsHeader,
  baseUrl: z.pipe(
    z.string().check(z.trim(), z.maxLength(500)),
    z.url({ protocol: /^https?$/, error: 'URL base deve ser uma URL válida' }),
  ),
  /** If blank, the server's own address, from PUBLIC_URL or the browser's address. */
  webhookUrl: z.optional(
    z.pipe(
      z.string().check(z.trim(), z.maxLength(500)),
      z.union([
        z.literal(''),
        z.url({ protocol: /^https?$/, error: 'URL do webhook deve ser uma URL válida' }),
      ]),
    ),
  ),
  isActive: z._default(z.boolean(), true),
})

export const evolutionConfigCreate = z.extend(evolutionConfigForm, {
  apiKey: sentAsHeader.check(z.minLength(1, 'Chave da API é obrigatória')),
})

/** What of a stored number can be changed. */
export const evolutionConfigChange = z.extend(evolutionConfigForm, {
  /** The sector of conversations for which nothing else decides; null: none. Absent: as before. */
  defaultSectorId: z.optional(z.nullable(id)),
})
export type EvolutionConfigChange = z.input<typeof evolutionConfigChange>

export const evolutionConfig = z.object({
  id,
  instanceName: z.string(),
  /** The last four characters of a key of twelve or more, else ''; the key itself never leaves the server. */
  apiKeyHint: z.string(),
  /** It came with a backup of another installation and cannot be read here: it must be typed again. */
  isKeyMissing: z.optional(z.boolean()),
  baseUrl: z.string(),
  webhookUrl: z.nullable(z.string()),
  isActive: z.boolean(),
  status: z.string(),
  lastConnectedAt: z.nullable(instant),
  /** When our webhook was last accepted by the gateway. */
  webhookSetAt: z.nullable(instant),
  /** Where its new conversations go, unless something else decides; null: to no sector. */
  defaultSectorId: z.nullable(id),
})
export type EvolutionConfig = z.infer<typeof evolutionConfig>

export const getEvolutionConfig = endpoint({
  method: 'GET',
  path: '/api/evolution-config',
  summary: 'Conexão com o gateway',
  act: 'manageGateway',
  audit: tuning,
  reply: z.nullable(evolutionConfig),
})

export const createEvolutionConfig = endpoint({
  method: 'POST',
  path: '/api/evolution-config',
  summary: 'Criar a conexão com o gateway',
  act: 'manageGateway',
  audit: 'gateway.create',
  body: evolutionConfigCreate,
  isSensitive: true,
  reply: z.extend(evolutionConfig, {
    /** A number that was deleted, and is there again with its finalized conversations. */
    isBack: z.boolean(),
  }),
  status: 201,
})

export const updateEvolutionConfig = endpoint({
  method: 'PUT',
  path: '/api/evolution-config/:id',
  summary: 'Alterar a conexão com o gateway',
  act: 'manageGateway',
  audit: 'gateway.update',
  ids: { id: 'number' },
  params: z.object({ id: idParam }),
  body: evolutionConfigChange,
  isSensitive: true,
  reply: evolutionConfig,
})

export const testEvolutionConfig = endpoint({
  method: 'POST',
  path: '/api/evolution-config/test',
  summary: 'Testar endereço e chave do gateway',
  act: 'manageGateway',
  audit: 'gateway.test',
  body: z.object({
    baseUrl: evolutionConfigForm.shape.baseUrl,
    apiKey: sentAsHeader,
    /** The number whose stored key is meant by an empty one; absent: the main one. */
    id: z.optional(id),
  }),
  reply: z.object({
    success: z.boolean(),
    total: z.int(),
    instanceNames: z.array(z.string()),
    message: z.string(),
    details: z.string(),
    /** The release of the Evolution API, where it says so. */
    version: z.nullable(z.string()),
    /** What GATEWAY_ALLOWED_HOSTS must contain for this address, if it was refused: 'localhost:8080'. */
    missingHost: z.nullable(z.string()),
  }),
})

export const setupEvolutionWebhook = endpoint({
  method: 'POST',
  path: '/api/evolution-config/setup-webhook',
  summary: 'Registrar nosso webhook no gateway, com um segredo novo',
  act: 'manageGateway',
  audit: 'gateway.webhook',
  reply: z.object({ success: z.boolean(), message: z.string() }),
})

const evolutionStatus = z.object({
  connected: z.boolean(),
  instanceInfo: z.nullable(
    z.object({
      connectionStatus: z.string(),
      ownerJid: z.nullable(z.string()),
      number: z.nullable(z.string()),
      profileName: z.nullable(z.string()),
    }),
  ),
  /** The release of the Evolution API, where it says so. */
  version: z.nullable(z.string()),
})
export type EvolutionStatusNow = z.infer<typeof evolutionStatus>

export const getEvolutionStatus = endpoint({
  method: 'GET',
  path: '/api/evolution-config/status',
  summary: 'Situação do número no gateway',
  act: 'manageGateway',
  audit: tuning,
  /** Absent: the main number. */
  query: z.object({ id: z.optional(idParam) }),
  reply: evolutionStatus,
})

/** A number as whoever manages the gateway sees it, with the settings that are its own. */
const managedNumber = z.extend(evolutionConfig, {
  ownerJid: z.nullable(z.string()),
  profileName: z.nullable(z.string()),
  openConversations: z.int(),
  own: z.partial(numberSettings),
  /** Incremented with every change of what is its own. */
  ownVersion: z.int(),
})
export type ManagedNumber = z.infer<typeof managedNumber>

export const listManagedNumbers = endpoint({
  method: 'GET',
  path: '/api/evolution-config/numbers',
  summary: 'Os números da instalação, o principal primeiro, com o que é próprio de cada um',
  act: 'manageGateway',
  audit: tuning,
  reply: z.array(managedNumber),
})

export const saveNumberSettings = endpoint({
  method: 'PATCH',
  path: '/api/evolution-config/:id/settings',
  summary: 'Mudar o que é próprio de um número; null: vale de novo o da instalação',
  needs: ['canManageEvolutionApi', 'canEditSettings'],
  roles: ['admin'],
  audit: 'gateway.settings',
  ids: { id: 'number' },
  params: z.object({ id: idParam }),
  body: numberSettingsChange,
  reply: managedNumber,
})

export const deleteNumber = endpoint({
  method: 'DELETE',
  path: '/api/evolution-config/:id',
  summary: 'Excluir um número sem conversas abertas; as finalizadas ficam',
  act: 'manageGateway',
  audit: 'gateway.delete',
  ids: { id: 'number' },
  params: z.object({ id: idParam }),
  isSensitive: true,
})
