import { sql } from 'drizzle-orm'
import type { GatewayEvent } from '#server/gateway/gateway.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import { saysSame } from './match-content.ts'

type Echo = Pick<Extract<GatewayEvent, { kind: 'message' }>, 'waId' | 'origin' | 'sentAt' | 'content'>

/** So near to our own send the same words from the same account are the gateway's second copy. */
const windowMs = 2 * 60_000

/** Keeps a second id with its message: the gateway has sent it once more by itself. Told again, it changes nothing. */
export async function noteDuplicate(db: Db, messageId: number, waId: string): Promise<void> {
  const noted = sql`coalesce(metadata -> 'duplicateIds', '[]'::jsonb)`
  await db.execute(
    sql`update messages set metadata = jsonb_set(metadata, '{duplicateIds}', ${noted} || to_jsonb(${waId}::text))
         where id = ${messageId} and not ${noted} @> to_jsonb(${waId}::text)`,
  )
}

/**
 * Whether an echo that nobody waits for is a second copy of what we sent: the same words or file, from our own account through
 * the API, within two minutes of our send; or one that is noted as such already. It is noted, and is no bubble.
 * What is written on the phone is never one.
 * @param conversationIds those that the echo may belong to, locked
 * @see reliability F-07
 */
export async function isSecondCopy(db: Db, conversationIds: number[], echo: Echo): Promise<boolean> {
  const sentAt = echo.sentAt?.toISOString()
  const [copied] = await rows<{ id: number }>(
    db,
    sql`select m.id from messages m join outbox o on o.message_id = m.id
         where o.conversation_id = any(${sql.param(conversationIds)}::int[]) and ${saysSame(sql`m`, echo.content)}
           and m.whatsapp_message_id is not null
           and (m.metadata -> 'duplicateIds' @> to_jsonb(${echo.waId}::text)
                or (${echo.origin === 'api'} and abs(extract(epoch from
                    coalesce(${sentAt ?? null}::timestamptz, app_now()) - o.first_attempt_at)) * 1000 < ${windowMs}))
         order by o.id desc limit 1`,
  )
  if (!copied) return false
  await noteDuplicate(db, copied.id, echo.waId)
  return true
}
