import { and, eq, ne, type SQL, sql } from 'drizzle-orm'
import type { Db, Emit } from '#server/platform/db.ts'
import { rows } from '#server/platform/db.ts'
import { conversations, messages, outbox, outboxPriorities } from '#server/schema/conversations.ts'
import { isCountedMessage } from '#shared/message-kinds.ts'
import type { MessageMetadata } from '#shared/message-metadata.ts'
import { recountReads } from './reads.ts'
import { isSaidByContact, isSaidHere } from './said.ts'

export type Locked = typeof conversations.$inferSelect
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

/** Takes the conversation for the rest of the transaction: whoever changes it goes one after the other. */
export async function lockConversation(db: Db, id: number): Promise<Locked | undefined> {
  const [row] = await db.select().from(conversations).where(eq(conversations.id, id)).for('update')
  return row
}

export async function lockOpenConversation(
  db: Db,
  contactId: number,
  instanceId: number,
): Promise<Locked | undefined> {
  const [row] = await db
    .select()
    .from(conversations)
    .where(
      and(
        eq(conversations.contactId, contactId),
        eq(conversations.instanceId, instanceId),
        ne(conversations.status, 'completed'),
      ),
    )
    .for('update')
  return row
}

/** Writes a conversation with its protocol; undefined when the contact has an open one by now. */
export async function insertConversation(db: Db, values: NewConversation): Promise<Locked | undefined> {
  const [row] = await insertConversations(db, [values])
  return row
}

/** The same for many; whoever has an open one by now is missing in what it returns. */
export async function insertConversations(db: Db, many: NewConversation[]): Promise<Locked[]> {
  if (many.length === 0) return []
  const protocol = sql`to_char(app_now() at time zone 'America/Sao_Paulo', 'YYYYMMDD')
    || lpad(nextval('conversation_protocol')::text, 6, '0')`
  return db
    .insert(conversations)
    .values(many.map((values) => ({ ...values, protocol })))
    .onConflictDoNothing()
    .returning()
}

export async function updateConversation(
  db: Db,
  id: number,
  values: ConversationChange | Record<string, unknown>,
): Promise<Locked> {
  const [row] = await db
    .update(conversations)
    .set({ ...values, version: sql`${conversations.version} + 1` })
    .where(eq(conversations.id, id))
    .returning()
  if (!row) throw new Error('a locked conversation vanished')
  return row
}

/** A contact has a new name, or is told otherwise: whoever sees its open conversation sees it. */
export async function tellNamed(db: Db, emit: Emit, contactId: number | undefined): Promise<void> {
  if (contactId === undefined) return
  const open = await db
    .update(conversations)
    .set({ version: sql`${conversations.version} + 1` })
    .where(and(eq(conversations.contactId, contactId), ne(conversations.status, 'completed')))
    .returning({ id: conversations.id })
  for (const { id } of open) emit({ type: 'conversation_updated', conversationId: id })
}

/** A contact has another picture: a card has no version of its own, and nothing of the conversation changed. */
export async function tellPictured(db: Db, emit: Emit, contactId: number): Promise<void> {
  const open = await db
    .select({ id: conversations.id })
    .from(conversations)
    .where(and(eq(conversations.contactId, contactId), ne(conversations.status, 'completed')))
  for (const { id } of open) emit({ type: 'conversation_updated', conversationId: id })
}

/** Counts a locked conversation's messages anew, and what was read of them, after some were moved in or out. */
export async function recount(db: Db, emit: Emit, id: number): Promise<void> {
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
  await recountReads(db, emit, id)
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

type ConversationChange = Partial<typeof conversations.$inferInsert>

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
  db: Db,
  emit: Emit,
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
  emit({ type: 'new_message', conversationId: conversation.id, messageId: inserted.id })
  emit.wake('outbox')
  return inserted
}

/** Writes into a locked conversation what became of it: a line of its timeline, and no message. */
export async function noteAct(
  db: Db,
  emit: Emit,
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
  emit({ type: 'new_message', conversationId: conversation.id, messageId: id })
}
