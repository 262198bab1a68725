import { AppError, type ErrorCode } from '#shared/errors.ts'
import {
  createEvolutionConfig,
  getEvolutionConfig,
  getEvolutionStatus,
  setupEvolutionWebhook,
  testEvolutionConfig,
  updateEvolutionConfig,
} from '#shared/gateway/gateway.ts'
import { gatewayTexts } from '#shared/text/text.ts'
import { record } from '#server/audit/audit.ts'
import { inTransaction, pgCode, type Tx } from '#server/platform/database/db.ts'
import { confirmRights } from '#server/platform/http/access.ts'
import type { Http } from '#server/platform/http/http.ts'
import { declarableHost } from '#server/platform/http/outgoing-http.ts'
import type { Instance } from '#server/gateway/evolution/client/request.ts'
import { cut, errorWords } from '#server/gateway/evolution/parse/values.ts'
import { toWire } from '#server/gateway/instances/numbers.ts'
import {
  type ConfigRow,
  findConfig,
  findMainConfig,
  insertConfig,
  lockConfig,
  noLinking,
  unknownRelease,
  releaseQuarantine,
  updateConfig,
} from '#server/gateway/instances/queries.ts'
import { checkConnection, hintOf, installWebhook, instanceOf } from '#server/gateway/instances/setup.ts'
import { defaultChanges, expectDefault, lockDefault } from './default-sector.ts'
import {
  auditedUrl,
  auditRefusals,
  changesOf,
  destinationsOf,
  ownWebhookUrl,
  refuseMovedWebhook,
  refuseStoredKey,
} from './destinations.ts'
import { linkRoutes } from './link-routes.ts'
import { numberRoutes } from './number-routes.ts'
import { setAsideRoutes } from './set-aside-routes.ts'
import { type GatewayRoutes, webhookRoute } from '#server/gateway/webhook/webhook-route.ts'

/** What to do about a failed test. */
const hints: Partial<Record<ErrorCode, string>> = {
  'gateway.key_refused': gatewayTexts.checkKey,
  'gateway.unreachable': gatewayTexts.checkAddress,
}

const notConfigured = () => new AppError('gateway.not_configured')

/** Keys from the gateway's own examples: an installation that uses one is open to everybody. */
const publishedKeys = new Set(['429683C4C977415CAAFCCE10F7D57E11', 'BQYHJGJHJ'])

export function routes(http: Http, context: GatewayRoutes): void {
  const { database, secrets, client } = context
  webhookRoute(http, context)
  linkRoutes(http, context)
  numberRoutes(http, context)
  setAsideRoutes(http, context)
  // The form is saved whether or not the gateway answers; its state is broadcast once it is known.
  const checkSoon = (saved: ConfigRow) =>
    void checkConnection(database, client, secrets, saved).catch((error: unknown) =>
      context.log.warn({ err: error }, 'gateway not looked at'),
    )

  http.route(getEvolutionConfig, async () => {
    const config = await findMainConfig(database)
    return config ? toWire(config) : null
  })

  const audited = auditRefusals(database)

  http.route(createEvolutionConfig, async ({ body, who }) => {
    const { apiKey, ...values } = { ...body, webhookUrl: body.webhookUrl || null }
    const details = destinationsOf(values)
    const made = await audited({ who, attempt: 'create', details }, async () => {
      refusePublishedKey(apiKey)
      return inTransaction(database, async (db) => {
        const sealed = { apiKeyEncrypted: secrets.encrypt(apiKey), apiKeyHint: hintOf(apiKey) }
        const config = await insertConfig(db, { ...values, ...sealed }).catch(refuseDuplicate)
        await releaseQuarantine(db, config)
        await record(db, who, { action: 'gateway.create', resourceId: config.id, details })
        return config
      })
    })
    checkSoon(made)
    return { ...toWire(made), isBack: made.isBack }
  })

  http.route(updateEvolutionConfig, async ({ params, body, who, request }) => {
    const { apiKey, defaultSectorId, ...values } = { ...body, webhookUrl: body.webhookUrl || null }
    const destinations = destinationsOf(values)
    const update = async (db: Tx) => {
      refusePublishedKey(apiKey)
      await lockDefault(db, defaultSectorId)
      const before = await lockConfig(db, params.id)
      await confirmRights(who, db)
      await expectDefault(db, before, defaultSectorId)
      if (before && apiKey === '') {
        refuseStoredKey(before, values.baseUrl)
        refuseMovedWebhook(before, values.webhookUrl, ownWebhookUrl(request, context.config))
      }
      const sealed = apiKey ? { apiKeyEncrypted: secrets.encrypt(apiKey), apiKeyHint: hintOf(apiKey) } : {}
      const config = await updateConfig(db, params.id, {
        ...values,
        ...sealed,
        ...(defaultSectorId !== undefined && { defaultSectorId }),
        ...(isElsewhere(before, values) && {
          ...noLinking,
          ...unknownRelease,
          closedReason: null,
          closedAt: null,
        }),
        failures: 0,
        breakerUntil: null,
      }).catch(refuseDuplicate)
      if (!before || !config) throw new AppError('gateway.not_found')
      await releaseQuarantine(db, config)
      const changes = { ...changesOf(before, config), ...(await defaultChanges(db, before, config)) }
      await record(db, who, {
        action: 'gateway.update',
        resourceId: params.id,
        details: { ...destinations, isKeyChanged: apiKey !== '', changes },
      })
      db.emit({ type: 'gateway_state' })
      if ('defaultSectorId' in changes) db.emit({ type: 'sectors_changed' })
      db.signal('outbox')
      db.signal('gateway')
      return config
    }
    const attempt = { who, attempt: 'update', details: destinations }
    const changed = await audited(attempt, () => inTransaction(database, update))
    checkSoon(changed)
    return toWire(changed)
  })

  http.route(testEvolutionConfig, async ({ body: { baseUrl, apiKey: given, id }, who }) => {
    const details = { baseUrl: auditedUrl(baseUrl) }
    const apiKey = await audited({ who, attempt: 'test', details }, async () => {
      const stored = await (id === undefined ? findMainConfig(database) : findConfig(database, id))
      if (stored && given === '') refuseStoredKey(stored, baseUrl)
      return given || (stored ? secrets.decrypt(stored.apiKeyEncrypted) : '')
    })
    const result = await probe(client, { baseUrl, apiKey, instanceName: '' })
    await record(database, who, {
      action: 'gateway.test',
      details: { ...details, success: result.success },
    })
    return result
  })

  http.route(setupEvolutionWebhook, async ({ request, who }) => {
    const config = await findMainConfig(database)
    if (!config) throw notConfigured()
    const url = config.webhookUrl ?? ownWebhookUrl(request, context.config)
    const details = { instanceName: config.instanceName, url: auditedUrl(url) }
    await audited({ who, attempt: 'webhook', details }, () =>
      installWebhook(database, client, secrets, config, url),
    )
    await record(database, who, { action: 'gateway.webhook', resourceId: config.id, details })
    return { success: true, message: gatewayTexts.webhookSet }
  })

  http.route(getEvolutionStatus, async ({ query: { id } }) => {
    const config = await (id === undefined ? findMainConfig(database) : findConfig(database, id))
    if (!config && id !== undefined) throw new AppError('gateway.not_found')
    if (!config) return { connected: false, instanceInfo: null, version: null }
    const instance = instanceOf(config, secrets)
    const state = await client.connectionState(instance)
    const known = await client.fetchInstances(instance).catch(() => [])
    const info = known.find((one) => one.name === config.instanceName)
    const { ownerJid = config.ownerJid, number = null, profileName = config.profileName } = info ?? {}
    return {
      connected: state === 'open',
      instanceInfo: { connectionStatus: state, ownerJid, number, profileName },
      version: await releaseShown(client, instance),
    }
  })
}

/** What is known of linking a number is not about another instance, or another gateway. */
const isElsewhere = (before: ConfigRow | undefined, after: Pick<ConfigRow, 'baseUrl' | 'instanceName'>) =>
  before?.baseUrl !== after.baseUrl || before.instanceName !== after.instanceName

/** Two rows for one instance would both send the same messages. */
function refuseDuplicate(error: unknown): never {
  throw pgCode(error) === '23505' ? new AppError('gateway.duplicate') : error
}

function refusePublishedKey(apiKey: string): void {
  if (publishedKeys.has(apiKey)) throw new AppError('gateway.weak_key')
}

/** Of what answers at an address that somebody typed in, no more than a gateway would say. */
const [mostNames, longestName] = [100, 100]

/** The gateway's release, if what it says looks like one. */
async function releaseShown(client: GatewayRoutes['client'], instance: Instance): Promise<string | null> {
  const release = await client.release(instance).catch(() => '')
  return /^\d+\.\d+\.\d+[\w.-]{0,20}$/.test(release) ? release : null
}

/** Asks a gateway for its instances. */
async function probe(client: GatewayRoutes['client'], instance: Instance) {
  const failed = (message: string, details: string, missingHost: string | null = null) => ({
    success: false,
    total: 0,
    instanceNames: [],
    message,
    details,
    version: null,
    missingHost,
  })
  try {
    const found = await client.fetchInstances(instance)
    const instanceNames = found.slice(0, mostNames).map((one) => cut(one.name, longestName))
    const version = await releaseShown(client, instance)
    const message = gatewayTexts.connected
    return {
      success: true,
      total: found.length,
      instanceNames,
      message,
      details: '',
      version,
      missingHost: null,
    }
  } catch (error) {
    if (error instanceof AppError && error.code === 'gateway.address_refused')
      return failed(error.message, '', declarableHost(instance.baseUrl))
    if (error instanceof AppError) return failed(error.message, hints[error.code] ?? '')
    return failed(gatewayTexts.silent, silenceText(errorWords(error)))
  }
}

const silences: Readonly<Record<string, string>> = {
  ENOTFOUND: gatewayTexts.unknownHost,
  EAI_AGAIN: gatewayTexts.noLookup,
  ECONNREFUSED: gatewayTexts.nobodyListens,
  EHOSTUNREACH: gatewayTexts.noRoute,
  ENETUNREACH: gatewayTexts.noRoute,
}

/** Why an address did not answer, in words where they are known. */
function silenceText(code: string): string {
  const text = /CERT|SSL|TLS/.test(code) ? gatewayTexts.badCertificate : gatewayTexts.noAnswer
  return silences[code] ?? text.replace('{code}', code)
}
