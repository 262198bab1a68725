import { AppError } from '#shared/errors.ts'
import { appNow } from '#server/platform/clock.ts'
import { type Database, type Db, inTransaction, type Tx } from '#server/platform/database/db.ts'
import { randomToken, type Secrets } from '#server/platform/secrets.ts'
import type { EvolutionClient } from '#server/gateway/evolution/client/evolution-client.ts'
import type { Instance } from '#server/gateway/evolution/client/request.ts'
import { errorWords } from '#server/gateway/evolution/parse/values.ts'
import {
  type ConfigRow,
  findConfig,
  findConfigByName,
  insertConfig,
  lockConfig,
  releaseQuarantine,
  type SeenConnection,
  setConnection,
  updateConfig,
} from './queries.ts'

/** The number with its key in clear text. */
export function instanceOf(config: ConfigRow, secrets: Secrets): Instance {
  const { baseUrl, instanceName } = config
  return { baseUrl, instanceName, apiKey: secrets.decrypt(config.apiKeyEncrypted) }
}

/**
 * Registers our webhook at the gateway with a new secret. The previous secret stays valid, so that requests
 * in progress during the change are not refused. A failure half-way leaves the new secret pending, and the
 * next attempt registers the same one again: whichever secret the gateway has, it is never locked out.
 * @throws AppError as the gateway client
 */
export async function installWebhook(
  database: Database,
  client: EvolutionClient,
  secrets: Secrets,
  config: ConfigRow,
  url: string,
): Promise<void> {
  const instance = instanceOf(config, secrets)
  await withNewSecret(database, secrets, config, async (secret) => {
    const known = await client.fetchInstances(instance).catch(throwUnreachable)
    await client.setWebhook(instance, { url, secret }).catch(throwUnreachable)
    return { token: known.find((one) => one.name === config.instanceName)?.token }
  })
}

/**
 * Gives the gateway a new secret of our webhook by `register`, as `installWebhook` says.
 * @param register returns the instance's own key, if it is known; undefined when it has registered nothing
 */
export async function withNewSecret<Registered extends { token?: string | null | undefined }>(
  database: Database,
  secrets: Secrets,
  config: ConfigRow,
  register: (secret: string) => Promise<Registered | undefined>,
): Promise<Registered | undefined> {
  const { id } = config
  // Store the secret before registering it, so that a webhook that arrives at once is accepted. Others who
  // register at this moment register the same one, whose answer may come before ours.
  const pending = await inTransaction(database, async (db) => {
    const stored = (await lockConfig(db, id))?.webhookSecretPendingEncrypted
    const secret = stored ?? secrets.encrypt(randomToken())
    if (!stored) await updateConfig(db, id, { webhookSecretPendingEncrypted: secret })
    db.signal('gateway')
    return secret
  })
  const registered = await register(secrets.decrypt(pending))
  if (!registered) return undefined
  const { token } = registered
  const webhookSetAt = await appNow(database)
  await inTransaction(database, async (db) => {
    const now = await lockConfig(db, id)
    await updateConfig(db, id, {
      // Neither that of before nor one that somebody has begun to register since is forgotten.
      ...(now?.webhookSecretEncrypted !== pending && {
        webhookSecretEncrypted: pending,
        webhookSecretBeforeEncrypted: now?.webhookSecretEncrypted,
      }),
      ...(now?.webhookSecretPendingEncrypted === pending && { webhookSecretPendingEncrypted: null }),
      webhookSetAt,
      ...(token && { instanceTokenEncrypted: secrets.encrypt(token) }),
    })
    db.signal('gateway')
  })
  return registered
}

/**
 * Marks a failed connection as the gateway's: otherwise ECONNREFUSED would be taken for an unreachable
 * database.
 */
export function throwUnreachable(error: unknown): never {
  if (error instanceof AppError) throw error
  throw new AppError('gateway.unreachable', { values: { reason: errorWords(error) } })
}

/**
 * Asks the gateway for the connection state of a number, and records it as `noteConnection` does, unless a
 * webhook came while the question was under way.
 * @returns whether the number is connected, by the later knowledge
 */
export async function checkConnection(
  database: Database,
  client: Pick<EvolutionClient, 'connectionState'> & Partial<Pick<EvolutionClient, 'fetchInstances'>>,
  secrets: Secrets,
  config: ConfigRow,
): Promise<boolean> {
  const askedAt = await appNow(database)
  const instance = instanceOf(config, secrets)
  const status = await client.connectionState(instance)
  // No webhook has reported the end of the session, which the gateway's table gives a reason for.
  const isNews = status === 'close' && config.status !== 'close'
  const known = isNews ? await client.fetchInstances?.(instance).catch(() => []) : undefined
  const row = known?.find(({ name }) => name === config.instanceName)
  // Release 2.4 says 'close', and posts nothing, of a connection that it opens again in some seconds. Its
  // table still says 'open', with the reason of an earlier end.
  const isDrop = row?.connectionStatus === 'open'
  const reason = isDrop || config.status === 'connecting' ? undefined : row?.reason
  const seen = { status: isDrop ? ('connecting' as const) : status, reason }
  return inTransaction(database, async (db) => {
    await noteConnection(db, config.id, { ...seen, askedAt })
    return (await findConfig(db, config.id))?.status === 'open'
  })
}

/** Records the connection state of a number. A change is pushed, and what waited for 'open' is sent. */
export async function noteConnection(db: Tx, id: number, seen: SeenConnection): Promise<void> {
  if (!(await setConnection(db, id, seen))) return
  db.emit({ type: 'gateway_state' })
  if (seen.status !== 'open') return
  db.signal('outbox')
  db.signal('connected')
  // The events of its webhook are compared.
  db.signal('connections')
}

/** By what a key is recognized. Of a short one the last four characters would give too much away. */
export const hintOf = (apiKey: string): string => (apiKey.length >= 12 ? apiKey.slice(-4) : '')

/**
 * Ensures that a connection known in advance exists, such as the demo's. Its address is updated at every
 * start.
 */
export async function ensureConnection(
  db: Db,
  secrets: Secrets,
  wanted: Instance & { pacePerSecond: number },
): Promise<ConfigRow> {
  const { instanceName, baseUrl, apiKey, pacePerSecond } = wanted
  const values = {
    baseUrl,
    pacePerSecond,
    apiKeyEncrypted: secrets.encrypt(apiKey),
    apiKeyHint: hintOf(apiKey),
  }
  const known = await findConfigByName(db, instanceName)
  const config = known
    ? await updateConfig(db, known.id, values)
    : await insertConfig(db, { ...values, instanceName, status: 'connecting' })
  if (!config) throw new Error('gateway configuration vanished')
  await releaseQuarantine(db, config)
  return config
}

/** Registers our webhook at the gateway of a known connection, and asks for the state of its number. */
export async function connectGateway(
  database: Database,
  client: EvolutionClient,
  secrets: Secrets,
  config: ConfigRow,
  webhookUrl: string,
): Promise<void> {
  await installWebhook(database, client, secrets, config, webhookUrl)
  await checkConnection(database, client, secrets, config)
}
