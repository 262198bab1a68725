import { and, asc, desc, eq, ne, type SQL } from 'drizzle-orm'
import type { Db, Tx } from '#server/platform/database/db.ts'
import { conversations, messages } from '#server/schema/conversations.ts'

declare const lock: unique symbol

/** A row that the open transaction holds, or has made. Only what stands in `lock.ts` and `write.ts` makes one. */
type Held<Row> = Row & { readonly [lock]: true }

export type Locked = Held<typeof conversations.$inferSelect>

/** A message of a conversation that is locked. */
export type LockedMessage = Held<typeof messages.$inferSelect>

/** For the statements of this room that insert or update a conversation, and hold it by that. */
export const asLocked = (row: typeof conversations.$inferSelect): Locked => row as Locked

/** Locks the conversation until the end of the transaction; undefined when there is none of this id. */
export async function lockConversation(db: Tx, id: number): Promise<Locked | undefined> {
  const [row] = await lockConversations(db, eq(conversations.id, id))
  return row
}

export async function lockOpenConversation(
  db: Tx,
  contactId: number,
  instanceId: number,
): Promise<Locked | undefined> {
  const isOpen = and(
    eq(conversations.contactId, contactId),
    eq(conversations.instanceId, instanceId),
    ne(conversations.status, 'completed'),
  )
  const [row] = await lockConversations(db, isOpen)
  return row
}

/** Locks all that match in the order of their ids, so that two who lock several never wait for each other. */
export async function lockConversations(db: Tx, where: SQL | undefined): Promise<Locked[]> {
  const found = await db
    .select()
    .from(conversations)
    .where(where)
    .orderBy(asc(conversations.id))
    .for('update')
  return found.map(asLocked)
}

/** Locks the latest of those that match. */
export async function lockLatestConversation(db: Tx, where: SQL | undefined): Promise<Locked | undefined> {
  const [row] = await db
    .select()
    .from(conversations)
    .where(where)
    .orderBy(desc(conversations.id))
    .limit(1)
    .for('update')
  return row && asLocked(row)
}

/** Locks the message that WhatsApp knows by this id, and its conversation before it. */
export function lockMessageByWaId(
  db: Tx,
  instanceId: number,
  waId: string,
): Promise<LockedMessage | undefined> {
  return lockMessageWhere(db, isOfWaId(instanceId, waId))
}

/** Locks the message, and its conversation before it. */
export function lockMessage(db: Tx, id: number): Promise<LockedMessage | undefined> {
  return lockMessageWhere(db, eq(messages.id, id))
}

/** A message of a conversation that the transaction holds already. */
export async function findMessageIn(
  db: Tx,
  conversation: Pick<Locked, 'id' | typeof lock>,
  messageId: number,
): Promise<LockedMessage | undefined> {
  const [row] = await db
    .select()
    .from(messages)
    .where(and(eq(messages.id, messageId), eq(messages.conversationId, conversation.id)))
  return row as LockedMessage | undefined
}

/** Every transaction locks a conversation before its messages, so that two of them never wait for each other. */
async function lockMessageWhere(db: Tx, where: SQL | undefined): Promise<LockedMessage | undefined> {
  const [found] = await db.select({ conversationId: messages.conversationId }).from(messages).where(where)
  if (!found) return undefined
  await lockConversation(db, found.conversationId)
  // Read once it is locked: whoever held the conversation before us may have changed the message.
  const [row] = await db.select().from(messages).where(where)
  return row as LockedMessage | undefined
}

/** Whether a message has this id by now. */
export async function isWaIdTaken(db: Db, instanceId: number, waId: string): Promise<boolean> {
  const found = await db.select({ id: messages.id }).from(messages).where(isOfWaId(instanceId, waId))
  return found.length > 0
}

function isOfWaId(instanceId: number, waId: string): SQL | undefined {
  return and(eq(messages.instanceId, instanceId), eq(messages.whatsappMessageId, waId))
}
