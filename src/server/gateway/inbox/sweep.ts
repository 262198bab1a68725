import { sql } from 'drizzle-orm'
import { type DeliveryStatus, deliveryStatuses } from '#shared/messages/delivery.ts'
import { type Database, rows, tableOf } from '#server/platform/database/db.ts'
import type { Log } from '#server/platform/log.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { singleFlight } from '#server/platform/work/single-flight.ts'
import { createWorker, type Worker } from '#server/platform/work/worker.ts'
import type { EvolutionClient } from '#server/gateway/evolution/client/evolution-client.ts'
import type { RecordedBody } from '#server/gateway/evolution/client/records.ts'
import type { Instance } from '#server/gateway/evolution/client/request.ts'
import { parseWebhook } from '#server/gateway/evolution/parse/webhook.ts'
import type { GatewayEvent } from '#server/gateway/evolution/parse/gateway-events.ts'
import type { InboxWriter } from './inbox.ts'
import { storable } from './payload.ts'
import { type ConfigRow, listActiveConfigs } from '#server/gateway/instances/queries.ts'

/** What a sweep found that no webhook had reported. */
export interface SweepCount {
  messages: number
  /** Delivery statuses. */
  updates: number
  /** Edits and deletions. */
  changes: number
}

const nothing: SweepCount = { messages: 0, updates: 0, changes: 0 }

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
}

const usualEveryMs = 5 * 60_000
/** Longer than a message may be edited, and a sweep to wait for. */
const overlap = sql`interval '25 minutes'`
/** The gateway itself repeats the webhooks of a shorter one. */
const outage = sql`interval '20 minutes'`
/** WhatsApp deletes messages for everyone up to this age. */
const lookBack = sql`interval '60 hours'`
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
 * the gateway repeats, or because it dropped something. Reads the record at the start and every five minutes,
 * from 25 minutes before the last complete sweep, and puts what is missing into the inbox; after an outage
 * also what has happened to the messages of 60 hours. Only one instance sweeps a number at a time.
 * @see reliability F-09, F-10, F-03
 */
export function startSweep(parts: SweepParts): Sweep {
  const { database, log, everyMs = usualEveryMs, againAfterMs = 30_000 } = parts
  const total = { ...nothing }
  let isStopped = false
  /**
   * Whether this instance has claimed every number once since its start: a dead one may have left one half
   * swept.
   */
  let hasSweptAll = false

  async function sweepAll(): Promise<SweepCount> {
    const found = { ...nothing }
    let isAllOurs = true
    for (const config of await listActiveConfigs(database)) {
      if (isStopped) break
      const ours = await sweepNumber(parts, config, () => isStopped)
      if (ours) add(found, ours)
      else isAllOurs = false
    }
    hasSweptAll ||= isAllOurs
    add(total, found)
    if (found.messages + found.updates + found.changes > 0)
      log.warn(found, 'the gateway had what no webhook reported')
    return found
  }
  const sweep = singleFlight(sweepAll)
  const worker = createWorker({
    name: 'sweep',
    database,
    log,
    pollMs: everyMs,
    retryMs: againAfterMs,
    failureLevel: 'warn',
    async work() {
      await sweep()
      return hasSweptAll ? everyMs : againAfterMs
    },
  })

  return {
    sweep,
    found: () => ({ ...total }),
    health: worker.health,
    async stop() {
      isStopped = true
      await worker.stop()
    },
  }
}

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
  const [period] = await rows<{ from: string; to: string; changesFrom: string | null }>(
    database,
    sql`update evolution_api_config set sweep_lease_until = now() + ${lease}
         where id = ${config.id} and (sweep_lease_until is null or sweep_lease_until < now())
        returning (app_now() - ${settle})::text as "to",
                  greatest(coalesce(swept_until, created_at) - ${overlap},
                           app_now() - interval '30 days')::text as "from",
                  case when swept_until < app_now() - ${outage} then (app_now() - ${lookBack})::text
                       end as "changesFrom"`,
  )
  if (!period) return undefined
  const instance: Instance = { ...config, apiKey: secrets.decrypt(config.apiKeyEncrypted) }
  const [from, to] = [new Date(period.from), new Date(period.to)]
  const sweeps = [{ from, to, isOfKnown: false }]
  if (period.changesFrom) sweeps.push({ from: new Date(period.changesFrom), to: from, isOfKnown: true })
  let isWhole = false
  try {
    for (const { isOfKnown, ...within } of sweeps)
      for await (const bodies of oldestFirst(client, instance, { ...within, readAt: to })) {
        if (isStopped()) return found
        add(found, await storeMissing(parts, config, bodies, isOfKnown))
        await database.execute(
          sql`update evolution_api_config set sweep_lease_until = now() + ${lease} where id = ${config.id}`,
        )
      }
    isWhole = true
    return found
  } finally {
    await database.execute(
      sql`update evolution_api_config set sweep_lease_until = null,
                 swept_until = case when ${isWhole} then greatest(swept_until, ${period.to}::timestamptz)
                                    else swept_until end
           where id = ${config.id}`,
    )
  }
}

/** Reads the record of a period in chunks of a few hundred messages, oldest first. */
async function* oldestFirst(
  client: EvolutionClient,
  instance: Instance,
  { from, to, readAt }: { from: Date; to: Date; readAt: Date },
): AsyncGenerator<RecordedBody[]> {
  if (from >= to) return
  const first = await client.listRecorded(instance, { from, to, readAt, page: 1 })
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
    bodies.push(...(await client.listRecorded(instance, { from, to, readAt, page })).bodies)
  yield bodies.toReversed()
}

/**
 * Puts what is missing into the inbox: messages, their changes, and delivery statuses further than ours.
 * @param isOfKnown whether a message that is not here is left out: an earlier sweep has seen it
 */
async function storeMissing(
  { database, inbox }: SweepParts,
  config: ConfigRow,
  bodies: RecordedBody[],
  isOfKnown: boolean,
): Promise<SweepCount> {
  const known = await findKnown(database, config.id, bodies)
  const store = async (body: unknown, isNew: (event: GatewayEvent) => boolean) => {
    const payload = storable(body)
    const { event, dedupeKey, lane, events, eventsByItem } = parseWebhook(payload)
    if (!events.some((one) => one.kind !== 'ignored' && isNew(one))) return 0
    const { id: instanceId, instanceName } = config
    const count = await inbox.store({
      instanceId,
      instanceName,
      event,
      dedupeKey,
      lane,
      payload,
      eventsByItem,
    })
    return events.every(isReactionOfOurs) ? 0 : count
  }
  const found = { ...nothing }
  for (const { waId, message, updates, change } of bodies) {
    const ours = known.get(waId)
    if (!ours && isOfKnown) continue
    if (!ours) found.messages += await store(message, () => true)
    for (const update of updates)
      found.updates += await store(
        update,
        (event) => event.kind === 'delivery' && isFurther(event.status, ours?.status),
      )
    if (change !== undefined) found.changes += await store(change, (event) => isChange(event, ours))
  }
  return found
}

/**
 * A reaction that was made through the gateway is recorded here with its answer, whether or not its own
 * `send.message` comes, so it is not missing.
 */
const isReactionOfOurs = (event: GatewayEvent) => event.kind === 'reaction' && event.from === 'user'

/** Whether the gateway's record has a deletion or an edit that ours has not. */
function isChange(event: GatewayEvent, ours: Known | undefined): boolean {
  if (ours?.isDeleted) return false
  if (event.kind === 'delete') return true
  if (event.kind !== 'edit') return false
  // The record gives a new message its last text. That it is an edit's makes the webhooks of earlier edits,
  // which may still come, older than that text.
  if (!ours) return true
  // The record may still have what an edit made here has replaced.
  return event.content !== ours.content && !ours.replacedHere.includes(event.content)
}

/** A message of the record as it is stored here. */
interface Known extends Record<string, unknown> {
  status: DeliveryStatus | null
  content: string
  /** Earlier texts of a message that was written here, and not on a phone. */
  replacedHere: string[]
  isDeleted: boolean
}

const isFurther = (status: DeliveryStatus, than: DeliveryStatus | null | undefined) =>
  !than || deliveryStatuses.indexOf(status) > deliveryStatuses.indexOf(than)

/**
 * Maps the gateway's ids to our messages. One that was deleted from the database here counts as 'played', so
 * that none of its statuses is new.
 */
async function findKnown(
  database: Database,
  instanceId: number,
  bodies: RecordedBody[],
): Promise<Map<string, Known>> {
  const found = await rows<Known & { waId: string }>(
    database,
    sql`select a."waId", k.* from ${tableOf(
      'a',
      bodies.map(({ waId }) => ({ waId })),
      { waId: 'text' },
    )}
          cross join lateral (
            select m.delivery_status as status, m.content, m.deleted_at is not null as "isDeleted",
                   case when m.sender_type = 'user' and m.metadata ->> 'origin' is null
                        then array(select v.content from message_versions v where v.message_id = m.id)
                        else '{}' end as "replacedHere"
              from messages m where m.instance_id = ${instanceId} and m.whatsapp_message_id = a."waId"
            union all select 'played', '', true, '{}' from forgotten_messages f
             where f.instance_id = ${instanceId} and f.whatsapp_message_id = a."waId" limit 1) k`,
  )
  return new Map(found.map((row) => [row.waId, row]))
}
