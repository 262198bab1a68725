import { sql } from 'drizzle-orm'
import type { GatewayNews } from '#shared/gateway/events.ts'
import { type Database, type Db, inTransaction, rows } from '#server/platform/database/db.ts'
import type { Who } from '#server/platform/http/access.ts'
import type { EventRenderers } from '#server/platform/live/live-render.ts'
import type { Log } from '#server/platform/log.ts'
import { createWorker, type Worker } from '#server/platform/work/worker.ts'

/** A message that has waited for longer waits for the gateway, or for its turn in the pace. */
const soon = sql`interval '10 seconds'`
/** Recovered messages that come within this time of each other are one recovery. */
const apart = sql`interval '10 minutes'`
/** How long a recovery is reported after its last message. */
const shownFor = sql`interval '30 minutes'`
/** Recoveries longer than this are counted in part. */
const counted = sql`interval '2 hours'`

/** The numbers that were given to a person; null: all. */
export type GivenNumbers = readonly number[] | null

/** What a person is notified of the gateway now, by the numbers that were given to them. */
export type NewsOfNumbers = (numberIds: GivenNumbers) => GatewayNews

interface NewsRow extends Record<string, unknown> {
  number: number
  gatewayConnected: boolean
  away: GatewayNews['away']
  numbersVersion: string
  waiting: number
  count: number
  until: Date | null
}

const nameOf = (numberIds: GivenNumbers) => (numberIds === null ? 'all' : numberIds.join())

/** @param given the numbers of each person who is to be notified; each is read once */
export async function readNewsOf(db: Db, given: readonly GivenNumbers[]): Promise<NewsOfNumbers> {
  const wanted = [...new Map(given.map((numberIds) => [nameOf(numberIds), numberIds])).values()]
  const found = await rows<NewsRow>(
    db,
    sql`with sets as (
          select number::int, case when ids = 'null' then null
                                   else array(select jsonb_array_elements_text(ids)::int) end as ids
            from jsonb_array_elements(${JSON.stringify(wanted)}::jsonb) with ordinality s (ids, number)),
        late as materialized (
          select m.created_at as at, c.instance_id
            from messages m join conversations c on c.id = m.conversation_id
           where m.metadata ? 'recovered' and m.created_at > app_now() - ${counted}),
        late_of as (
          select s.number, l.at, lead(l.at) over (partition by s.number order by l.at) as next
            from sets s join late l on s.ids is null or l.instance_id = any(s.ids)),
        latest as (
          select number, max(next) filter (where next - at > ${apart}) as since, max(at) as until
            from late_of group by number),
        waiting as materialized (
          select o.instance_id, count(*)::int as count
            from outbox o join evolution_api_config g on g.id = o.instance_id
           where o.state = 'pending' and g.is_active and not (o.tries = 0 and o.not_before > now())
             and (g.status <> 'open' or g.breaker_until is not null or o.created_at < app_now() - ${soon})
           group by o.instance_id)
        select s.number,
               exists (select from evolution_api_config g
                        where g.is_active and g.status = 'open' and (s.ids is null or g.id = any(s.ids)))
                 as "gatewayConnected",
               (select coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'name', g.instance_name,
                                                                      'state', g.status)
                                order by g.id), '[]')
                  from evolution_api_config g
                 where g.is_active and g.status <> 'open' and g.last_connected_at is not null
                   and (s.ids is null or g.id = any(s.ids))) as away,
               (select md5(coalesce(string_agg(concat_ws(' ', g.id, g.instance_name, g.owner_jid, g.is_active,
                                g.status, g.deleted_at is null), ',' order by g.id), ''))
                  from evolution_api_config g where s.ids is null or g.id = any(s.ids)) as "numbersVersion",
               (select coalesce(sum(w.count), 0)::int from waiting w
                 where s.ids is null or w.instance_id = any(s.ids)) as waiting,
               (select count(*)::int from late_of l
                 where l.number = s.number and l.at >= coalesce(t.since, '-infinity')) as count,
               t.until
          from sets s left join latest t on t.number = s.number and t.until > app_now() - ${shownFor}`,
  )
  const byName = new Map(
    found.map(({ number, until, count, ...news }) => {
      const recovered = until && { count, until: new Date(until).toISOString() }
      return [nameOf(wanted[number - 1] ?? null), toNews({ ...news, recovered })]
    }),
  )
  return (numberIds) => byName.get(nameOf(numberIds)) ?? noNews
}

const toNews = (news: GatewayNews): GatewayNews => {
  const { gatewayConnected, away, numbersVersion, waiting, recovered } = news
  return { gatewayConnected, away, numbersVersion, waiting, recovered }
}

/** While it cannot be known. */
const noNews: GatewayNews = {
  gatewayConnected: false,
  away: [],
  numbersVersion: '',
  waiting: 0,
  recovered: null,
}

/** What those who have all numbers are notified of. */
export const readGatewayNews = async (db: Db): Promise<GatewayNews> => (await readNewsOf(db, [null]))(null)

/** Which numbers were given to people together; all numbers come first. */
async function listGiven(db: Db): Promise<GivenNumbers[]> {
  const found = await rows<{ ids: number[] }>(
    db,
    sql`select distinct number_ids as ids from users
         where number_ids is not null and role <> 'admin' and is_active and deleted_at is null`,
  )
  return [null, ...found.map(({ ids }) => ids)]
}

/**
 * Rendered with what is true then, for all events of the same moment alike, and for each person with what is
 * true of the numbers that were given to them.
 */
export const gatewayEvents: EventRenderers<'gateway_state'> = {
  async gateway_state(db, events) {
    const given = await listGiven(db)
    const newsOf = await readNewsOf(db, given)
    const deliveries = given.map((numberIds) => ({
      event: { type: 'gateway_state' as const, data: newsOf(numberIds) },
      mayRead: (who: Pick<Who, 'numberIds'>) => nameOf(who.numberIds) === nameOf(numberIds),
    }))
    return events.map(() => deliveries)
  },
}

const everyMs = 3000

/**
 * Notifies every screen when the number of messages that wait for the gateway changes, or some are recovered.
 * Every process looks; that several emit the same event does no harm.
 */
export function startGatewayNews(database: Database, log: Log): Worker {
  let lastNews: string | undefined
  return createWorker({
    name: 'gateway-news',
    database,
    log,
    pollMs: everyMs,
    async work() {
      const given = await listGiven(database)
      const news = JSON.stringify(given.map(await readNewsOf(database, given)))
      if (lastNews !== undefined && lastNews !== news)
        await inTransaction(database, (db) => Promise.resolve(db.emit({ type: 'gateway_state' })))
      lastNews = news
      return 'idle'
    },
  })
}
