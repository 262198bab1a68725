import { and, eq, inArray, sql } from 'drizzle-orm'
import { isTrackingType } from '#shared/messages/message-kinds.ts'
import { maxTextLength } from '#shared/messages/messages.ts'
import type { Draft } from '#shared/conversations/drafts.ts'
import type { Origin } from '#shared/messages/message-metadata.ts'
import { confirmRights, type Who } from '#server/platform/http/access.ts'
import { isInReach } from '#server/platform/http/reach.ts'
import { type Database, type Db, inTransaction, type Tx } from '#server/platform/database/db.ts'
import { conversations, isOpen, messages } from '#server/schema/conversations/conversations.ts'
import { conversationDrafts } from '#server/schema/conversations/reads.ts'
import { users } from '#server/schema/users.ts'
import { readableColumns } from '#server/conversations/store/rows.ts'
import { toQuoted } from '#server/conversations/store/serializers.ts'
import {
  conversationCompleted,
  conversationNotFound,
  expectNoNote,
  messageFor,
  seesOrRecentlySaw,
  seesTracking,
} from '#server/conversations/store/access.ts'

// Drafts of a completed conversation are no longer listed, but are deleted only a month later: the text is
// not lost when a colleague completes it.

function selectDrafts(db: Db) {
  return db
    .select({
      userId: conversationDrafts.userId,
      conversationId: conversationDrafts.conversationId,
      content: conversationDrafts.content,
      updatedAt: conversationDrafts.updatedAt,
      quoted: {
        id: messages.id,
        conversationId: messages.conversationId,
        senderType: messages.senderType,
        messageType: messages.messageType,
        content: sql<string>`left(${messages.content}, 300)`,
        deletedAt: messages.deletedAt,
        senderId: messages.senderId,
        // Not a column: rows without a quote would no longer be distinguished by the columns of one table.
        senderName: sql<string | null>`${users.name}`,
        origin: sql<Origin | null>`${messages.metadata} ->> 'origin'`,
      },
    })
    .from(conversationDrafts)
    .leftJoin(messages, eq(messages.id, conversationDrafts.quotedMessageId))
    .leftJoin(users, eq(users.id, messages.senderId))
}

export type DraftRow = Awaited<ReturnType<typeof listDraftRows>>[number]

/**
 * The one serializer of a draft, for REST and for sockets.
 * @param withTracking whether the writer sees what only administrators see: a quoted message that they do not
 *   see is not there
 */
export function toDraft(
  { conversationId, content, updatedAt, quoted }: DraftRow,
  withTracking: boolean,
): Draft {
  const isQuoteSeen = quoted !== null && (withTracking || !isTrackingType(quoted.messageType))
  return {
    conversationId,
    content,
    updatedAt: updatedAt.toISOString(),
    quoted: isQuoteSeen ? toQuoted(quoted) : null,
  }
}

/** A person's drafts in open conversations. */
export async function listDrafts(db: Db, who: Who): Promise<Draft[]> {
  const found = await selectDrafts(db)
    .innerJoin(conversations, eq(conversations.id, conversationDrafts.conversationId))
    .where(and(eq(conversationDrafts.userId, who.id), isOpen, isInReach(who, conversations)))
    .orderBy(conversationDrafts.conversationId)
  return found.map((row) => toDraft(row, seesTracking(who)))
}

/** All drafts of these users in these conversations: every combination, not only the pairs of a caller. */
function listDraftRows(db: Db, userIds: number[], conversationIds: number[]) {
  return selectDrafts(db)
    .where(
      and(
        inArray(conversationDrafts.userId, userIds),
        inArray(conversationDrafts.conversationId, conversationIds),
      ),
    )
    .execute()
}

/** Drafts of the given users and conversations, by `draftKey`. */
export async function readDrafts(
  db: Db,
  rows: readonly { userId: number | null; conversationId: number | null }[],
): Promise<Map<string, DraftRow>> {
  const userIds = rows.map(({ userId }) => userId ?? 0)
  if (userIds.length === 0) return new Map()
  const found = await listDraftRows(
    db,
    userIds,
    rows.map(({ conversationId }) => conversationId ?? 0),
  )
  return new Map(found.map((row) => [draftKey(row), row]))
}

export const draftKey = (of: { userId: number | null; conversationId: number | null }) =>
  `${of.userId}:${of.conversationId}`

/**
 * Stores a person's draft, or deletes it when it has neither text nor a quoted message. The last write wins.
 * @throws AppError 404 no such conversation or message in it, 409 completed
 */
export async function saveDraft(
  database: Database,
  who: Who,
  draft: { conversationId: number; content: string; quotedMessageId: number | null },
): Promise<Draft | null> {
  const { conversationId, content, quotedMessageId } = draft
  return inTransaction(database, async (db) => {
    await lockOpen(db, who, conversationId)
    if (quotedMessageId !== null)
      expectNoNote(await messageFor(db, who, { conversationId, messageId: quotedMessageId }))
    const key = { userId: who.id, conversationId }
    if (content.trim() === '' && quotedMessageId === null) {
      const gone = await db
        .delete(conversationDrafts)
        .where(
          and(eq(conversationDrafts.userId, who.id), eq(conversationDrafts.conversationId, conversationId)),
        )
        .returning({ userId: conversationDrafts.userId })
      if (gone.length > 0) db.emit({ type: 'draft_changed', ...key })
      return null
    }
    const updatedAt = sql`app_now()`
    await db
      .insert(conversationDrafts)
      .values({ ...key, content, quotedMessageId, updatedAt })
      .onConflictDoUpdate({
        target: [conversationDrafts.userId, conversationDrafts.conversationId],
        set: { content, quotedMessageId, updatedAt },
      })
    db.emit({ type: 'draft_changed', ...key })
    const row = (await readDrafts(db, [key])).get(draftKey(key))
    return row ? toDraft(row, seesTracking(who)) : null
  })
}

/**
 * Keeps the conversation from being completed or deleted until the draft is written. A shared lock, since
 * several people may save their drafts at once.
 */
async function lockOpen(db: Db, who: Who, conversationId: number): Promise<void> {
  const [row] = who.flags.canViewConversations
    ? await db
        .select(readableColumns)
        .from(conversations)
        .where(eq(conversations.id, conversationId))
        .for('key share')
    : []
  await confirmRights(who, db)
  if (!row || !(await seesOrRecentlySaw(db, who, row))) throw conversationNotFound()
  if (row.status === 'completed') throw conversationCompleted()
}

/** Moves the drafts of one conversation into another, both locked. Two texts of one person are joined. */
export async function mergeDrafts(db: Tx, fromId: number, toId: number): Promise<void> {
  const merged = await db.execute<{ userId: number }>(
    sql`with gone as (delete from conversation_drafts where conversation_id = ${fromId} returning *)
        insert into conversation_drafts as d
               (user_id, conversation_id, content, quoted_message_id, updated_at)
        select user_id, ${toId}::int, content, quoted_message_id, app_now() from gone
        on conflict (user_id, conversation_id) do update
           set content = left(concat_ws(E'\n', nullif(d.content, ''), nullif(excluded.content, '')),
                              ${maxTextLength}),
               quoted_message_id = coalesce(d.quoted_message_id, excluded.quoted_message_id),
               updated_at = excluded.updated_at
        returning user_id as "userId"`,
  )
  for (const { userId } of merged.rows)
    for (const conversationId of [fromId, toId]) db.emit({ type: 'draft_changed', userId, conversationId })
}
