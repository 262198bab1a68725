import { appNow } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/database/db.ts'
import type { Log } from '#server/platform/log.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { createPerNumber, endingWith } from '#server/platform/work/per-number.ts'
import { createWorker, type Worker } from '#server/platform/work/worker.ts'
import type { EvolutionClient } from '#server/gateway/evolution/client/evolution-client.ts'
import { concludeFirstSteps } from '#server/gateway/instances/first-steps.ts'
import { renewCodes } from '#server/gateway/instances/link-number.ts'
import { cut } from '#server/gateway/evolution/parse/values.ts'
import { keepsGivenIds } from '#server/gateway/evolution/client/release.ts'
import {
  type ConfigRow,
  findConfig,
  listActiveConfigs,
  setRelease,
} from '#server/gateway/instances/queries.ts'
import { checkConnection, instanceOf } from '#server/gateway/instances/setup.ts'

interface Watched {
  client: EvolutionClient
}

const watchMs = 20_000
/** While a number is away: replies wait for it. */
const watchAwayMs = 5000

/**
 * How long a number is left alone after it was asked: while one of many is away nearly every call of it
 * fails, and every failure is a reason to ask all of them.
 */
const againMs = 1000

/** How long the watch waits for the slowest number: the others are asked again in time. */
const patienceMs = 2000

/**
 * Keeps the webhook that we have registered to the events of the gateway's release, which may be another one
 * since the number was last connected. A number that fails is asked again with the next check.
 * @param refreshedFor by number, the connection for which this was done
 */
async function refreshWebhook(
  { client, secrets, log }: WatchParts,
  config: ConfigRow,
  refreshedFor: Map<number, number>,
): Promise<void> {
  const connectedAt = config.lastConnectedAt?.getTime() ?? 0
  if (!config.webhookSetAt || config.status !== 'open' || refreshedFor.get(config.id) === connectedAt) return
  try {
    await client.refreshWebhook(instanceOf(config, secrets))
    refreshedFor.set(config.id, connectedAt)
  } catch (error) {
    log.warn({ err: error, instance: config.instanceName }, 'webhook not compared with the release')
  }
}

/** Whatever answers may say anything. */
const longestRelease = 40

/**
 * Keeps what the gateway's release decides up to date: it may be upgraded, and set back, while we run. One
 * that does not answer is what it was.
 */
async function noteRelease({ database, client, secrets }: WatchParts, config: ConfigRow): Promise<void> {
  if (config.status === 'unreachable') return
  const answered = await client.release(instanceOf(config, secrets)).catch(() => null)
  if (answered === null) return
  const release = cut(answered, longestRelease)
  if (release === config.release) return
  await setRelease(database, config.id, { release, keepsIds: keepsGivenIds(release) })
}

type WatchParts = Watched & { database: Database; secrets: Secrets; log: Log }

/** @returns whether the number is connected */
async function watchNumber(
  parts: WatchParts,
  id: number,
  refreshedFor: Map<number, number>,
): Promise<boolean> {
  const { database, client, secrets } = parts
  const config = await findConfig(database, id)
  if (!config?.isActive) return true
  const isOpen = await checkConnection(database, client, secrets, config)
  const checked = await findConfig(database, id)
  if (!checked?.isActive) return isOpen
  await noteRelease(parts, checked)
  if (!isOpen) await renewCodes(parts, [checked], (await appNow(database)).getTime())
  await refreshWebhook(parts, checked, refreshedFor)
  return isOpen
}

/**
 * Checks the connections at the start, after a call that failed, and by time: a gateway that has died reports
 * nothing, and the report of an open connection may be lost. No number waits for another.
 */
export function startGatewayWatch(
  database: Database,
  { client }: Watched,
  secrets: Secrets,
  log: Log,
): Worker {
  const refreshedFor = new Map<number, number>()
  const askedAtMs = new Map<number, number>()
  const parts = { database, client, secrets, log }
  const perNumber = createPerNumber(
    (id) => {
      askedAtMs.set(id, performance.now())
      return watchNumber(parts, id, refreshedFor)
    },
    (err, id) => log.warn({ err, instanceId: id }, 'connection not checked'),
  )
  const worker = createWorker({
    name: 'connections',
    database,
    log,
    channel: 'connections',
    pollMs: watchMs,
    failureLevel: 'warn',
    async work() {
      const ids = (await listActiveConfigs(database)).map(({ id }) => id)
      const askedSince = performance.now() - againMs
      const due = ids.filter((id) => (askedAtMs.get(id) ?? -Infinity) <= askedSince)
      const { results, isWhole } = await perNumber.some(due, patienceMs)
      await concludeFirstSteps(database)
      // The others may have been asked before the failure that has woken the watch.
      if (due.length < ids.length) return againMs
      return isWhole && [...results.values()].every(Boolean) ? 'idle' : watchAwayMs
    },
  })
  return endingWith(worker, perNumber)
}
