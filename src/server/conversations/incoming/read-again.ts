import { sql } from 'drizzle-orm'
import { type Database, inTransaction, rows } from '#server/platform/database/db.ts'

const data = sql`a.payload -> 'data'`
const items = sql`jsonb_array_elements(
  case when jsonb_typeof(${data}) = 'array' then ${data} else jsonb_build_array(${data}) end)`

/** A body waits less for its turn. */
const longestTurn = sql`interval '10 minutes'`

/**
 * Lets messages of clients be processed again that were processed while the clock was ahead of its present
 * time, and that are in the history because they seemed to be of days ago. Now they are new, and somebody is
 * queued.
 * @returns how many bodies are processed again
 */
export async function readAgain(database: Database): Promise<number> {
  return inTransaction(database, async (db) => {
    const again = await rows<{ id: number }>(
      db,
      sql`update webhook_inbox i
             set processed_at = null, attempts = 0, not_before = now(),
                 received_at = least(i.received_at, app_now())
           where i.id = any(array(
             select a.id from webhook_inbox a
              where a.received_at > least(now(), app_now()) - ${longestTurn}
                and a.processed_at > greatest(now(), app_now()) + interval '2 seconds'
                and a.event = 'messages.upsert'
                and exists (
                  select from ${items} item
                    join messages m on m.instance_id = a.instance_id
                                   and m.whatsapp_message_id = item #>> '{key,id}'
                    join conversations c on c.id = m.conversation_id
                   where m.sender_type = 'contact' and c.is_history)
                for update skip locked))
          returning i.id`,
    )
    if (again.length > 0) db.signal('inbox')
    return again.length
  })
}
