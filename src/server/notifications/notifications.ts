import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import { notificationKinds, type NotificationTab, tabOf } from '#shared/notifications/kinds.ts'
import { type Database, inTransaction, type Tx } from '#server/platform/database/db.ts'
import { defineJob, type JobDefinition } from '#server/platform/jobs/job-definition.ts'
import { notifications } from '#server/schema/notifications/notifications.ts'

export { tellFailed, withdrawFailed } from './failed-replies.ts'
export { tellNearEnd } from './near-end.ts'
export { readReturned, tellReturned } from './returned.ts'
export { tellUnsent } from './unsent-schedules.ts'
export { isFollowed, moveFollowers, returnNotifications, setFollowed, tellFollowers } from './followers.ts'

/** Somebody whom a note mentions, by name, or as one of the people of a sector. */
export interface Mentioned {
  userId: number
  sectorId: number | null
}

/** A note of a conversation that the transaction has locked. */
interface Note {
  conversationId: number
  messageId: number
  authorId: number
}

const ofMention = eq(notifications.kind, 'mention')

/** What a note mentioned before, and still does: whoever was told of it then stays told. */
export interface Kept {
  userIds: readonly number[]
  sectorIds: readonly number[]
}

/**
 * Tells people that a note mentions them, each of them once. Those whom it mentioned before, and does no
 * longer, are told nothing any more unless they have read it.
 */
export async function tellMentioned(
  db: Tx,
  { conversationId, messageId, authorId }: Note,
  mentioned: readonly Mentioned[],
  kept: Kept,
): Promise<void> {
  const isKept = or(
    inArray(notifications.userId, [...kept.userIds, ...mentioned.map(({ userId }) => userId)]),
    inArray(notifications.sectorId, [...kept.sectorIds]),
  )
  const withdrawn = await db
    .delete(notifications)
    .where(
      and(
        ofMention,
        eq(notifications.messageId, messageId),
        isNull(notifications.readAt),
        sql`(${isKept}) is not true`,
      ),
    )
    .returning({ userId: notifications.userId })
  for (const { userId } of withdrawn) db.emit({ type: 'notifications_changed', userId })
  // In one order, so that two transactions never wait for each other.
  const rows = mentioned.toSorted((a, b) => a.userId - b.userId)
  if (rows.length === 0) return
  const told = await db
    .insert(notifications)
    .values(
      rows.map((one) => ({ ...one, kind: 'mention' as const, conversationId, messageId, actorId: authorId })),
    )
    .onConflictDoNothing()
    .returning({ userId: notifications.userId })
  for (const { userId } of told) db.emit({ type: 'mentioned', userId, conversationId, messageId })
}

/** A note is gone: nobody is told of it any more, whether they have read it or not. */
export async function withdrawNote(db: Tx, messageId: number): Promise<void> {
  const ofNote = eq(notifications.messageId, messageId)
  const changed = [
    ...(await db
      .delete(notifications)
      .where(and(ofNote, or(ofMention, eq(notifications.count, 1))))
      .returning({ userId: notifications.userId })),
    // Of more than the note: it is counted no longer.
    ...(await db
      .update(notifications)
      .set({ count: sql`${notifications.count} - 1` })
      .where(ofNote)
      .returning({ userId: notifications.userId })),
  ]
  for (const userId of new Set(changed.map((row) => row.userId)))
    db.emit({ type: 'notifications_changed', userId })
}

/** Conversations are about to be deleted: nobody is told of them any more. */
export async function dropNotifications(db: Tx, conversationIds: number[]): Promise<void> {
  const dropped = await db
    .delete(notifications)
    .where(inArray(notifications.conversationId, conversationIds))
    .returning({ userId: notifications.userId })
  for (const userId of new Set(dropped.map((row) => row.userId)))
    db.emit({ type: 'notifications_changed', userId })
}

/** Which of a person's notifications: one, those of a conversation, those of a tab; nothing: all. */
export interface Which {
  id?: number | undefined
  conversationId?: number | undefined
  tab?: NotificationTab | undefined
}

/** Marks a person's notifications as read, on all their devices. */
export async function readNotificationsOf(database: Database, userId: number, which: Which): Promise<void> {
  await inTransaction(database, async (db) => {
    const { id, conversationId, tab } = which
    const read = await db
      .update(notifications)
      .set({ readAt: sql`app_now()` })
      .where(
        and(
          eq(notifications.userId, userId),
          isNull(notifications.readAt),
          id === undefined ? undefined : eq(notifications.id, id),
          conversationId === undefined ? undefined : eq(notifications.conversationId, conversationId),
          tab && inArray(notifications.kind, kindsOf(tab)),
        ),
      )
      .returning({ id: notifications.id })
    if (read.length > 0) db.emit({ type: 'notifications_changed', userId })
  })
}

export const kindsOf = (tab: NotificationTab) => notificationKinds.filter((kind) => tabOf(kind) === tab)

export function trimNotificationsJob(database: Database): JobDefinition {
  return defineJob({
    name: 'trim-notifications',
    schedule: '47 * * * *',
    afterCrash: 'again',
    work: () => trimNotifications(database),
  })
}

/** Deletes what was read 90 days ago, and what was not read for 180 days. */
export async function trimNotifications(database: Database): Promise<void> {
  await database.execute(
    sql`delete from notifications
         where least(read_at, happened_at + interval '90 days') <= app_now() - interval '90 days'`,
  )
}
