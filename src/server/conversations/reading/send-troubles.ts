import { sql } from 'drizzle-orm'
import { type Db, rows } from '#server/platform/database/db.ts'
import type { FailureReason } from '#shared/text/text.ts'

/** Failures that are about the receiver or the file, and say nothing about the installation. */
const aboutTheMessage: readonly FailureReason[] = [
  'not_on_whatsapp',
  'too_large',
  'text_too_large',
  'file_missing',
  'cancelled',
]

/** Failures are looked for among the newest rows, so that the query stays cheap over the years. */
const newest = 10_000

export interface SendTroubles {
  /** Sends whose result has been unknown for longer than proof usually takes. */
  unconfirmed: number
  /** Sends of the last quarter of an hour that failed for a reason other than the message's own. */
  failed: number
  /**
   * Contacts whose message of the last half hour no phone has acknowledged within ten minutes; 0 if any
   * message of that time was.
   */
  undelivered: number
}

export async function findSendTroubles(db: Db): Promise<SendTroubles> {
  const [row] = await rows<SendTroubles & Record<string, unknown>>(
    db,
    sql`select (select count(*)::int from outbox
                 where state = 'unknown' and unknown_since < app_now() - interval '2 minutes') as unconfirmed,
               (select count(*)::int from outbox o join messages m on m.id = o.message_id
                 where o.id > (select coalesce(max(id), 0) - ${newest}::int from outbox)
                   and o.state = 'failed' and o.first_attempt_at > app_now() - interval '15 minutes'
                   and m.failure_reason <> all (${sql.param(aboutTheMessage)}::text[])) as failed,
               (select case when bool_or(m.delivery_status in ('delivered', 'read', 'played')) then 0
                            else (count(distinct m.conversation_id) filter (
                                    where m.delivery_status = 'sent'
                                      and o.first_attempt_at < app_now() - interval '10 minutes'))::int end
                  from outbox o join messages m on m.id = o.message_id
                 where o.id > (select coalesce(max(id), 0) - ${newest}::int from outbox)
                   and o.state = 'sent' and o.first_attempt_at > app_now() - interval '30 minutes')
                 as undelivered`,
  )
  return row ?? { unconfirmed: 0, failed: 0, undelivered: 0 }
}
