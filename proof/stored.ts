import { resolve } from 'node:path'
import { sql } from 'drizzle-orm'
import { type Database, openDatabase, rows } from '#server/platform/db.ts'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres.ts'
import { createLog } from '#server/platform/log.ts'
import type { StoredMessage } from './compare.ts'
import type { Console } from './console-client.ts'

/** Looks into the database of a demonstration beside the program that runs on it. */
async function look<T>(dataDir: string, work: (database: Database) => Promise<T>): Promise<T> {
  const log = createLog('silent')
  const url = process.env['DATABASE_URL']
  const embedded = url
    ? undefined
    : await startEmbeddedPostgres({ dataDir: resolve(dataDir, 'demo'), attachOnly: true })
  const connection = embedded ? embedded.connection : { connectionString: url }
  const database = openDatabase({ connection, log, poolSize: 2 })
  try {
    return await work(database)
  } finally {
    await database.close()
    await embedded?.stop()
  }
}

const ofRun = (run: string) =>
  sql`from messages m join conversations c on c.id = m.conversation_id join contacts k on k.id = c.contact_id
       where k.name like ${`%(${run})`}`

/** All messages of the run's contacts, in the order of their conversations. */
export function readStored(dataDir: string, run: string): Promise<StoredMessage[]> {
  return look(dataDir, (database) =>
    rows<StoredMessage & Record<string, unknown>>(
      database,
      sql`select m.whatsapp_message_id as "waId", k.phone as "contactPhone", m.sender_type as "senderType", m.content,
                 m.delivery_status as "deliveryStatus" ${ofRun(run)} and m.message_type <> 'event' order by c.id, m.sort_at, m.id`,
    ),
  )
}

/** Waits until nothing is under way any more: no webhook, no inbox row, no message on its way out. */
export async function waitUntilQuiet(
  dataDir: string,
  at: Console,
  run: string,
  withinMs: number,
): Promise<void> {
  const deadline = performance.now() + withinMs
  await look(dataDir, async (database) => {
    for (;;) {
      const [busy] = await rows<{ inbox: number; outbox: number }>(
        database,
        sql`select (select count(*)::int from webhook_inbox where processed_at is null and dead_reason is null
                       and instance_id is not null) as inbox,
                   (select count(*)::int ${ofRun(run)} and m.delivery_status in ('pending', 'sending', 'unknown')) as outbox`,
      )
      const webhooks = await at.pendingWebhooks()
      if (busy?.inbox === 0 && busy.outbox === 0 && webhooks === 0) return
      if (performance.now() > deadline)
        throw new Error(
          `ainda em andamento: ${webhooks} webhooks, ${busy?.inbox} na entrada, ${busy?.outbox} na saída`,
        )
      await new Promise((resolve) => setTimeout(resolve, 300))
    }
  })
}
