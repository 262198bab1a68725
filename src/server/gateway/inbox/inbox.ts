import { sql } from 'drizzle-orm'
import { type Database, type Db, isDatabaseDown, rows, tableOf } from '#server/platform/database/db.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import { type ArrivedWebhook, type InboxRow, splitWebhook } from './split-webhook.ts'

export interface InboxWriter {
  /**
   * Resolves when the body is committed under its key. A body whose key is already stored adds nothing.
   * @returns the number of rows added
   */
  store(webhook: ArrivedWebhook): Promise<number>
}

const largestBatch = 200

interface Waiting {
  row: InboxRow
  resolve: (made: number) => void
  reject: (error: unknown) => void
}

const keyOf = (row: { instanceName: string; dedupeKey: string }) => `${row.instanceName} ${row.dedupeKey}`

/** Bodies that arrive during a commit share the next one. */
export function createInboxWriter(database: Database): InboxWriter {
  let queue: Waiting[] = []
  let isWriting = false

  const settle = (entry: Waiting, made: Set<string>) => entry.resolve(made.delete(keyOf(entry.row)) ? 1 : 0)

  const flush = async () => {
    isWriting = true
    while (queue.length > 0) {
      const batch = queue.slice(0, largestBatch)
      queue = queue.slice(largestBatch)
      try {
        const made = await insertRows(
          database,
          batch.map((entry) => entry.row),
        )
        for (const entry of batch) settle(entry, made)
      } catch (error) {
        // One body that the database rejects must not fail the others.
        if (batch.length === 1 || isDatabaseDown(error)) batch.forEach((entry) => entry.reject(error))
        else
          await Promise.all(
            batch.map((entry) =>
              insertRows(database, [entry.row]).then((made) => settle(entry, made), entry.reject),
            ),
          )
      }
    }
    isWriting = false
  }

  return {
    store: async (webhook) => {
      const made = splitWebhook(webhook).map(async (row) => {
        const { promise, resolve, reject } = Promise.withResolvers<number>()
        queue.push({ row, resolve, reject })
        if (!isWriting) void flush()
        return promise
      })
      return (await Promise.all(made)).reduce((sum, one) => sum + one, 0)
    },
  }
}

const columnTypes = {
  n: 'int',
  instanceId: 'int',
  instanceName: 'text',
  event: 'text',
  dedupeKey: 'text',
  lane: 'text',
} as const

/**
 * Inserts the rows whose keys are new, and wakes the workers of the inbox. They get their ids in the order
 * of arrival, but are inserted in the order of their keys: an insert waits for another one of the same key,
 * and two instances that receive the same bodies in different orders would wait for each other.
 * @returns the keys of the new rows
 */
async function insertRows(database: Database, batch: InboxRow[]): Promise<Set<string>> {
  await failpoint('inbox.storing')
  const arrived = batch.map((row, n) => ({ ...row, n }))
  const payloads = JSON.stringify(batch.map(({ payload }) => payload))
  const made = await rows<Pick<InboxRow, 'instanceName' | 'dedupeKey'>>(
    database,
    sql`with given as materialized (
          select nextval(pg_get_serial_sequence('webhook_inbox', 'id'))::int as id, g.*
            from (select * from ${tableOf('a', arrived, columnTypes)} order by n) g),
        payloads as materialized (select ${payloads}::jsonb as list)
        insert into webhook_inbox (id, instance_id, instance_name, event, dedupe_key, lane, payload)
          overriding system value
        select id, "instanceId", "instanceName", event, "dedupeKey", lane, list -> n
          from given cross join payloads order by "instanceName", "dedupeKey"
        on conflict do nothing
        returning instance_name as "instanceName", dedupe_key as "dedupeKey"`,
  )
  await failpoint('inbox.stored')
  if (made.length > 0) database.signals.send('inbox')
  return new Set(made.map(keyOf))
}

/** How many lanes are stuck: their first webhook has failed already, or has waited for a minute. */
export async function countStuckLanes(db: Db): Promise<number> {
  const [row] = await rows<{ stuck: number }>(
    db,
    sql`with mine as materialized (select lane, id, attempts, received_at from webhook_inbox
                 where processed_at is null and dead_reason is null and instance_id is not null)
        select count(*)::int as stuck
          from (select distinct on (lane) attempts, received_at from mine order by lane, id) heads
         where attempts > 0 or received_at < app_now() - interval '1 minute'`,
  )
  return row?.stuck ?? 0
}

/** Figures for readiness and metrics: the age of the oldest waiting event, and how many were put aside. */
export async function inboxHealth(
  db: Db,
): Promise<{ oldestSeconds: number; dead: number; quarantined: number }> {
  const [row] = await rows<{ oldestSeconds: number; dead: number; quarantined: number }>(
    db,
    sql`select coalesce((select extract(epoch from app_now() - min(received_at)) from webhook_inbox
                          where processed_at is null and dead_reason is null and instance_id is not null),
                        0)::float8 as "oldestSeconds",
               (select count(*)::int from webhook_inbox where dead_reason is not null) as dead,
               (select count(*)::int from webhook_inbox where instance_id is null and processed_at is null
                  and dead_reason is null) as quarantined`,
  )
  return row ?? { oldestSeconds: 0, dead: 0, quarantined: 0 }
}
