import { sql } from 'drizzle-orm'
import { countStuckLanes } from '#server/gateway/gateway.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import type { Figures } from '#server/platform/metrics.ts'

/** Metrics of the delivery path. Its queries read waiting rows only, and so stay cheap over the years. */
export async function deliveryFigures(db: Db): Promise<Figures> {
  const [inbox, outbox, gateway, duplicates, files] = await Promise.all([
    inboxFigures(db),
    outboxFigures(db),
    gatewayFigures(db),
    duplicateFigures(db),
    fileFigures(db),
  ])
  return { ...inbox, ...outbox, ...gateway, ...duplicates, ...files }
}

async function inboxFigures(db: Db): Promise<Figures> {
  const stuck = await countStuckLanes(db)
  const [row] = await rows<Record<'oldest' | 'waiting' | 'dead' | 'quarantined' | 'unsettled', number>>(
    db,
    sql`with waiting as (select received_at, instance_id from webhook_inbox
                          where processed_at is null and dead_reason is null),
             mine as (select * from waiting where instance_id is not null)
        select coalesce(extract(epoch from app_now() - (select min(received_at) from mine)), 0)::float8
                 as oldest,
               (select count(*)::int from mine) as waiting,
               (select count(*)::int from webhook_inbox where dead_reason is not null) as dead,
               (select count(*)::int from waiting where instance_id is null) as quarantined,
               coalesce(extract(epoch from app_now() - (select min(created_at) from events
                 where tx >= pg_snapshot_xmin(pg_current_snapshot()))), 0)::float8 as unsettled`,
  )
  if (!row) throw new Error('the inbox query returned no row')
  return {
    balcao_inbox_oldest_seconds: {
      help: 'Age of the oldest webhook that waits to be processed',
      value: row.oldest,
    },
    balcao_inbox_waiting: { help: 'Webhooks that wait to be processed', value: row.waiting },
    balcao_inbox_stuck_lanes: {
      help: 'Contacts whose oldest webhook has failed at least once or has waited for more than a minute',
      value: stuck,
    },
    balcao_inbox_dead: { help: 'Webhooks put aside after five failures', value: row.dead },
    balcao_inbox_quarantined: { help: 'Webhooks of an unknown instance', value: row.quarantined },
    balcao_event_unsettled_seconds: {
      help: 'Age of the oldest live event that an open transaction may still precede',
      value: row.unsettled,
    },
  }
}

const openStates = ['pending', 'sending', 'unknown'] as const
/** Failures are counted among that many of the newest rows, so that the query stays cheap over the years. */
const newest = 10_000

async function outboxFigures(db: Db): Promise<Figures> {
  const found = await rows<{ state: string; n: number; oldest: number }>(
    db,
    sql`select state, count(*)::int as n,
               extract(epoch from app_now() - min(created_at))::float8 as oldest
          from outbox where state in ('pending', 'sending', 'unknown') group by state
        union all
        select 'failed', count(*) filter (where state = 'failed')::int, 0 from outbox
         where id > (select coalesce(max(id), 0) - ${newest}::int from outbox)`,
  )
  const of = (state: string) => found.find((row) => row.state === state)
  const by = (states: readonly string[], pick: 'n' | 'oldest') =>
    states.map((state) => ({ labels: { state }, value: of(state)?.[pick] ?? 0 }))
  return {
    balcao_outbox_messages: {
      help:
        'Messages by state: unknown means nobody can say whether they were sent; ' +
        'failed counts the newest 10,000 only',
      value: by([...openStates, 'failed'], 'n'),
    },
    balcao_outbox_oldest_seconds: {
      help: 'Age of the oldest message in each state that is not final',
      value: by(openStates, 'oldest'),
    },
  }
}

/** @see reliability F-07 */
async function duplicateFigures(db: Db): Promise<Figures> {
  const [row] = await rows<{ n: number }>(
    db,
    sql`select count(*)::int as n from messages where metadata -> 'duplicateIds' is not null
           and id > (select coalesce(max(id), 0) - ${newest}::int from messages)`,
  )
  return {
    balcao_gateway_duplicates: {
      help: 'Messages that the gateway sent more than once by itself, among the newest 10,000',
      value: row?.n ?? 0,
    },
  }
}

async function fileFigures(db: Db): Promise<Figures> {
  const [row] = await rows<{ waiting: number; failing: number; oldest: number }>(
    db,
    sql`select count(*)::int as waiting, count(*) filter (where last_error is not null)::int as failing,
               coalesce(extract(epoch from app_now() - min(created_at)), 0)::float8 as oldest
          from media_fetches`,
  )
  return {
    balcao_files_waiting: {
      help: 'Files of clients that are still to be fetched from the gateway',
      value: row?.waiting ?? 0,
    },
    balcao_files_failing: {
      help: 'Those among them whose last try has failed',
      value: row?.failing ?? 0,
    },
    balcao_files_oldest_seconds: { help: 'Age of the oldest of them', value: row?.oldest ?? 0 },
  }
}

async function gatewayFigures(db: Db): Promise<Figures> {
  const found = await rows<{
    number: string
    isOpen: boolean
    isUnlicensed: boolean
    isBroken: boolean
    keepsIds: boolean
    failures: number
  }>(
    db,
    sql`select instance_name as number, status = 'open' as "isOpen", failures, keeps_ids as "keepsIds",
               status = 'unlicensed' as "isUnlicensed",
               coalesce(breaker_until > now(), false) as "isBroken"
          from evolution_api_config where is_active order by id`,
  )
  // Not `instance`: Prometheus gives each series that label, of the process that it has asked.
  const by = (value: (row: (typeof found)[number]) => number) =>
    found.map((row) => ({ labels: { number: row.number }, value: value(row) }))
  return {
    balcao_gateway_connected: {
      help: '1 while the number is connected to WhatsApp',
      value: by((row) => Number(row.isOpen)),
    },
    balcao_gateway_unlicensed: {
      help: '1 while the gateway does nothing because its license is not activated',
      value: by((row) => Number(row.isUnlicensed)),
    },
    balcao_gateway_keeps_ids: {
      help: '1 while sends have ids of ours, by which unconfirmed ones are settled',
      value: by((row) => Number(row.keepsIds)),
    },
    balcao_gateway_breaker_open: {
      help: '1 while nothing is sent because the gateway has failed too often',
      value: by((row) => Number(row.isBroken)),
    },
    balcao_gateway_failures: {
      help: 'Failures of the gateway in a row',
      value: by((row) => row.failures),
    },
  }
}
