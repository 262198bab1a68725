import { appNow } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/database/db.ts'
import type { Log } from '#server/platform/log.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { createWorker, type Worker } from '#server/platform/work/worker.ts'
import type { EvolutionClient } from '#server/gateway/evolution/client/evolution-client.ts'
import { concludeFirstSteps } from '#server/gateway/instances/first-steps.ts'
import { renewCodes } from '#server/gateway/instances/link-number.ts'
import { listActiveConfigs } from '#server/gateway/instances/queries.ts'
import { checkConnection, instanceOf } from '#server/gateway/instances/setup.ts'

interface Watched {
  client: EvolutionClient
}

const watchMs = 20_000
/** While a number is away: replies wait for it. */
const watchAwayMs = 5000

/**
 * Asks for the connection state of every active number, one after the other.
 * @returns whether all are connected
 */
export async function checkConnections(
  database: Database,
  { client }: Watched,
  secrets: Secrets,
): Promise<boolean> {
  let areAllOpen = true
  for (const config of await listActiveConfigs(database))
    if (!(await checkConnection(database, client, secrets, config))) areAllOpen = false
  return areAllOpen
}

/**
 * Keeps the webhooks that we have registered to the events of the gateway's release, which may be another one
 * since the number was last connected. A number that fails is asked again with the next check.
 * @param refreshedFor by number, the connection for which this was done
 */
async function refreshWebhooks(
  database: Database,
  { client }: Watched,
  secrets: Secrets,
  log: Log,
  refreshedFor: Map<number, number>,
): Promise<void> {
  for (const config of await listActiveConfigs(database)) {
    const connectedAt = config.lastConnectedAt?.getTime() ?? 0
    if (!config.webhookSetAt || config.status !== 'open' || refreshedFor.get(config.id) === connectedAt)
      continue
    try {
      await client.refreshWebhook(instanceOf(config, secrets))
      refreshedFor.set(config.id, connectedAt)
    } catch (error) {
      log.warn({ err: error, instance: config.instanceName }, 'webhook not compared with the release')
    }
  }
}

/**
 * Checks the connections at the start, after a call that failed, and by time: a gateway that has died reports
 * nothing, and the report of an open connection may be lost.
 */
export function startGatewayWatch(database: Database, gateway: Watched, secrets: Secrets, log: Log): Worker {
  const refreshedFor = new Map<number, number>()
  return createWorker({
    name: 'connections',
    database,
    log,
    channel: 'connections',
    pollMs: watchMs,
    failureLevel: 'warn',
    async work() {
      const areAllOpen = await checkConnections(database, gateway, secrets)
      if (!areAllOpen) {
        const now = await appNow(database)
        const context = { database, secrets, client: gateway.client }
        await renewCodes(context, await listActiveConfigs(database), now.getTime())
      }
      await refreshWebhooks(database, gateway, secrets, log, refreshedFor)
      await concludeFirstSteps(database)
      return areAllOpen ? 'idle' : watchAwayMs
    },
  })
}
