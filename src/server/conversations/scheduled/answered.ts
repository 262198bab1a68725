import { type SQL, sql } from 'drizzle-orm'
import { rows, type Tx } from '#server/platform/database/db.ts'

/** What waits for a client at a number, and is to be cancelled if they write, as rows 's'. */
const waitsFor = (contactId: SQL, instanceId: SQL) => sql`
  scheduled_messages s where s.state = 'pending' and s.cancel_on_answer and s.conversation_id in (
    select v.id from conversations v where v.contact_id = ${contactId} and v.instance_id = ${instanceId})`

/** Whether a message of the contact may cancel anything, as a query for 'exists'. */
export const withScheduled = (contactId: SQL, instanceId: SQL): SQL =>
  sql`select 1 from ${waitsFor(contactId, instanceId)}`

/**
 * The client has written: what was scheduled before, and is to be cancelled then, is. Under the contact's
 * lock, as sending is, so that a message is either sent or cancelled. Gateways tell whole seconds.
 * @param sentAt when the client wrote; absent: now
 */
export async function cancelAnswered(
  db: Tx,
  { contactId, instanceId, sentAt }: { contactId: number; instanceId: number; sentAt: Date | undefined },
): Promise<void> {
  const cancelled = await rows<{ conversationId: number }>(
    db,
    sql`update scheduled_messages c
           set state = 'cancelled', reason = 'answered', ended_at = app_now(), version = c.version + 1
         where c.id in (select s.id from ${waitsFor(sql`${contactId}`, sql`${instanceId}`)}
                           and date_trunc('second', s.created_at)
                               <= coalesce(${sentAt?.toISOString() ?? null}::timestamptz, app_now())
                         order by s.id for update)
           and c.state = 'pending' and c.cancel_on_answer
        returning c.conversation_id as "conversationId"`,
  )
  for (const conversationId of new Set(cancelled.map((row) => row.conversationId)))
    db.emit({ type: 'scheduled_changed', conversationId })
}
