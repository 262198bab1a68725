import { AppError, type ErrorCode } from '#shared/errors.ts'
import {
  createEvolutionConfig,
  type EvolutionConfig,
  getEvolutionConfig,
  getEvolutionStatus,
  setupEvolutionWebhook,
  testEvolutionConfig,
  updateEvolutionConfig,
} from '#shared/gateway.ts'
import { errorTexts, gatewayTexts } from '#shared/text/text.ts'
import { record } from '#server/audit/audit.ts'
import { inTransaction, pgCode } from '#server/platform/database/db.ts'
import type { Http } from '#server/platform/http/http.ts'
import type { Config } from '#server/platform/config.ts'
import type { FastifyRequest } from 'fastify'
import { errorCode } from '#server/gateway/evolution/parse/values.ts'
import {
  type ConfigRow,
  findMainConfig,
  insertConfig,
  lockConfig,
  releaseQuarantine,
  updateConfig,
} from '#server/gateway/instances/queries.ts'
import { checkConnection, hintOf, installWebhook } from '#server/gateway/instances/setup.ts'
import { type GatewayRoutes, webhookRoute } from '#server/gateway/webhook/webhook-route.ts'

/** What to do about a failed test. */
const hints: Partial<Record<ErrorCode, string>> = {
  'gateway.key_refused': gatewayTexts.checkKey,
  'gateway.unreachable': gatewayTexts.checkAddress,
}

const canManage = ['canManageEvolutionApi'] as const
const notConfigured = () => new AppError('gateway.not_configured')

/** Keys from the gateway's own examples: an installation that uses one is open to everybody. */
const publishedKeys = new Set(['429683C4C977415CAAFCCE10F7D57E11', 'BQYHJGJHJ'])

export function gatewayRoutes(http: Http, context: GatewayRoutes): void {
  const { database, secrets, client } = context
  webhookRoute(http, context)
  // The form is saved whether or not the gateway answers; its state is broadcast once it is known.
  const checkSoon = (saved: ConfigRow) =>
    void checkConnection(database, client, secrets, saved).catch((error: unknown) =>
      context.log.warn({ err: error }, 'gateway not looked at'),
    )

  http.route(getEvolutionConfig, canManage, async () => {
    const config = await findMainConfig(database)
    return config ? toWire(config) : null
  })

  http.route(createEvolutionConfig, canManage, async ({ body, who }) => {
    refusePublishedKey(body.apiKey)
    const { apiKey, ...values } = { ...body, webhookUrl: body.webhookUrl || null }
    const made = await inTransaction(database, async (db) => {
      const sealed = { apiKeyEncrypted: secrets.encrypt(apiKey), apiKeyHint: hintOf(apiKey) }
      const config = await insertConfig(db, { ...values, ...sealed }).catch(refuseDuplicate)
      await releaseQuarantine(db, config)
      await record(db, {
        userId: who.id,
        action: 'gateway.create',
        resourceType: 'gateway',
        resourceId: config.id,
      })
      return config
    })
    checkSoon(made)
    return toWire(made)
  })

  http.route(updateEvolutionConfig, canManage, async ({ params, body, who }) => {
    refusePublishedKey(body.apiKey)
    const { apiKey, ...values } = { ...body, webhookUrl: body.webhookUrl || null }
    const changed = await inTransaction(database, async (db) => {
      const before = await lockConfig(db, params.id)
      if (before && apiKey === '') refuseStoredKey(before, values.baseUrl)
      const sealed = apiKey ? { apiKeyEncrypted: secrets.encrypt(apiKey), apiKeyHint: hintOf(apiKey) } : {}
      const config = await updateConfig(db, params.id, {
        ...values,
        ...sealed,
        failures: 0,
        breakerUntil: null,
      }).catch(refuseDuplicate)
      if (!before || !config) throw new AppError('gateway.not_found')
      await releaseQuarantine(db, config)
      const details = {
        isKeyChanged: apiKey !== '',
        ...(before.baseUrl !== config.baseUrl && { from: before.baseUrl, to: config.baseUrl }),
      }
      await record(db, {
        userId: who.id,
        action: 'gateway.update',
        resourceType: 'gateway',
        resourceId: params.id,
        details,
      })
      db.emit({ type: 'gateway_state' })
      db.signal('outbox')
      db.signal('gateway')
      return config
    })
    checkSoon(changed)
    return toWire(changed)
  })

  http.route(testEvolutionConfig, canManage, async ({ body }) => {
    const stored = await findMainConfig(database)
    if (stored && body.apiKey === '') refuseStoredKey(stored, body.baseUrl)
    const apiKey = body.apiKey || (stored ? secrets.decrypt(stored.apiKeyEncrypted) : '')
    const failed = (message: string, details: string) => ({
      success: false,
      total: 0,
      instanceNames: [],
      message,
      details,
    })
    try {
      const found = await client.fetchInstances({ baseUrl: body.baseUrl, apiKey, instanceName: '' })
      const instanceNames = found.map((one) => one.name)
      return {
        success: true,
        total: found.length,
        instanceNames,
        message: gatewayTexts.connected,
        details: '',
      }
    } catch (error) {
      if (error instanceof AppError) return failed(error.message, hints[error.code] ?? '')
      return failed(gatewayTexts.silent, gatewayTexts.noAnswer.replace('{code}', errorCode(error)))
    }
  })

  http.route(setupEvolutionWebhook, canManage, async ({ request, who }) => {
    const config = await findMainConfig(database)
    if (!config) throw notConfigured()
    await installWebhook(
      database,
      client,
      secrets,
      config,
      config.webhookUrl ?? ownWebhookUrl(request, context.config),
    )
    await record(database, {
      userId: who.id,
      action: 'gateway.webhook',
      resourceType: 'gateway',
      resourceId: config.id,
    })
    return { success: true, message: gatewayTexts.webhookSet }
  })

  http.route(getEvolutionStatus, canManage, async () => {
    const config = await findMainConfig(database)
    if (!config) return { connected: false, instanceInfo: null }
    const instance = { ...config, apiKey: secrets.decrypt(config.apiKeyEncrypted) }
    const state = await client.connectionState(instance)
    const known = await client.fetchInstances(instance).catch(() => [])
    const info = known.find((one) => one.name === config.instanceName)
    const { ownerJid = config.ownerJid, number = null, profileName = config.profileName } = info ?? {}
    return {
      connected: state === 'open',
      instanceInfo: { connectionStatus: state, ownerJid, number, profileName },
    }
  })
}

/** Two rows for one instance would both send the same messages. */
function refuseDuplicate(error: unknown): never {
  throw pgCode(error) === '23505' ? new AppError('gateway.duplicate') : error
}

function refusePublishedKey(apiKey: string): void {
  if (publishedKeys.has(apiKey)) throw new AppError('gateway.weak_key')
}

/**
 * The stored key is only ever sent to the server for which it was given: otherwise whoever may edit the form
 * could have it sent to an address of his own.
 */
function refuseStoredKey(stored: Pick<ConfigRow, 'baseUrl'>, baseUrl: string): void {
  if (!URL.canParse(stored.baseUrl) || new URL(stored.baseUrl).origin !== new URL(baseUrl).origin)
    throw new AppError('gateway.key_needed', { fields: { apiKey: errorTexts['gateway.key_needed'] } })
}

/**
 * The URL at which the gateway reaches us: PUBLIC_URL, or the address that the administrator's browser uses.
 */
function ownWebhookUrl(request: FastifyRequest, config: Config): string {
  const base =
    config.publicUrl ?? `${request.protocol}://${request.headers.host ?? `127.0.0.1:${config.port}`}`
  return `${base}/api/webhook/evolution`
}

function toWire(config: ConfigRow): EvolutionConfig {
  const { id, instanceName, apiKeyHint, baseUrl, webhookUrl, isActive, status } = config
  const lastConnectedAt = config.lastConnectedAt?.toISOString() ?? null
  const webhookSetAt = config.webhookSetAt?.toISOString() ?? null
  return {
    id,
    instanceName,
    apiKeyHint,
    baseUrl,
    webhookUrl,
    isActive,
    status,
    lastConnectedAt,
    webhookSetAt,
  }
}
