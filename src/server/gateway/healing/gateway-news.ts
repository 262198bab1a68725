import { sql } from 'drizzle-orm'
import type { GatewayNews } from '#shared/live-events.ts'
import { type Database, type Db, inTransaction, rows } from '#server/platform/database/db.ts'
import type { EventRenderers } from '#server/platform/live/live-render.ts'
import type { Log } from '#server/platform/log.ts'
import { createWorker, type Worker } from '#server/platform/work/worker.ts'

/** A message that has waited for longer waits for the gateway, or for its turn in the pace. */
const soon = sql`interval '10 seconds'`
/** Recovered messages that come within this time of each other are one recovery. */
const apart = sql`interval '10 minutes'`
/** How long a recovery is told after its last message. */
const toldFor = sql`interval '30 minutes'`
/** Recoveries longer than this are counted in part. */
const counted = sql`interval '2 hours'`

/** What every screen is told of the gateway, now. */
export async function readGatewayNews(db: Db): Promise<GatewayNews> {
  const [row] = await rows<{ gatewayConnected: boolean; waiting: number; count: number; until: Date | null }>(
    db,
    sql`with late as materialized (
          select m.created_at as at from messages m
           where m.metadata ? 'recovered' and m.created_at > app_now() - ${counted}),
        latest as (
          select at from late
           where at > coalesce((select max(next) - ${apart} from (
                                  select at, lead(at) over (order by at) as next from late) pairs
                                 where next - at > ${apart}), '-infinity')
             and exists (select from late where at > app_now() - ${toldFor}))
        select exists (select from evolution_api_config where is_active and status = 'open')
                 as "gatewayConnected",
               (select count(*)::int from outbox o join evolution_api_config g on g.id = o.instance_id
                 where o.state = 'pending' and g.is_active
                   and not (o.tries = 0 and o.not_before > now())
                   and (g.status <> 'open' or g.breaker_until is not null
                        or o.created_at < app_now() - ${soon})) as waiting,
               (select count(*)::int from latest) as count, (select max(at) from latest) as until`,
  )
  if (!row) throw new Error('the query of the news returned no row')
  const { gatewayConnected, waiting, count, until } = row
  return {
    gatewayConnected,
    waiting,
    recovered: until && { count, until: new Date(until).toISOString() },
  }
}

/** Rendered with what is true then, for all events of the same moment alike. */
export const gatewayEvents: EventRenderers<'gateway_state'> = {
  async gateway_state(db, events) {
    const data = await readGatewayNews(db)
    return events.map(() => [{ event: { type: 'gateway_state', data }, mayRead: () => true }])
  },
}

const everyMs = 3000

/**
 * Tells every screen when the number of messages that wait for the gateway changes, or some are recovered.
 * Every process looks; that each of them tells the same does no harm.
 */
export function startGatewayNews(database: Database, log: Log): Worker {
  let told: string | undefined
  return createWorker({
    name: 'gateway-news',
    database,
    log,
    pollMs: everyMs,
    async work() {
      const news = JSON.stringify(await readGatewayNews(database))
      if (told !== undefined && told !== news)
        await inTransaction(database, (db) => Promise.resolve(db.emit({ type: 'gateway_state' })))
      told = news
      return 'idle'
    },
  })
}
