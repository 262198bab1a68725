import { and, eq, sql } from 'drizzle-orm'
import { tellReturned } from '#server/notifications/notifications.ts'
import { rows, type Tx } from '#server/platform/database/db.ts'
import type { MergeUndo } from '#server/schema/contacts/merges.ts'
import { snoozes } from '#server/schema/conversations/snoozes.ts'
import { isSnoozed } from '#shared/conversations/list/list-view.ts'
import {
  closeSnooze,
  type ConversationChange,
  updateConversation,
} from '#server/conversations/store/change.ts'
import type { Locked } from '#server/conversations/store/lock.ts'
import { resume } from '#server/conversations/store/waiting.ts'
import { noteAct } from '#server/conversations/store/write.ts'

// The holds of two open conversations that become one, and of two that are parted again.

type Joined = MergeUndo['joined'][number]

/** What the undoing of a merge needs to know of the holds. */
interface MovedHolds {
  /** Of the conversation whose messages moved. */
  snoozeIds: number[]
  /** Those that the merge has ended, of either. */
  heldIds: number[]
}

/**
 * Ends the holds that two locked conversations are in, and moves all of one to the other, like the messages
 * that they began after.
 * @returns the other one, no longer on hold
 */
export async function mergeHolds(db: Tx, from: Locked, to: Locked): Promise<[Locked, MovedHolds]> {
  const open = await rows<{ id: number }>(
    db,
    sql`select id from snoozes where conversation_id in (${from.id}, ${to.id}) and ended_at is null
         order by id`,
  )
  const resumed = await resume(db, to, 'merged')
  await closeSnooze(db, from, 'merged')
  const moved = await db
    .update(snoozes)
    .set({ conversationId: to.id })
    .where(eq(snoozes.conversationId, from.id))
    .returning({ id: snoozes.id })
  return [resumed, { snoozeIds: moved.map(({ id }) => id), heldIds: open.map(({ id }) => id) }]
}

/** What somebody was to be reminded of is told at once: nobody chose a time for the two together. */
export async function noteMergedHold(db: Tx, merged: Locked, to: Locked, from: Locked): Promise<void> {
  if (!isSnoozed(to) && !isSnoozed(from)) return
  // The reason of a hold that is over stays in its row.
  const held = [to, from].filter(isSnoozed)
  const content = held.flatMap(({ snoozeReason }) => snoozeReason ?? []).join('; ')
  const messageId = await noteAct(db, merged, { by: null, act: 'snooze_over', content })
  const { assignedUserId: userId, id: conversationId } = merged
  if (userId === null) return
  await updateConversation(db, merged, { returnedAt: sql`app_now()`, snoozeReason: content || null })
  await tellReturned(db, { userId, conversationId, messageId })
  db.emit({ type: 'conversation_returned', userId, conversationId })
}

/**
 * Gives two locked conversations that are parted their holds back, once their messages are where they were.
 * Each is on hold as before the merge, unless a client has written since, or somebody has put it on hold
 * anew.
 * @returns what is to be written of each
 */
export async function partHolds(
  db: Tx,
  { snoozeIds = [], heldIds = [], toId }: Joined,
  from: Locked,
  to: Locked,
): Promise<{ from: ConversationChange; to: ConversationChange }> {
  const idsOf = (ids: readonly number[]) => sql`any(${sql.param(ids)}::int[])`
  await db
    .update(snoozes)
    .set({ conversationId: from.id })
    .where(and(sql`${snoozes.id} = ${idsOf(snoozeIds)}`, eq(snoozes.conversationId, to.id)))
  const ended = sql`${snoozes.id} = ${idsOf(heldIds)} and ${snoozes.endedBy} = 'merged'`
  const back = await db
    .update(snoozes)
    .set({ endedAt: null, endedBy: null })
    .where(
      and(
        ended,
        sql`not exists (select from messages m where m.conversation_id = ${toId} and m.sender_type = 'contact'
                          and m.created_at > ${snoozes.endedAt})`,
        sql`not exists (select from snoozes o where o.conversation_id = ${snoozes.conversationId}
                          and o.ended_at is null)`,
      ),
    )
    .returning({ conversationId: snoozes.conversationId, until: snoozes.until })
  const held = async ({ id, snoozedUntil }: Locked): Promise<ConversationChange> => {
    const until = back.find(({ conversationId }) => conversationId === id)?.until
    if (until) return { snoozedUntil: until, snoozeReason: await reasonOf(db, id), returnedAt: null }
    // What only the other one was on hold for.
    return id === toId && heldIds.length > 0 && snoozedUntil === null && !(await wasHeld(db, id, heldIds))
      ? { snoozeReason: null, returnedAt: null }
      : {}
  }
  return { from: await held(from), to: await held(to) }
}

async function wasHeld(db: Tx, conversationId: number, heldIds: readonly number[]): Promise<boolean> {
  const found = await rows(
    db,
    sql`select 1 from snoozes where conversation_id = ${conversationId}
           and id = any(${sql.param(heldIds)}::int[])`,
  )
  return found.length > 0
}

/** Why a conversation was put on hold last, as its timeline has it. */
async function reasonOf(db: Tx, conversationId: number): Promise<string | null> {
  const [line] = await rows<{ content: string }>(
    db,
    sql`select content from messages where conversation_id = ${conversationId} and message_type = 'event'
           and metadata #>> '{event,act}' = 'snoozed' order by id desc limit 1`,
  )
  return line?.content || null
}
