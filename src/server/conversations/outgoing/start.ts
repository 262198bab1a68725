import { and, desc, eq, isNull } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import { record } from '#server/audit/audit.ts'
import { mainInstanceId } from '#server/gateway/gateway.ts'
import { confirmRights, type Who } from '#server/platform/http/access.ts'
import { type Database, type Db, inTransaction, type Tx } from '#server/platform/database/db.ts'
import { contacts } from '#server/schema/contacts/contacts.ts'
import { conversations, isOpen } from '#server/schema/conversations/conversations.ts'
import { getSettings } from '#server/settings/settings.ts'
import { absorbWaitingChoices } from '#server/conversations/automatic/choice-merge.ts'
import { type Replied, type Reply, storeReply } from './reply.ts'
import { sendAutomatic } from '#server/conversations/store/texts.ts'
import { insertConversation } from '#server/conversations/store/write.ts'
import { lockConversation, type Locked, lockOpenConversation } from '#server/conversations/store/lock.ts'

/** The id of a contact's open conversation; the newest one, if it has several through different numbers. */
export async function findOpenConversation(db: Db, contactId: number): Promise<number | undefined> {
  const [row] = await db
    .select({ id: conversations.id })
    .from(conversations)
    .where(and(eq(conversations.contactId, contactId), isOpen))
    .orderBy(desc(conversations.id))
    .limit(1)
  return row?.id
}

/**
 * Sends a message to a contact: in the open conversation, or in a new one that is assigned to the sender. Two
 * people who call it at once write into one conversation.
 * @throws AppError 404 no such contact, 403 blocked, 409 no number to send from, 403 when there is an open
 *   conversation and the person may not see conversations
 */
export async function sendToContact(
  database: Database,
  who: Who,
  contactId: number,
  reply: Reply,
): Promise<Replied & { conversationId: number }> {
  return inTransaction(database, async (db) => {
    await lockWritableContact(db, contactId)
    const open = await lockOpenOfContact(db, contactId)
    await confirmRights(who, db)
    if (open && !who.flags.canViewConversations) throw new AppError('auth.forbidden')
    const conversation = open ?? (await createConversation(db, who, contactId))
    return { conversationId: conversation.id, ...(await storeReply(db, who, conversation, reply)) }
  })
}

const selectContact = (db: Db, contactId: number) =>
  db
    .select({ isBlocked: contacts.isBlocked, erasedAt: contacts.erasedAt })
    .from(contacts)
    .where(and(eq(contacts.id, contactId), isNull(contacts.deletedAt)))

function checkWritable(contact: { isBlocked: boolean; erasedAt: Date | null } | undefined): void {
  if (!contact) throw new AppError('contacts.not_found')
  if (contact.erasedAt !== null) throw new AppError('contacts.erased')
  if (contact.isBlocked) throw new AppError('contacts.blocked')
}

/**
 * Checks early what `sendToContact` requires, before an upload for example.
 * @throws AppError 404 no such contact, 403 blocked
 */
export async function expectWritable(db: Db, contactId: number): Promise<void> {
  const [contact] = await selectContact(db, contactId)
  checkWritable(contact)
}

/** The contact is locked before its conversations, as everywhere. */
async function lockWritableContact(db: Db, contactId: number): Promise<void> {
  const [contact] = await selectContact(db, contactId).for('no key update')
  checkWritable(contact)
}

async function lockOpenOfContact(db: Tx, contactId: number): Promise<Locked | undefined> {
  const id = await findOpenConversation(db, contactId)
  const locked = id === undefined ? undefined : await lockConversation(db, id)
  // It may have been completed while the lock was awaited.
  return locked?.status === 'completed' ? undefined : locked
}

async function createConversation(db: Tx, who: Who, contactId: number): Promise<Locked> {
  const instanceId = await mainInstanceId(db)
  if (instanceId === undefined) throw new AppError('gateway.not_configured')
  const created = await insertConversation(db, {
    instanceId,
    contactId,
    initiatedBy: 'operator',
    status: 'active',
    subStatus: 'OPERADOR',
    waitingFor: 'client',
    assignedUserId: who.id,
  })
  const conversation = created ?? (await lockOpenConversation(db, contactId, instanceId))
  if (!conversation) throw new Error('a contact has an open conversation that is not there')
  if (!created) return conversation
  await absorbWaitingChoices(db, conversation)
  await record(db, who, {
    action: 'conversation.start',
    resourceId: conversation.id,
    details: { contactId },
  })
  db.emit({ type: 'new_conversation', conversationId: conversation.id })
  await sendAutomatic(db, conversation, 'operatorInitiatedWarningMessage', {
    settings: await getSettings(db),
  })
  return conversation
}
