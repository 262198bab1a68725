import { and, desc, eq, isNull, ne } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import { record } from '#server/audit/audit.ts'
import { mainInstanceId } from '#server/gateway/gateway.ts'
import type { Who } from '#server/platform/http/access.ts'
import { type Database, type Db, inTransaction, type Tx } from '#server/platform/database/db.ts'
import { contacts } from '#server/schema/contacts.ts'
import { conversations } from '#server/schema/conversations.ts'
import { getSettings } from '#server/settings/settings.ts'
import { absorbWaitingChoices } from '#server/conversations/automatic/choice-merge.ts'
import { type Replied, type Reply, replyIn } from './reply.ts'
import { sendAutomatic } from '#server/conversations/store/texts.ts'
import { insertConversation } from '#server/conversations/store/write.ts'
import { lockConversation, type Locked, lockOpenConversation } from '#server/conversations/store/lock.ts'

/** The open conversation of a contact, the newest where several numbers have one. */
export async function findOpenOf(db: Db, contactId: number): Promise<number | undefined> {
  const [row] = await db
    .select({ id: conversations.id })
    .from(conversations)
    .where(and(eq(conversations.contactId, contactId), ne(conversations.status, 'completed')))
    .orderBy(desc(conversations.id))
    .limit(1)
  return row?.id
}

/**
 * Writes to a contact: in his open conversation, or in a new one, which is the writer's. Two who begin at once write in
 * one conversation.
 * @throws AppError 404 no such contact, 403 blocked, 409 no number to write from
 */
export async function sendToContact(
  database: Database,
  who: Who,
  contactId: number,
  reply: Reply,
): Promise<Replied & { conversationId: number }> {
  return inTransaction(database, async (db) => {
    await holdWritable(db, contactId)
    const conversation = (await lockOpenOf(db, contactId)) ?? (await begin(db, who, contactId))
    return { conversationId: conversation.id, ...(await replyIn(db, who, conversation, reply)) }
  })
}

const selectWritable = (db: Db, contactId: number) =>
  db
    .select({ isBlocked: contacts.isBlocked })
    .from(contacts)
    .where(and(eq(contacts.id, contactId), isNull(contacts.deletedAt)))

function judgeWritable(contact: { isBlocked: boolean } | undefined): void {
  if (!contact) throw new AppError('contacts.not_found')
  if (contact.isBlocked) throw new AppError('contacts.blocked')
}

/** Before something long is begun that ends in `sendToContact`. @throws AppError 404 no such contact, 403 blocked */
export async function expectWritable(db: Db, contactId: number): Promise<void> {
  const [contact] = await selectWritable(db, contactId)
  judgeWritable(contact)
}

/** The same, and the contact is held: first, as everybody does who works at his conversations. */
async function holdWritable(db: Db, contactId: number): Promise<void> {
  const [contact] = await selectWritable(db, contactId).for('no key update')
  judgeWritable(contact)
}

/** One that was completed while it was waited for is none. */
async function lockOpenOf(db: Tx, contactId: number): Promise<Locked | undefined> {
  const id = await findOpenOf(db, contactId)
  const locked = id === undefined ? undefined : await lockConversation(db, id)
  return locked?.status === 'completed' ? undefined : locked
}

async function begin(db: Tx, who: Who, contactId: number): Promise<Locked> {
  const instanceId = await mainInstanceId(db)
  if (instanceId === undefined) throw new AppError('gateway.not_configured')
  const made = await insertConversation(db, {
    instanceId,
    contactId,
    initiatedBy: 'operator',
    status: 'active',
    subStatus: 'OPERADOR',
    waitingFor: 'client',
    assignedUserId: who.id,
  })
  const conversation = made ?? (await lockOpenConversation(db, contactId, instanceId))
  if (!conversation) throw new Error('a contact has an open conversation that is not there')
  if (!made) return conversation
  await absorbWaitingChoices(db, conversation)
  await record(db, {
    userId: who.id,
    action: 'conversation.start',
    resourceType: 'conversation',
    resourceId: conversation.id,
    details: { contactId },
  })
  db.emit({ type: 'new_conversation', conversationId: conversation.id })
  await sendAutomatic(db, conversation, 'operatorInitiatedWarningMessage', {
    settings: await getSettings(db),
  })
  return conversation
}
