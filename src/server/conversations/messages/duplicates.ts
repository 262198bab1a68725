import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/platform/database/db.ts'
import type { IncomingMessage } from '#server/gateway/gateway.ts'
import { matchesContent } from './match-content.ts'

/** Within this time of our send, the same content from the same account is the gateway's second copy. */
const windowMs = 2 * 60_000

/** Notes a second id with its message: the gateway has sent it twice. Idempotent. */
export async function noteDuplicate(db: Db, messageId: number, waId: string): Promise<void> {
  const noted = sql`coalesce(metadata -> 'duplicateIds', '[]'::jsonb)`
  await db.execute(
    sql`update messages
           set metadata = jsonb_set(metadata, '{duplicateIds}', ${noted} || to_jsonb(${waId}::text))
         where id = ${messageId} and not ${noted} @> to_jsonb(${waId}::text)`,
  )
}

/**
 * Selects the id of the outgoing message of which an echo is a second copy, as a query without parentheses:
 * the same text or file, sent from our own account through the API within two minutes of our send; or the
 * echo is noted as a copy already. A message written on the phone is never a copy.
 * @param conversationIds those that the echo may belong to, locked
 * @see reliability F-07
 */
export function copiedIn(
  conversationIds: number[],
  { waId, origin, sentAt, content }: Pick<IncomingMessage, 'waId' | 'origin' | 'sentAt' | 'content'>,
): SQL {
  const at = sql`coalesce(${sentAt?.toISOString() ?? null}::timestamptz, app_now())`
  return sql`select m.id from messages m join outbox o on o.message_id = m.id
    where o.conversation_id = any(${sql.param(conversationIds)}::int[]) and ${matchesContent(sql`m`, content)}
      and m.whatsapp_message_id is not null
      and (m.metadata -> 'duplicateIds' @> to_jsonb(${waId}::text)
           or (${origin === 'api'}
               and abs(extract(epoch from ${at} - o.first_attempt_at)) * 1000 < ${windowMs}))
    order by o.id desc limit 1`
}
