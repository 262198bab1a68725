import { type SQL, sql } from 'drizzle-orm'
import { type Database, rows } from '#server/platform/database/db.ts'
import { isOver } from '#server/schema/conversations/over.ts'

const atOnce = 5000

/** A conversation 'v' that was completed a month ago: nobody who has it open still acts on it. */
const isLongOver = sql`${isOver} and v.completed_at <= app_now() - interval '30 days'`

/**
 * What only an open conversation needs, by its table. Its messages and their status stay.
 * - Outbox: an edit, a deletion and a new attempt need an open conversation, and the echo of a failed send
 *   comes within the hour. A message that the gateway sent twice keeps its row: a later sync may report its
 *   second copy again, which is recognized by it.
 * - Assistant: it answers in open conversations only.
 * - Queue: a conversation that is over does not return to it.
 * - Read positions and drafts are not shown of completed conversations.
 */
const needless: Readonly<Record<string, SQL>> = {
  outbox: sql`t.state in ('sent', 'failed', 'cancelled') and not exists (
    select from messages m where m.id = t.message_id and m.metadata ? 'duplicateIds')`,
  queue_pending_conversations: sql`true`,
  assistant_turns: sql`true`,
  conversation_reads: sql`t.updated_at <= app_now() - interval '30 days'`,
  conversation_drafts: sql`t.updated_at <= app_now() - interval '30 days'`,
}

/** Deletes what a conversation leaves besides its messages, a month after its completion. */
export async function trimOver(database: Database): Promise<void> {
  for (const [table, isNeedless] of Object.entries(needless))
    for (let found = atOnce; found === atOnce;) {
      const name = sql.identifier(table)
      // Skips what somebody is changing: the next run finds it.
      const gone = await rows(
        database,
        sql`delete from ${name} where ctid = any(array(
              select t.ctid from ${name} t join conversations v on v.id = t.conversation_id
               where ${isLongOver} and ${isNeedless} limit ${atOnce} for update of t skip locked))
            returning 1 as n`,
      )
      found = gone.length
    }
}
