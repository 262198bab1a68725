import { and, eq, ne, type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/platform/database/db.ts'
import { rows, type Tx } from '#server/platform/database/db.ts'
import { conversations, messages } from '#server/schema/conversations.ts'
import { outbox, outboxPriorities } from '#server/schema/outbox.ts'
import { isCountedMessage } from '#shared/message-kinds.ts'
import type { MessageMetadata } from '#shared/message-metadata.ts'
import { recountReads } from './reads.ts'
import { isSaidByContact, isSaidHere } from './counted-message.ts'
import { type Locked, asLocked } from './lock.ts'
import type { ConversationChange } from './change.ts'

type NewConversation = Pick<typeof conversations.$inferInsert, 'instanceId' | 'contactId' | 'initiatedBy'> &
  Partial<typeof conversations.$inferInsert>
type NewMessage = Omit<
  typeof messages.$inferInsert,
  'conversationId' | 'instanceId' | 'sortAt' | 'sentAt' | 'responseMs'
> & {
  /** By the gateway's clock; absent: now. */
  sentAt?: Date | undefined
  responseMs?: SQL<number> | null
}

/** Writes a conversation with its protocol; undefined when the contact has an open one by now. */
export async function insertConversation(db: Tx, values: NewConversation): Promise<Locked | undefined> {
  const [row] = await insertConversations(db, [values])
  return row
}

/** The same for many; whoever has an open one by now is missing in what it returns. */
export async function insertConversations(db: Tx, many: NewConversation[]): Promise<Locked[]> {
  if (many.length === 0) return []
  const protocol = sql`to_char(app_now() at time zone 'America/Sao_Paulo', 'YYYYMMDD')
    || lpad(nextval('conversation_protocol')::text, 6, '0')`
  const made = await db
    .insert(conversations)
    .values(many.map((values) => ({ ...values, protocol })))
    .onConflictDoNothing()
    .returning()
  return made.map(asLocked)
}

/** A contact has a new name, or is told otherwise: whoever sees its open conversation sees it. */
export async function tellNamed(db: Tx, contactId: number | undefined): Promise<void> {
  if (contactId === undefined) return
  const open = await db
    .update(conversations)
    .set({ version: sql`${conversations.version} + 1` })
    .where(and(eq(conversations.contactId, contactId), ne(conversations.status, 'completed')))
    .returning({ id: conversations.id })
  for (const { id } of open) db.emit({ type: 'conversation_updated', conversationId: id })
}

/** A contact has another picture: a card has no version of its own, and nothing of the conversation changed. */
export async function tellPictured(db: Tx, contactId: number): Promise<void> {
  const open = await db
    .select({ id: conversations.id })
    .from(conversations)
    .where(and(eq(conversations.contactId, contactId), ne(conversations.status, 'completed')))
  for (const { id } of open) db.emit({ type: 'conversation_updated', conversationId: id })
}

/** Counts a locked conversation's messages anew, and what was read of them, after some were moved in or out. */
export async function recount(db: Tx, id: number): Promise<void> {
  const isHere = sql`m.conversation_id = ${id}`
  const shown = sql`${isHere} and ${isSaidHere}`
  await db
    .update(conversations)
    .set({
      messageCount: sql`(select count(*)::int from messages m where ${shown})`,
      contactMessageCount: sql`(select count(*)::int from messages m where ${isHere} and ${isSaidByContact})`,
      lastMessageId: sql`(select m.id from messages m where ${shown} order by m.sort_at desc, m.id desc limit 1)`,
      version: sql`${conversations.version} + 1`,
    })
    .where(eq(conversations.id, id))
  await recountReads(db, id)
}

/** A gateway's time this much older than ours is kept as the message's place. */
export const lateMs = 60_000

interface Times {
  now: Date
  last: Date | null
}

async function times(db: Db, conversationId: number): Promise<Times> {
  const [row] = await rows<{ now: string; last: string | null }>(
    db,
    sql`select app_now()::text as now, (select max(sort_at)::text from messages where conversation_id = ${conversationId}) as last`,
  )
  if (!row) throw new Error('the database has no clock')
  return { now: new Date(row.now), last: row.last ? new Date(row.last) : null }
}

export interface Inserted {
  id: number
  sortAt: Date
  now: Date
  row: typeof messages.$inferSelect
}

/**
 * Appends a message to a locked conversation. Its place is set once: now, or the gateway's own time when that is more
 * than a minute older. 'Now' never falls before what is there already, so that order is the order of the locks.
 * @param change what becomes of the conversation by it, where the caller changes nothing else; it is active by it too
 * @see decisions §3 Conversation
 */
export async function insertMessage(
  db: Db,
  conversation: Locked,
  message: NewMessage,
  change?: ConversationChange,
): Promise<Inserted> {
  const { now, last } = await times(db, conversation.id)
  const given = clamp(message.sentAt, now)
  const isLate = now.getTime() - given.getTime() > lateMs
  const sortAt = isLate ? given : last !== null && last > now ? last : now
  const [row] = await db
    .insert(messages)
    .values({
      ...message,
      conversationId: conversation.id,
      instanceId: conversation.instanceId,
      sentAt: given,
      sortAt,
      createdAt: now,
    })
    .returning()
  if (!row) throw new Error('message not written')
  // What only administrators see is not counted either: everybody would read it off the number.
  const isCounted = isCountedMessage(message.messageType ?? 'text')
  if (isCounted || change) {
    const isNewest = last === null || sortAt >= last || conversation.lastMessageId === null
    await db
      .update(conversations)
      .set({
        ...(isCounted && { messageCount: sql`${conversations.messageCount} + 1` }),
        ...(isCounted &&
          message.senderType === 'contact' && {
            contactMessageCount: sql`${conversations.contactMessageCount} + 1`,
          }),
        ...(isCounted && isNewest && { lastMessageId: row.id }),
        ...(change && { ...change, lastActivityAt: sortAt, version: sql`${conversations.version} + 1` }),
      })
      .where(eq(conversations.id, conversation.id))
  }
  return { id: row.id, sortAt, now, row }
}

/** Clocks of phones are wrong by years sometimes: nothing is older than 30 days or newer than in two minutes. */
function clamp(sentAt: Date | undefined, now: Date): Date {
  if (!sentAt) return now
  const [from, to] = [now.getTime() - 30 * 86_400_000, now.getTime() + 120_000]
  const ms = sentAt.getTime()
  return ms < from ? new Date(from) : ms > to ? now : sentAt
}

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
  /** How long the client had waited, in milliseconds. */
  responseMs?: SQL<number> | null
  /** Automatic texts wait for what people write, unless they must go out just before it. */
  priority?: number
}

/**
 * Appends a message of ours to a locked conversation and puts it into the outbox.
 * @param change as of `insertMessage`
 */
export async function insertOutgoing(
  db: Tx,
  conversation: Locked,
  { quoted, priority, ...message }: OutgoingMessage,
  change?: ConversationChange,
): Promise<Inserted> {
  const inserted = await insertMessage(
    db,
    conversation,
    {
      ...message,
      senderType: 'user',
      quotedWhatsappId: quoted?.waId ?? null,
      quotedContent: quoted?.content ?? null,
      deliveryStatus: 'pending',
    },
    change,
  )
  await db.insert(outbox).values({
    instanceId: conversation.instanceId,
    conversationId: conversation.id,
    messageId: inserted.id,
    priority: priority ?? outboxPriorities.person,
  })
  db.emit({ type: 'new_message', conversationId: conversation.id, messageId: inserted.id })
  db.signal('outbox')
  return inserted
}

/** Writes into a locked conversation what became of it: a line of its timeline, and no message. */
export async function noteAct(
  db: Tx,
  conversation: Locked,
  {
    by,
    note = '',
    ...event
  }: {
    /** null: the product itself. */
    by: number | null
    note?: string | undefined
  } & NonNullable<MessageMetadata['event']>,
): Promise<void> {
  const { id } = await insertMessage(db, conversation, {
    senderType: 'user',
    senderId: by,
    messageType: 'event',
    content: note.trim(),
    metadata: { event },
  })
  db.emit({ type: 'new_message', conversationId: conversation.id, messageId: id })
}
