import { and, eq, type SQL, sql } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import { isTrackingType } from '#shared/messages/message-kinds.ts'
import { listMessages } from '#shared/messages/message-endpoints.ts'
import { liveRows } from '#shared/live-rows.ts'
import type { Row } from '#shared/endpoint.ts'
import { recordRepeated } from '#server/audit/audit.ts'
import { confirmRights, isPermitted, type Who } from '#server/platform/http/access.ts'
import { mayRead, type ReachFacts, reachesAll, reachOf } from '#server/platform/http/reach.ts'
import { appNow } from '#server/platform/clock.ts'
import type { Database, Db, Tx } from '#server/platform/database/db.ts'
import { statement } from '#server/platform/database/statement.ts'
import { conversations, messages } from '#server/schema/conversations/conversations.ts'
import { conversationPeople } from '#server/schema/conversations/people.ts'
import { factsOf, listConversationRows, type ConversationRow, readableColumns } from './rows.ts'
import {
  listMessageRows,
  listTimelineRows,
  type MessageRow,
  notTracking,
  type TimelinePage,
} from './message-rows.ts'
import { findMessageIn, lockConversation, type Locked, type LockedMessage } from './lock.ts'

export const conversationNotFound = () => new AppError('conversations.not_found')
export const messageNotFound = () => new AppError('messages.not_found')

/** @throws AppError 422 for a note of the team, which nothing of WhatsApp is done with */
export function expectNoNote({ messageType }: { messageType: string }): void {
  if (messageType === 'note') throw new AppError('messages.is_note')
}

export const conversationCompleted = () => new AppError('conversations.completed')
export const conversationTaken = (name: string) => new AppError('conversations.taken', { values: { name } })
export const conversationChanged = () => new AppError('conversations.changed')

/** What the right to read a conversation depends on, and the audit of whoever uses it. */
export type Readable = ReachFacts & Pick<Locked, 'id' | 'status' | 'contactId' | 'completedAt'>

const selectAccess = statement<{ id: number }>()((db) =>
  db
    .select(readableColumns)
    .from(conversations)
    .where(eq(conversations.id, sql.placeholder('id'))),
)

/**
 * For reading a part of a conversation that does not need its row.
 * @throws AppError as `conversationFor`
 */
export async function expectReadable(db: Db, who: Who, id: number, ofOthers?: Row): Promise<Readable> {
  const readable = await findReadable(db, who, id, ofOthers)
  if (!readable) throw conversationNotFound()
  return readable
}

/** @returns undefined when the conversation does not exist or the person may not read it */
export async function findReadable(
  db: Db,
  who: Who,
  id: number,
  ofOthers?: Row,
): Promise<Readable | undefined> {
  const [row] = await selectAccess(db, { id })
  return row !== undefined && mayRead(who, row, ofOthers) ? row : undefined
}

/**
 * Records in the audit that a person reads a completed conversation of somebody else; reading others is
 * everyday work. Call before the answer: `await noteReading(database, who, conversation)`.
 * @see security §5.1
 */
export async function noteReading(
  database: Database,
  who: Who,
  conversation: Pick<Readable, 'id' | 'status' | 'assignedUserId' | 'contactId'>,
): Promise<void> {
  const { id, status, assignedUserId, contactId } = conversation
  if (status !== 'completed' || assignedUserId === who.id) return
  const details = { contactId, assignedUserId }
  await recordRepeated(database, who, { action: 'conversation.read', resourceId: id, details }, String(id))
}

/**
 * A page of a conversation's messages, oldest first, read in one statement with the right to read them. That
 * of a completed conversation of somebody else is audited.
 * @throws AppError as `conversationFor`
 */
export async function readTimeline(
  database: Database,
  who: Who,
  id: number,
  page: Omit<TimelinePage, 'withTracking'>,
): Promise<MessageRow[]> {
  if (!who.flags.canViewConversations) throw conversationNotFound()
  const ofOthers = listMessages.rows['GET /api/conversations/{completed}/messages']
  const reader = { who, readsArchive: isPermitted(who, ofOthers) }
  const found = await listTimelineRows(database, reader, id, { ...page, withTracking: seesTracking(who) })
  const [first] = found
  if (!first || first.isOfOther)
    await noteReading(database, who, await expectReadable(database, who, id, ofOthers))
  return found
}

/**
 * A conversation's row, for a person: there is no other way to it.
 * @throws AppError 404, whether it does not exist or they may not see it
 */
export async function conversationFor(db: Db, who: Who, id: number): Promise<ConversationRow> {
  const [row] = await listConversationRows(db, [id])
  if (!row || !mayRead(who, factsOf(row))) throw conversationNotFound()
  return row
}

/**
 * Reads a conversation for the answer of an act: one that was completed a moment ago is found, too.
 * @throws AppError as `lockConversationFor`
 */
export async function recentConversationFor(db: Db, who: Who, id: number): Promise<ConversationRow> {
  const [row] = await listConversationRows(db, [id])
  if (!row || !who.flags.canViewConversations || !(await seesOrRecentlySaw(db, who, factsOf(row))))
    throw conversationNotFound()
  return row
}

/**
 * Locks a conversation for an act of a person. One that was completed a moment ago is found, too: everybody
 * may see open conversations, so an act that comes too late is refused because the conversation is completed,
 * not because it is unknown.
 * @throws AppError 404 when it does not exist, or the person does not see it
 */
export async function lockConversationFor(db: Tx, who: Who, id: number): Promise<Locked> {
  const conversation = who.flags.canViewConversations ? await lockConversation(db, id) : undefined
  await confirmRights(who, db)
  if (!conversation || !who.flags.canViewConversations || !(await seesLocked(db, who, conversation)))
    throw conversationNotFound()
  return conversation
}

/** `mayRead` of a locked conversation, whose row does not have all that it asks. */
export async function mayReadLocked(
  db: Db,
  who: Who,
  conversation: Locked,
  ofOthers?: Row,
): Promise<boolean> {
  return mayRead(who, { ...conversation, peopleIds: await peopleOf(db, who, conversation) }, ofOthers)
}

/** The same, or whether the person saw it a moment ago. */
async function seesLocked(db: Db, who: Who, conversation: Locked): Promise<boolean> {
  const facts = { ...conversation, peopleIds: await peopleOf(db, who, conversation) }
  return seesOrRecentlySaw(db, who, facts)
}

/** Who had a locked conversation or wrote in it, where that decides. */
async function peopleOf(
  db: Db,
  who: Who,
  { id, status: current }: Pick<Locked, 'id' | 'status'>,
): Promise<readonly number[]> {
  if (current !== 'completed' || reachesAll(who)) return []
  const found = await db
    .select({ userId: conversationPeople.userId })
    .from(conversationPeople)
    .where(eq(conversationPeople.conversationId, id))
  return found.map(({ userId }) => userId)
}

/**
 * The same for 'Assumir': also what the person sees as a card alone.
 * @throws AppError as `lockConversationFor`
 */
export async function lockToTake(db: Tx, who: Who, id: number): Promise<Locked> {
  const conversation = who.flags.canViewConversations ? await lockConversation(db, id) : undefined
  await confirmRights(who, db)
  const isCard = conversation && reachOf(who, { ...conversation, peopleIds: [] }) === 'card'
  return conversation && who.flags.canViewConversations && isCard
    ? conversation
    : lockConversationFor(db, who, id)
}

/** How long after its completion an act of somebody who had the conversation open may still come. */
const tooLateForMs = 10 * 60_000

/** Whether the person sees a conversation of which they may know, or saw it while it was open. */
export async function seesOrRecentlySaw(
  db: Db,
  who: Who,
  conversation: ReachFacts & Pick<Locked, 'completedAt'>,
): Promise<boolean> {
  if (mayRead(who, conversation)) return true
  if (reachOf(who, conversation) !== 'whole') return false
  const { completedAt } = conversation
  return completedAt !== null && (await appNow(db)).getTime() - completedAt.getTime() < tooLateForMs
}

/**
 * A message of a conversation that the person may read or act on: there is no other way from a message's id.
 * @throws AppError 404 when it is in another conversation, or of a kind that they do not see
 */
export async function messageFor(
  db: Db,
  who: Who,
  { conversationId, messageId }: { conversationId: number; messageId: number },
): Promise<typeof messages.$inferSelect> {
  const [row] = await db
    .select()
    .from(messages)
    .where(and(eq(messages.id, messageId), eq(messages.conversationId, conversationId)))
  return seenBy(who, row)
}

/** The same of a locked conversation. @throws AppError as `messageFor` */
export async function lockedMessageFor(
  db: Tx,
  who: Who,
  conversation: Locked,
  messageId: number,
): Promise<LockedMessage> {
  return seenBy(who, await findMessageIn(db, conversation, messageId))
}

/**
 * A message by its id alone, with its conversation.
 * @returns undefined for one that the person does not see, as for none
 */
export async function findMessageFor(
  db: Db,
  who: Who,
  id: number,
  ofOthers?: Row,
): Promise<(MessageRow & { conversation: Readable }) | undefined> {
  const [row] = await listMessageRows(db, [id])
  if (!row || !seesKind(who, row.message.messageType)) return undefined
  const conversation = await findReadable(db, who, row.message.conversationId, ofOthers)
  return conversation && { ...row, conversation }
}

/**
 * The message that an act has written or changed, after the act has asked whether the person may.
 * @throws AppError 404 when it is gone
 */
export async function messageAfterAct(db: Db, id: number): Promise<MessageRow> {
  const [row] = await listMessageRows(db, [id])
  if (!row) throw messageNotFound()
  return row
}

function seenBy<Row extends { messageType: string }>(who: Who, row: Row | undefined): Row {
  if (!row || !seesKind(who, row.messageType)) throw messageNotFound()
  return row
}

/** Whether the person sees the kinds of messages that are shown to administrators only. */
export const seesTracking = (who: Who) => isPermitted(who, liveRows.tracking)

/** Whether the person sees messages of the kind, in a conversation that they may read. */
export function seesKind(who: Who, messageType: string): boolean {
  return !isTrackingType(messageType) || seesTracking(who)
}

/** The same as a condition of a query of messages. */
export function ofSeenKind(who: Who): SQL | undefined {
  return seesTracking(who) ? undefined : notTracking
}

/**
 * For something that takes long and ends in `lockConversationFor`.
 * @throws AppError as that one, and 409 when it is completed
 */
export async function expectOpen(db: Db, who: Who, id: number): Promise<void> {
  const [row] = who.flags.canViewConversations ? await selectAccess(db, { id }) : []
  if (!row || !(await seesOrRecentlySaw(db, who, row))) throw conversationNotFound()
  if (row.status === 'completed') throw conversationCompleted()
}
