import { and, eq, isNull, sql } from 'drizzle-orm'
import type { SnoozeEnd } from '#shared/conversations/snooze.ts'
import { type Db, rows, type Tx } from '#server/platform/database/db.ts'
import { snoozes } from '#server/schema/conversations/snoozes.ts'
import type { Locked } from './lock.ts'

// The periods in which conversations were on hold. What is true of a conversation now stands in its row, too.

/** Whether a conversation is on hold. */
export const isSnoozed = ({ snoozedUntil }: Pick<Locked, 'snoozedUntil'>): boolean => snoozedUntil !== null

const openOf = (conversationId: number) =>
  and(eq(snoozes.conversationId, conversationId), isNull(snoozes.endedAt))

/** Begins a hold of a locked conversation, or says of the one that it is in when it ends. */
export async function openSnooze(
  db: Tx,
  conversation: Locked,
  { userId, until }: { userId: number; until: Date },
): Promise<void> {
  if (isSnoozed(conversation)) await db.update(snoozes).set({ until }).where(openOf(conversation.id))
  else await db.insert(snoozes).values({ conversationId: conversation.id, userId, until })
}

/** Ends the hold of a locked conversation; one that is in none is left alone. */
export async function closeSnooze(db: Db, { id }: Pick<Locked, 'id'>, endedBy: SnoozeEnd): Promise<void> {
  await db
    .update(snoozes)
    .set({ endedAt: sql`greatest(app_now(), started_at)`, endedBy })
    .where(openOf(id))
}

/**
 * Takes back that a locked conversation's end ended its hold.
 * @returns until when it is on hold again; null: it was in none
 */
export async function reopenSnooze(db: Tx, { id, completedAt }: Locked): Promise<Date | null> {
  const [back] = await db
    .update(snoozes)
    .set({ endedAt: null, endedBy: null })
    .where(
      and(
        eq(snoozes.conversationId, id),
        eq(snoozes.endedBy, 'completed'),
        sql`${snoozes.endedAt} >= ${completedAt?.toISOString() ?? null}::timestamptz`,
      ),
    )
    .returning({ until: snoozes.until })
  return back?.until ?? null
}

/** Since when a conversation is on hold; undefined: it is not. */
export async function snoozedSince(db: Db, conversationId: number): Promise<Date | undefined> {
  const [row] = await rows<{ since: string }>(
    db,
    sql`select started_at::text as since from snoozes
         where conversation_id = ${conversationId} and ended_at is null`,
  )
  return row && new Date(row.since)
}
