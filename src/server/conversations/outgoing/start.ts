import { and, desc, eq, inArray, isNull } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import { type Actor, record } from '#server/audit/audit.ts'
import { listConfigs, listNumbers } from '#server/gateway/gateway.ts'
import { confirmRights, hasNumber, type Who } from '#server/platform/http/access.ts'
import { isInReach, type Reader, reachOf } from '#server/platform/http/reach.ts'
import { type Database, type Db, inTransaction, type Tx } from '#server/platform/database/db.ts'
import { contacts } from '#server/schema/contacts/contacts.ts'
import { conversations, isOpen } from '#server/schema/conversations/conversations.ts'
import { settingsOfNumber } from '#server/settings/settings.ts'
import { absorbWaitingChoices } from '#server/conversations/automatic/choice-merge.ts'
import { lockTaker } from '#server/conversations/acts/receivers.ts'
import { expectNumberOn, type Replied, type Reply, storeReply } from './reply.ts'
import { sendAutomatic } from '#server/conversations/store/texts.ts'
import { insertConversation } from '#server/conversations/store/write.ts'
import { lockConversation, type Locked, lockOpenConversation } from '#server/conversations/store/lock.ts'

/**
 * Whom to write to, and by which number: absent, by that of the open conversation, else by that of the last
 * one, else by the main one.
 */
export interface To {
  contactId: number
  instanceId?: number | undefined
}

/**
 * The id of a contact's open conversation that the person sees; the newest one, if there are several through
 * different numbers.
 */
export async function findOpenConversation(
  db: Db,
  who: Who,
  { contactId, instanceId }: To,
): Promise<number | undefined> {
  const [row] = await db
    .select({ id: conversations.id })
    .from(conversations)
    .where(
      and(
        eq(conversations.contactId, contactId),
        isOpen,
        isInReach(who, conversations),
        instanceId === undefined ? undefined : eq(conversations.instanceId, instanceId),
      ),
    )
    .orderBy(desc(conversations.id))
    .limit(1)
  return row?.id
}

/**
 * Sends a message to a contact: in the open conversation, or in a new one that is assigned to the sender. Two
 * people who call it at once write into one conversation.
 * @throws AppError 404 no such contact or number, 403 blocked, 409 no number to send from, or it is switched
 *   off, 403 when there is an open conversation and the person may not see conversations
 */
export async function sendToContact(
  database: Database,
  who: Who,
  to: To,
  reply: Reply,
): Promise<Replied & { conversationId: number }> {
  return inTransaction(database, async (db) => {
    await lockWritableContact(db, to.contactId)
    const open = await lockOpenOfContact(db, who, to)
    // Rights that were taken while it waited may have been those to the number.
    if ((await confirmRights(who, db)) && open && reachOf(who, { ...open, peopleIds: [] }) !== 'whole')
      throw new AppError('gateway.not_found')
    if (open && !who.flags.canViewConversations) throw new AppError('auth.forbidden')
    const conversation = open ?? (await createConversation(db, who, to, who))
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
 * @throws AppError 404 no such contact or number, 403 blocked, 409 no number to send from, or it is switched
 *   off
 */
export async function expectWritable(db: Db, who: Who, to: To): Promise<void> {
  const [contact] = await selectContact(db, to.contactId)
  checkWritable(contact)
  const open = await findOpenConversation(db, who, to)
  await (open === undefined ? expectNumber(db, who, to) : expectNumberOn(db, open))
}

/**
 * The contact is locked before its conversations, as everywhere.
 * @throws AppError 404 no such contact, 409 anonymized, 403 blocked
 */
export async function lockWritableContact(db: Db, contactId: number): Promise<void> {
  const [contact] = await selectContact(db, contactId).for('no key update')
  checkWritable(contact)
}

async function lockOpenOfContact(db: Tx, who: Who, to: To): Promise<Locked | undefined> {
  const id = await findOpenConversation(db, who, to)
  const locked = id === undefined ? undefined : await lockConversation(db, id)
  // It may have been completed while the lock was awaited.
  return locked?.status === 'completed' ? undefined : locked
}

/**
 * The number at which a new conversation with the contact begins.
 * @returns undefined without any that the person may write from
 * @throws AppError 404 for one that the person has not got, 409 for one that is switched off
 */
export async function numberToBeginAt(
  db: Db,
  who: Pick<Who, 'numberIds'>,
  to: To,
): Promise<number | undefined> {
  const numbers = await listNumbers(db, who)
  const ids = numbers.map(({ id }) => id)
  if (to.instanceId !== undefined) {
    const asked = to.instanceId
    if (ids.includes(asked)) return asked
    const isOff = hasNumber(who, asked) && (await listConfigs(db)).some(({ id }) => id === asked)
    throw new AppError(isOff ? 'conversations.chosen_number_off' : 'gateway.not_found')
  }
  if (ids.length < 2) return ids[0]
  const [last] = await db
    .select({ instanceId: conversations.instanceId })
    .from(conversations)
    .where(and(eq(conversations.contactId, to.contactId), inArray(conversations.instanceId, ids)))
    .orderBy(desc(conversations.id))
    .limit(1)
  return last?.instanceId ?? ids[0]
}

async function expectNumber(db: Db, who: Pick<Who, 'numberIds'>, to: To): Promise<number> {
  const instanceId = await numberToBeginAt(db, who, to)
  if (instanceId === undefined)
    throw new AppError(who.numberIds === null ? 'gateway.not_configured' : 'gateway.none_given')
  return instanceId
}

/**
 * Begins a conversation of a person with a locked contact, or goes on with one that somebody else has begun.
 * @param by as whose act it is recorded
 * @throws AppError 409 no number to begin at, or it is switched off, or a colleague is in conversation with
 *   them of which the person does not know; 401 for who may not sign in any more
 */
export async function createConversation(db: Tx, who: Reader, to: To, by: Actor): Promise<Locked> {
  const { contactId } = to
  const instanceId = await expectNumber(db, who, to)
  await lockTaker(db, who, { instanceId })
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
  // Nobody writes into a conversation of which they do not know.
  if (!created && reachOf(who, { ...conversation, peopleIds: [] }) === 'none')
    throw new AppError('conversations.elsewhere')
  if (!created) return conversation
  await absorbWaitingChoices(db, conversation)
  await record(db, by, {
    action: 'conversation.start',
    resourceId: conversation.id,
    details: { contactId },
  })
  db.emit({ type: 'new_conversation', conversationId: conversation.id })
  await sendAutomatic(db, conversation, 'operatorInitiatedWarningMessage', {
    settings: await settingsOfNumber(db, instanceId, conversation.sectorId),
  })
  return conversation
}
