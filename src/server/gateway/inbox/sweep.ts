import { sql } from 'drizzle-orm'
import { type Database, rows } from '#server/platform/database/db.ts'
import type { Log } from '#server/platform/log.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { createPerNumber } from '#server/platform/work/per-number.ts'
import { createWorker, type Worker } from '#server/platform/work/worker.ts'
import type { EvolutionClient } from '#server/gateway/evolution/client/evolution-client.ts'
import type { RecordedBody } from '#server/gateway/evolution/client/records.ts'
import type { Instance } from '#server/gateway/evolution/client/request.ts'
import type { InboxWriter } from './inbox.ts'
import { nothing, storeMissing, type SweepCount } from './store-missing.ts'
import { type ConfigRow, findConfig, listActiveConfigs } from '#server/gateway/instances/queries.ts'
import { instanceOf } from '#server/gateway/instances/setup.ts'

export interface Sweep extends Worker {
  /** Sweeps all numbers now, or joins the running sweep. @returns what was missing */
  sweep(): Promise<SweepCount>
  /** Since the start of this process. */
  found(): SweepCount
}

export interface SweepParts {
  database: Database
  client: EvolutionClient
  secrets: Secrets
  inbox: InboxWriter
  log: Log
  /** Time between two sweeps; five minutes by default. */
  everyMs?: number
  /** Pause after a sweep that failed or found a number claimed by another instance. */
  againAfterMs?: number
  /** From a sweep for a number that is connected again to the next one. */
  settledMs?: number
}

/** How long a sweep waits for the slowest number before the others may be swept again. */
const patienceMs = 20_000
const usualEveryMs = 5 * 60_000
/** Longer than `settle`. */
const usualSettledMs = 45_000
/** Longer than a message may be edited, and a sweep to wait for. */
const overlap = sql`interval '25 minutes'`
/** The gateway itself repeats the webhooks of a shorter one. */
const outage = sql`interval '20 minutes'`
/** WhatsApp deletes messages for everyone up to this age. */
const lookBack = sql`interval '60 hours'`
/** How often the changes of all those messages are read in any case. */
const lookBackEvery = sql`interval '1 hour'`
/** Newer messages are still on their way. */
const settle = sql`interval '30 seconds'`
/**
 * Renewed with each period, so an instance that dies during a sweep blocks the others for no longer than
 * this.
 */
const lease = sql`interval '2 minutes'`
/** A period with more messages is halved, so that the oldest come first and few are in memory at a time. */
const maxPeriodMessages = 500
const minPeriodMs = 2000

/**
 * Recovers what the webhook did not bring from the gateway's own record: because we were down for longer than
 * the gateway repeats, or because it dropped something. Reads the record at the start, when a number is
 * connected again, and every five minutes, from 25 minutes before the last complete sweep, and puts what is
 * missing into the inbox. What has happened to the messages of 60 hours is read every hour, after an outage,
 * and when something was missing, since more may be. Only one instance sweeps a number at a time.
 * @see reliability F-09, F-10, F-03
 */
export function startSweep(parts: SweepParts): Sweep {
  const { database, log, everyMs = usualEveryMs, againAfterMs = 30_000, settledMs = usualSettledMs } = parts
  const total = { ...nothing }
  let isStopped = false
  /** The numbers that this instance has claimed since its start: a dead one may have left one half swept. */
  const swept = new Set<number>()

  async function sweepOne(id: number): Promise<SweepCount> {
    const config = await findConfig(database, id)
    const found = config?.isActive ? await sweepNumber(parts, config, () => isStopped) : nothing
    if (!found) return nothing
    swept.add(id)
    add(total, found)
    if (isAnything(found))
      log.warn({ ...found, instance: config?.instanceName }, 'the gateway had what no webhook reported')
    return found
  }
  const perNumber = createPerNumber(sweepOne, (err, id) =>
    log.warn({ err, instanceId: id }, "the gateway's record was not read"),
  )
  const listIds = async () => (await listActiveConfigs(database)).map(({ id }) => id)
  const worker = createWorker({
    name: 'sweep',
    database,
    log,
    channel: 'connected',
    pollMs: everyMs,
    retryMs: againAfterMs,
    failureLevel: 'warn',
    async work({ reason }) {
      const ids = await listIds()
      const { isWhole } = await perNumber.some(ids, patienceMs)
      if (!isWhole || !ids.every((id) => swept.has(id))) return againAfterMs
      // What the gateway has received shortly before is read as soon as it has settled.
      return reason === 'poll' ? everyMs : settledMs
    },
  })

  return {
    async sweep() {
      const found = { ...nothing }
      for (const ofNumber of await perNumber.all(await listIds())) add(found, ofNumber)
      return found
    },
    found: () => ({ ...total }),
    health: worker.health,
    async stop() {
      isStopped = true
      await worker.stop()
      await perNumber.ended()
    },
  }
}

const isAnything = ({ messages, updates, changes }: SweepCount) => messages + updates + changes > 0

function add(to: SweepCount, more: SweepCount): void {
  to.messages += more.messages
  to.updates += more.updates
  to.changes += more.changes
}

/**
 * Sweeps one number. `swept_until` advances only when the whole period was read.
 * @returns undefined when another instance is sweeping the number
 */
async function sweepNumber(
  parts: SweepParts,
  config: ConfigRow,
  isStopped: () => boolean,
): Promise<SweepCount | undefined> {
  const { database, client, secrets } = parts
  const found = { ...nothing }
  const [period] = await rows<{ from: string; to: string; changesFrom: string; isLookingBack: boolean }>(
    database,
    sql`update evolution_api_config set sweep_lease_until = now() + ${lease}
         where id = ${config.id} and (sweep_lease_until is null or sweep_lease_until < now())
        returning (app_now() - ${settle})::text as "to",
                  greatest(coalesce(swept_until, created_at) - ${overlap},
                           app_now() - interval '30 days')::text as "from",
                  (app_now() - ${lookBack})::text as "changesFrom",
                  (looked_back_at is null or looked_back_at < app_now() - ${lookBackEvery}
                    or swept_until < app_now() - ${outage}) as "isLookingBack"`,
  )
  if (!period) return undefined
  const instance = instanceOf(config, secrets)
  const [from, to] = [new Date(period.from), new Date(period.to)]
  const begunMs = performance.now()
  /**
   * The end of the period moves on with the clock: however long the sweep takes, what a page has was written
   * half a minute after this at the latest.
   */
  const readAt = () => new Date(to.getTime() + performance.now() - begunMs)
  /** @returns whether it was read to its end */
  const read = async (within: { from: Date; to: Date }, isOfKnown: boolean) => {
    for await (const bodies of oldestFirst(client, instance, { ...within, readAt })) {
      if (isStopped()) return false
      add(found, await storeMissing(parts, config, bodies, isOfKnown))
      await database.execute(
        sql`update evolution_api_config set sweep_lease_until = now() + ${lease} where id = ${config.id}`,
      )
    }
    return true
  }
  let [isWhole, hasLookedBack] = [false, false]
  try {
    isWhole = await read({ from, to }, false)
    if (isWhole && (period.isLookingBack || isAnything(found)))
      hasLookedBack = await read({ from: new Date(period.changesFrom), to: from }, true)
    return found
  } finally {
    // Without the second reading an outage is still one for the next sweep.
    const isDone = isWhole && (hasLookedBack || !period.isLookingBack)
    await database.execute(
      sql`update evolution_api_config set sweep_lease_until = null,
                 swept_until = case when ${isDone} then greatest(swept_until, ${period.to}::timestamptz)
                                    else swept_until end,
                 looked_back_at = case when ${hasLookedBack} then ${period.to}::timestamptz
                                       else looked_back_at end
           where id = ${config.id}`,
    )
  }
}

/** Reads the record of a period in chunks of a few hundred messages, oldest first. */
async function* oldestFirst(
  client: EvolutionClient,
  instance: Instance,
  { from, to, readAt }: { from: Date; to: Date; readAt: () => Date },
): AsyncGenerator<RecordedBody[]> {
  if (from >= to) return
  const first = await client.listRecorded(instance, { from, to, readAt: readAt(), page: 1 })
  const lengthMs = to.getTime() - from.getTime()
  if (first.total > maxPeriodMessages && lengthMs > minPeriodMs) {
    const middle = new Date(from.getTime() + Math.floor(lengthMs / 2))
    yield* oldestFirst(client, instance, { from, to: middle, readAt })
    // Both bounds belong to a period: a message in the middle comes twice, and is known the second time.
    yield* oldestFirst(client, instance, { from: middle, to, readAt })
    return
  }
  const bodies = [...first.bodies]
  for (let page = 2; page <= first.pages; page++)
    bodies.push(...(await client.listRecorded(instance, { from, to, readAt: readAt(), page })).bodies)
  yield bodies.toReversed()
}
