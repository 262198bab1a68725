import type { Database } from '#server/platform/db.ts'
import { randomToken, type Secrets } from '#server/platform/secrets.ts'
import type { EvolutionClient, Instance } from './evolution-client.ts'
import { type ConfigRow, findConfigByName, insertConfig, releaseQuarantine, updateConfig } from './queries.ts'

/**
 * Registers our webhook at the gateway with a new secret. The secret before it stays good, so that nothing that is
 * under way is refused while the two sides change over.
 * @throws AppError gateway.unreachable with the gateway's own words
 */
export async function installWebhook(
  database: Database,
  client: EvolutionClient,
  secrets: Secrets,
  config: ConfigRow,
  url: string,
): Promise<void> {
  const instance: Instance = { ...config, apiKey: secrets.decrypt(config.apiKeyEncrypted) }
  const secret = randomToken()
  // Kept before it is told: a webhook that comes at once finds it.
  await updateConfig(database, config.id, {
    webhookSecretEncrypted: secrets.encrypt(secret),
    webhookSecretBeforeEncrypted: config.webhookSecretEncrypted,
  })
  const known = await client.fetchInstances(instance)
  await client.setWebhook(instance, { url, secret })
  const token = known.find((one) => one.name === config.instanceName)?.token
  await updateConfig(database, config.id, {
    webhookSetAt: new Date(),
    ...(token && { instanceTokenEncrypted: secrets.encrypt(token) }),
  })
}

/** The connection that a demonstration starts with: written once, its address renewed at every start. */
export async function ensureGateway(
  database: Database,
  client: EvolutionClient,
  secrets: Secrets,
  wanted: Instance & { webhookUrl: string; pacePerSecond: number },
): Promise<ConfigRow> {
  const { instanceName, baseUrl, apiKey, webhookUrl, pacePerSecond } = wanted
  const values = {
    baseUrl,
    pacePerSecond,
    apiKeyEncrypted: secrets.encrypt(apiKey),
    apiKeyHint: apiKey.slice(-4),
  }
  const known = await findConfigByName(database, instanceName)
  const config = known
    ? await updateConfig(database, known.id, values)
    : await insertConfig(database, { ...values, instanceName, status: 'connecting' })
  if (!config) throw new Error('gateway configuration vanished')
  await releaseQuarantine(database, config)
  await installWebhook(database, client, secrets, config, webhookUrl)
  return config
}
