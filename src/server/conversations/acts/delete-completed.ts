import { type SQL, sql } from 'drizzle-orm'
import type { CleanupCounts } from '#shared/maintenance/maintenance.ts'
import { dropNotifications } from '#server/notifications/notifications.ts'
import { type Db, rows, type Tx } from '#server/platform/database/db.ts'
import { isOver } from '#server/schema/conversations/over.ts'
import { insertTombstones } from '#server/conversations/messages/tombstones.ts'

/** Instants between which a conversation was completed; absent: at any time. */
export interface CompletedWithin {
  /** Inclusive. */
  from?: Date
  /** Exclusive. */
  until?: Date
}

function completedWithin({ from, until }: CompletedWithin): SQL {
  return sql.join(
    [
      isOver,
      // What is still to be sent to its client would go with it.
      sql`not exists (
        select from scheduled_messages s where s.conversation_id = v.id and s.state = 'pending')`,
      ...(from ? [sql`v.completed_at >= ${from.toISOString()}::timestamptz`] : []),
      ...(until ? [sql`v.completed_at < ${until.toISOString()}::timestamptz`] : []),
    ],
    sql` and `,
  )
}

/** What `deleteCompleted` would delete, all batches together. */
export async function countCompleted(
  db: Db,
  within: CompletedWithin,
): Promise<{ conversations: number; messages: number; files: number; sizeBytes: number }> {
  const [row] = await rows<{ conversations: number; messages: number; files: number; sizeBytes: number }>(
    db,
    sql`with chosen as materialized (select v.id from conversations v where ${completedWithin(within)}),
             written as materialized (
               select m.id from messages m join chosen on m.conversation_id = chosen.id),
             kept as materialized (select f.size_bytes from files f join written on f.message_id = written.id)
        select (select count(*) from chosen)::int as conversations,
               (select count(*) from written)::int as messages,
               (select count(*) from kept)::int as files,
               (select coalesce(sum(size_bytes), 0) from kept)::float8 as "sizeBytes"`,
  )
  return row ?? { conversations: 0, messages: 0, files: 0, sizeBytes: 0 }
}

/**
 * Deletes some completed conversations with their messages, the oldest first. Their files are left to
 * `sweepFiles`, which deletes them after the commit.
 * @returns how much it deleted; no conversation when there are no more
 */
export async function deleteCompleted(
  db: Tx,
  within: CompletedWithin,
  limit: number,
): Promise<CleanupCounts> {
  const locked = await rows<{ id: number }>(
    db,
    sql`select v.id from conversations v where ${completedWithin(within)}
         order by v.completed_at, v.id limit ${limit} for update`,
  )
  const ids = locked.map(({ id }) => id)
  if (ids.length === 0) return { deletedConversations: 0, deletedMessages: 0, deletedFiles: 0 }
  await insertTombstones(db, ids)
  await dropNotifications(db, ids)
  const ofThem = sql`conversation_id = any(${sql.param(ids)}::int[])`
  const files = await db.execute(
    sql`update files set is_erased = true
         where message_id in (select id from messages where ${ofThem})`,
  )
  // Before their conversation, whose newest one it is: the number of them is reported.
  const messages = await db.execute(sql`delete from messages where ${ofThem}`)
  const conversations = await db.execute(
    sql`delete from conversations where id = any(${sql.param(ids)}::int[])`,
  )
  return {
    deletedConversations: conversations.rowCount ?? 0,
    deletedMessages: messages.rowCount ?? 0,
    deletedFiles: files.rowCount ?? 0,
  }
}
