import { and, desc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { NotificationTab } from '#shared/notifications/kinds.ts'
import { type Notification, notificationPageSize, type Unread } from '#shared/notifications/notifications.ts'
import { pictureUrlOf } from '#shared/users/profile.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import { readableBy, type Rights } from '#server/platform/http/reach.ts'
import { contacts } from '#server/schema/contacts/contacts.ts'
import { conversations, messages } from '#server/schema/conversations/conversations.ts'
import { reachFactColumns } from '#server/schema/conversations/people.ts'
import { files } from '#server/schema/media.ts'
import { notifications } from '#server/schema/notifications/notifications.ts'
import { sectors } from '#server/schema/sectors/sectors.ts'
import { users } from '#server/schema/users.ts'
import { kindsOf } from './notifications.ts'

const actors = alias(users, 'actors')

/** A list shows the beginning of a text. */
const mostShown = 300

function select(db: Db, isVisible: SQL<boolean>) {
  return db
    .select({
      notification: notifications,
      isVisible,
      facts: reachFactColumns,
      contactName: contacts.name,
      actorName: actors.name,
      picture: files.name,
      sectorName: sectors.name,
      message: {
        id: messages.id,
        messageType: messages.messageType,
        senderType: messages.senderType,
        content: sql<string>`left(${messages.content}, ${mostShown})`,
        isDeleted: sql<boolean>`${messages.deletedAt} is not null`,
        metadata: messages.metadata,
      },
      cursor: sql<string>`(extract(epoch from ${notifications.happenedAt}) * 1000000)::bigint::text
                          || '.' || ${notifications.id}`,
    })
    .from(notifications)
    .innerJoin(conversations, eq(conversations.id, notifications.conversationId))
    .innerJoin(contacts, eq(contacts.id, conversations.contactId))
    .leftJoin(actors, eq(actors.id, notifications.actorId))
    .leftJoin(files, eq(files.userId, notifications.actorId))
    .leftJoin(sectors, eq(sectors.id, notifications.sectorId))
    .leftJoin(messages, eq(messages.id, notifications.messageId))
    .$dynamic()
}

type NotificationRow = Awaited<ReturnType<typeof select>>[number]

/** A page of a person's notifications, the newest first, and where the next one begins. */
export async function listFor(
  db: Db,
  who: Rights,
  { tab, before }: { tab: NotificationTab; before?: string | undefined },
): Promise<{ notifications: Notification[]; next: string | null }> {
  const found = await select(db, sql<boolean>`(${readableBy(who) ?? sql`true`})`)
    .where(
      and(
        eq(notifications.userId, who.id),
        inArray(notifications.kind, kindsOf(tab)),
        before === undefined ? undefined : isBefore(before),
      ),
    )
    .orderBy(desc(notifications.happenedAt), desc(notifications.id))
    .limit(notificationPageSize + 1)
  const page = found.slice(0, notificationPageSize)
  const next = found.length > page.length ? (page.at(-1)?.cursor ?? null) : null
  return { notifications: page.map((row) => toNotification(row, row.isVisible)), next }
}

function isBefore(cursor: string): SQL {
  const [microseconds, id] = cursor.split('.')
  return sql`(${notifications.happenedAt}, ${notifications.id})
    < ('epoch'::timestamptz + ${microseconds}::float8 * interval '1 microsecond', ${id}::int8)`
}

/** Those by which people were told that these notes mention them. */
export async function listMentions(
  db: Db,
  keys: readonly { userId: number; messageId: number }[],
): Promise<NotificationRow[]> {
  if (keys.length === 0) return []
  const messageIds = keys.map(({ messageId }) => messageId)
  const userIds = keys.map(({ userId }) => userId)
  return select(db, sql<boolean>`false`).where(
    and(
      eq(notifications.kind, 'mention'),
      inArray(notifications.messageId, messageIds),
      inArray(notifications.userId, userIds),
    ),
  )
}

/**
 * The one serializer, for REST and for sockets.
 * @param isVisible whether the person may read what it is about
 */
export function toNotification(row: NotificationRow, isVisible: boolean): Notification {
  const { id, kind, happenedAt, readAt, count, actorId, conversationId } = row.notification
  const common = { id, kind, happenedAt: happenedAt.toISOString(), isRead: readAt !== null, count }
  if (!isVisible) return { ...common, about: null }
  const { message, actorName, facts, contactName, sectorName, picture } = row
  return {
    ...common,
    about: {
      conversationId,
      isCompleted: facts.status === 'completed',
      contactName,
      by:
        actorId === null || actorName === null
          ? null
          : { id: actorId, name: actorName, pictureUrl: pictureUrlOf(picture) },
      sectorName,
      message: message && toShown(message),
    },
  }
}

function toShown({ metadata, ...message }: NonNullable<NotificationRow['message']>) {
  const { event, mentions = [] } = metadata
  return {
    ...message,
    act: event?.act ?? null,
    to: event?.to ?? null,
    mentioned: mentions.map(({ name }) => name),
  }
}

/** How many a person has not read, by tab. */
export async function countUnreadOf(db: Db, userId: number): Promise<Unread> {
  const found = await rows<Unread & Record<string, unknown>>(
    db,
    sql`select count(*) filter (where ${inArray(notifications.kind, kindsOf('mentions'))})::int as mentions,
               count(*) filter (where ${inArray(notifications.kind, kindsOf('updates'))})::int as updates
          from ${notifications}
         where ${and(eq(notifications.userId, userId), isNull(notifications.readAt))}`,
  )
  return found[0] ?? { mentions: 0, updates: 0 }
}
