import { and, desc, eq, sql } from 'drizzle-orm'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { viewedBy } from '#shared/text/text.ts'
import { record } from '#server/audit/audit.ts'
import type { Who } from '#server/platform/http/access.ts'
import { type Database, inTransaction, type Place, rows, type Tx } from '#server/platform/database/db.ts'
import { messages } from '#server/schema/conversations/conversations.ts'
import { getSettings } from '#server/settings/settings.ts'
import { expectReadable, lockConversationFor } from '#server/conversations/store/access.ts'
import type { Locked } from '#server/conversations/store/lock.ts'
import { actOnConversation } from './assign.ts'
import { insertMessage } from '#server/conversations/store/write.ts'
import { updateConversation } from '#server/conversations/store/change.ts'

/**
 * Switches the automatic close of an open conversation on or off.
 * @throws AppError 404, 409 completed
 */
export async function setAutoClose(
  database: Database,
  who: Who,
  act: { conversationId: number; disableAutoClose: boolean },
): Promise<void> {
  const { conversationId, disableAutoClose } = act
  await changeAttribute(database, who, conversationId, { disableAutoClose }, (db, before) =>
    record(db, who, {
      action: 'conversation.auto_close',
      resourceId: conversationId,
      details: { changes: { disableAutoClose: [before.disableAutoClose, disableAutoClose] } },
    }),
  )
}

/**
 * Sets the priority of an open conversation.
 * @throws AppError 404, 409 completed
 */
export async function prioritize(
  database: Place,
  who: Who,
  act: { conversationId: number; priority: Conversation['priority'] },
): Promise<void> {
  const { conversationId, priority } = act
  await changeAttribute(database, who, conversationId, { priority }, (db, before) =>
    record(db, who, {
      action: 'conversation.priority',
      resourceId: conversationId,
      details: { changes: { priority: [before.priority, priority] } },
    }),
  )
}

async function changeAttribute(
  database: Place,
  who: Who,
  conversationId: number,
  to: Partial<Pick<Conversation, 'disableAutoClose' | 'priority'>>,
  note: (db: Tx, before: Locked) => Promise<number>,
): Promise<void> {
  await actOnConversation(database, who, { conversationId }, async (db, conversation) => {
    await updateConversation(db, conversation, to)
    await note(db, conversation)
    db.emit({ type: 'conversation_updated', conversationId })
  })
}

/** Notes that its operator has opened a conversation that had returned from hold. */
async function noteSeen(database: Database, who: Who, conversationId: number): Promise<void> {
  const [back] = await rows(
    database,
    sql`select 1 from conversations
         where id = ${conversationId} and returned_at is not null and assigned_user_id = ${who.id}`,
  )
  if (!back) return
  await inTransaction(database, async (db) => {
    const conversation = await lockConversationFor(db, who, conversationId)
    if (conversation.returnedAt === null || conversation.assignedUserId !== who.id) return
    await updateConversation(db, conversation, { returnedAt: null })
    db.emit({ type: 'conversation_updated', conversationId })
  })
}

/** Views of one person within this time count as one. */
const sameViewMs = 60_000

/**
 * Adds a view entry to the timeline, visible to administrators only. Views by supervisors and administrators
 * are recorded only while `enableViewTrackingForAll` is on.
 * @throws AppError 404
 */
export async function recordView(database: Database, who: Who, conversationId: number): Promise<void> {
  const { enableViewTrackingForAll } = await getSettings(database)
  await expectReadable(database, who, conversationId)
  await noteSeen(database, who, conversationId)
  if (!enableViewTrackingForAll && who.role !== 'operator') return
  await inTransaction(database, async (db) => {
    const conversation = await lockConversationFor(db, who, conversationId)
    const [lastView] = await db
      .select({
        isRecent: sql<boolean>`${messages.createdAt} > app_now() - ${sameViewMs} * interval '1 millisecond'`,
      })
      .from(messages)
      .where(
        and(
          eq(messages.conversationId, conversationId),
          eq(messages.messageType, 'view_tracking'),
          eq(messages.senderId, who.id),
        ),
      )
      .orderBy(desc(messages.sortAt), desc(messages.id))
      .limit(1)
    if (lastView?.isRecent) return
    const { id } = await insertMessage(db, conversation, {
      senderType: 'user',
      senderId: who.id,
      messageType: 'view_tracking',
      content: viewedBy(who.name),
    })
    db.emit({ type: 'new_message', conversationId, messageId: id })
  })
}
