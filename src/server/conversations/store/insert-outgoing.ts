import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/platform/database/db.ts'
import { outbox, outboxPriorities } from '#server/schema/conversations/outbox.ts'
import { type ConversationChange, noteReturnSeen } from './change.ts'
import type { Locked } from './lock.ts'
import { insertRow, type Inserted, type NewMessage, noteInConversation, type PlaceNow } from './write.ts'

export interface OutgoingMessage {
  content: string
  messageType?: NewMessage['messageType']
  senderId?: number | null
  clientMessageId?: string | undefined
  quoted?: { waId: string; content: string } | undefined
  fileName?: string
  fileUrl?: string
  fileMimeType?: string
  fileSize?: number
  metadata?: NewMessage['metadata']
  /** How long the contact had waited, in milliseconds. */
  responseMs?: SQL<number> | null
  /** Where it comes, if `findPlace` was called for it already and nothing was written since. */
  place?: PlaceNow | undefined
  /** Automatic texts come after messages of people, unless they belong just before one. */
  priority?: number
  /** How long it waits, as an interval, since it can be undone until then. */
  heldFor?: SQL | undefined
  /** Where it was counted as a quick reply. */
  quickReplyUseId?: number | undefined
}

/**
 * Appends an outgoing message to a locked conversation and puts it into the outbox.
 * @param change as of `insertMessage`
 */
export async function insertOutgoing(
  db: Tx,
  conversation: Locked,
  { quoted, priority, heldFor, quickReplyUseId, ...message }: OutgoingMessage,
  change?: ConversationChange,
): Promise<Inserted> {
  const inserted = await insertRow(db, conversation, {
    ...message,
    senderType: 'user',
    quotedWhatsappId: quoted?.waId ?? null,
    quotedContent: quoted?.content ?? null,
    deliveryStatus: 'pending',
  })
  const isAutomatic = priority === outboxPriorities.automatic
  const row = {
    instanceId: conversation.instanceId,
    conversationId: conversation.id,
    messageId: inserted.id,
    priority: priority ?? outboxPriorities.person,
    ...(quickReplyUseId !== undefined && { quickReplyUseId }),
    ...(heldFor && { notBefore: sql`now() + ${heldFor}` }),
  }
  await Promise.all([
    noteInConversation(db, conversation, inserted, change),
    noteReturnSeen(db, conversation, change ?? {}),
    isAutomatic
      ? db.insert(outbox).values(row)
      : db.with(hastened(db, conversation)).insert(outbox).values(row),
    isAutomatic && endWaiting(db, conversation.id, row.notBefore),
  ])
  db.emit({ type: 'new_message', conversationId: conversation.id, messageId: inserted.id })
  db.signal('outbox')
  return inserted
}

/** An automatic text does not wait until what was written before it cannot be undone any more. */
async function endWaiting(db: Db, conversationId: number, until = sql`now()`): Promise<void> {
  await db
    .update(outbox)
    .set({ notBefore: until })
    .where(
      and(
        eq(outbox.conversationId, conversationId),
        sql`${outbox.state} = 'pending' and ${outbox.tries} = 0 and ${outbox.notBefore} > ${until}`,
      ),
    )
}

/**
 * Automatic texts to the same contact by the same number that were decided before a person's message leave
 * before it, and so without the pace of automatic texts. One that a worker is claiming leaves anyway.
 */
function hastened(db: Db, { contactId, instanceId }: Locked) {
  return db.$with('hastened').as(
    db
      .update(outbox)
      .set({ priority: outboxPriorities.person })
      .where(
        sql`${outbox.id} in (select o.id from conversations v join outbox o on o.conversation_id = v.id
                              where v.contact_id = ${contactId} and o.instance_id = ${instanceId}
                                and o.state = 'pending' and o.priority > ${outboxPriorities.person}
                                for update of o skip locked)`,
      )
      .returning({ id: outbox.id }),
  )
}
