import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '#server/platform/database/db.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { type ConfigRow, type EvolutionClient, instanceOf } from '#server/gateway/gateway.ts'
import type { CauseName } from './causes.ts'
import { inBytes, inSeconds } from './measures.ts'

// Files of clients come from WhatsApp through the gateway. Fetching one again that a client has sent proves
// the whole way, and shows nothing to anybody; nothing of it is stored.

const triedWithinMs = 20_000
/** The newest may have gone from WhatsApp on its own, since its sender deleted it. */
const mostTried = 2

interface MediaFound {
  cause: CauseName
  values?: Record<string, string | number>
}

/** Fetches a recent file of a client once more from the gateway, and throws it away. */
export async function fetchRecentMedia(
  { database, client, secrets }: { database: Db; client: EvolutionClient; secrets: Secrets },
  number: ConfigRow,
): Promise<MediaFound> {
  const waIds = await listRecent(database, number.id)
  if (waIds.length === 0) return { cause: 'media_none' }
  let reason = ''
  for (const waId of waIds) {
    const startedMs = performance.now()
    try {
      const limit = new AbortController()
      const late = delay(triedWithinMs, 'late' as const, { signal: limit.signal }).catch(
        () => 'late' as const,
      )
      const fetched = await Promise.race([
        client.fetchMedia(instanceOf(number, secrets), waId, countBytes),
        late,
      ]).finally(() => limit.abort())
      if (fetched === 'late') throw new Error(`nada em ${triedWithinMs / 1000} s`)
      const seconds = inSeconds(performance.now() - startedMs)
      return { cause: 'media_right', values: { size: inBytes(fetched.taken), seconds } }
    } catch (error) {
      reason = error instanceof Error ? error.message : String(error)
    }
  }
  return { cause: 'media_failing', values: { reason: reason.slice(0, 120) } }
}

async function countBytes(bytes: AsyncIterable<Buffer>): Promise<number> {
  let size = 0
  for await (const piece of bytes) size += piece.length
  return size
}

/** The gateway's ids of the newest messages with a file, of those that were fetched and those that wait. */
async function listRecent(db: Db, instanceId: number): Promise<string[]> {
  const found = await rows<{ waId: string }>(
    db,
    sql`select m.whatsapp_message_id as "waId"
          from ((select message_id from files where message_id is not null order by id desc limit 100)
                union (select message_id from media_fetches order by id desc limit 100)) f
          join messages m on m.id = f.message_id
         where m.instance_id = ${instanceId} and m.sender_type = 'contact' and m.deleted_at is null
           and m.whatsapp_message_id is not null and m.sent_at > app_now() - interval '7 days'
         order by m.id desc limit ${mostTried}`,
  )
  return found.map(({ waId }) => waId)
}
