import { eq, sql } from 'drizzle-orm'
import { may } from '#shared/acts.ts'
import { AppError } from '#shared/errors.ts'
import { type Actor, record } from '#server/audit/audit.ts'
import { appNow } from '#server/platform/clock.ts'
import { type Database, type Db, inTransaction, type Tx } from '#server/platform/database/db.ts'
import { confirmRights, type Who } from '#server/platform/http/access.ts'
import { reachOf, type Rights } from '#server/platform/http/reach.ts'
import { conversations } from '#server/schema/conversations/conversations.ts'
import { scheduledMessages } from '#server/schema/conversations/outbox.ts'
import { listPeople } from '#server/users/users.ts'
import { lockReceiver } from '#server/conversations/acts/receivers.ts'
import { announce } from '#server/conversations/outgoing/announce.ts'
import { expectNumberOn } from '#server/conversations/outgoing/number-on.ts'
import { responseTime } from '#server/conversations/outgoing/reply.ts'
import { createConversation, lockWritableContact } from '#server/conversations/outgoing/start.ts'
import { endScheduled, expectWaiting } from '#server/conversations/scheduled/acts.ts'
import { filled } from '#server/conversations/scheduled/content.ts'
import { openAt } from '#server/conversations/scheduled/plan.ts'
import { expectChangeable, type ScheduledRow } from '#server/conversations/scheduled/rows.ts'
import { insertOutgoing } from '#server/conversations/store/insert-outgoing.ts'
import { type Locked, lockOpenConversation } from '#server/conversations/store/lock.ts'
import { withdrawTexts } from '#server/conversations/store/texts.ts'
import { findPlace } from '#server/conversations/store/write.ts'

/** Who writes the message. */
type Writer = Rights & { name: string; hidesPhones: boolean }

/** A scheduled message under its locks: the contact's, that of their open conversation, and its own. */
interface LockedSchedule {
  row: ScheduledRow
  contactId: number
  instanceId: number
  /** The open conversation at the number. */
  open: Locked | undefined
  /** Of the open conversation, else of the one in which it was written. */
  sectorId: number | null
}

/**
 * Sends what is due, or moves it to the opening. The message, its row of the outbox and the end of the
 * schedule are one transaction, under the locks that a message of the client takes, too.
 * @throws AppError why it cannot be sent; nothing is written then
 */
export async function sendDue(database: Database, id: number): Promise<void> {
  await inTransaction(database, async (db) => {
    const locked = await lockSchedule(db, id, lockWritableContact)
    if (!locked || !(await isDue(db, locked.row))) return
    const { row } = locked
    if (row.onlyOpen && !(await isOpenNow(db, locked))) return
    // Whoever blocks or deletes the author meanwhile waits.
    const isThere = await lockReceiver(db, row.authorId)
    const [author] = isThere ? await listPeople(db, [row.authorId]) : []
    if (!author) throw new AppError('auth.required')
    await write(db, locked, { writer: author, by: 'system' })
  })
}

/**
 * Sends one that waits, or has failed, now: as a message of whoever asks for it.
 * @param version of what the person has seen
 * @throws AppError 404, 403, 409 it was changed, sent or cancelled meanwhile, or cannot be sent now
 */
export async function sendNow(database: Database, who: Who, id: number, version: number): Promise<void> {
  await expectChangeable(database, who, id)
  await inTransaction(database, async (db) => {
    const locked = await lockSchedule(db, id, lockWritableContact)
    await confirmRights(who, db)
    await expectChangeable(db, who, id)
    if (!locked) throw new AppError('scheduled.changed')
    const { row } = locked
    expectWaiting(row)
    if (row.version !== version) throw new AppError('scheduled.changed')
    await write(db, locked, { writer: who, by: who })
    await record(db, who, {
      action: 'conversation.send_scheduled',
      resourceId: row.conversationId,
      details: { scheduledId: id, authorId: row.authorId },
    })
  })
}

/**
 * @param lockTheContact with what is expected of the contact
 * @returns undefined for one that is gone, or whose conversation was moved to another contact meanwhile
 */
export async function lockSchedule(
  db: Tx,
  id: number,
  lockTheContact: (db: Db, contactId: number) => Promise<void>,
): Promise<LockedSchedule | undefined> {
  const find = async () => {
    const [found] = await db
      .select({
        contactId: conversations.contactId,
        instanceId: conversations.instanceId,
        sectorId: conversations.sectorId,
      })
      .from(scheduledMessages)
      .innerJoin(conversations, eq(conversations.id, scheduledMessages.conversationId))
      .where(eq(scheduledMessages.id, id))
    return found
  }
  const before = await find()
  if (!before) return undefined
  await lockTheContact(db, before.contactId)
  const open = await lockOpenConversation(db, before.contactId, before.instanceId)
  const [row] = await db.select().from(scheduledMessages).where(eq(scheduledMessages.id, id)).for('update')
  const now = await find()
  if (!row || !now || now.contactId !== before.contactId) return undefined
  return { ...now, row, open, sectorId: open ? open.sectorId : now.sectorId }
}

export async function isDue(db: Db, { state, sendAt }: ScheduledRow): Promise<boolean> {
  return state === 'pending' && sendAt <= (await appNow(db))
}

/** Whether it is open now; otherwise it waits for the next opening. */
async function isOpenNow(db: Tx, { row, ...conversation }: LockedSchedule): Promise<boolean> {
  const now = await appNow(db)
  const opening = await openAt(db, conversation, now)
  if (!opening) throw new AppError('scheduled.never_open')
  if (opening <= now) return true
  await db
    .update(scheduledMessages)
    .set({ sendAt: opening, version: sql`${scheduledMessages.version} + 1` })
    .where(eq(scheduledMessages.id, row.id))
  db.emit({ type: 'scheduled_changed', conversationId: row.conversationId })
  return false
}

/**
 * Writes the message into the open conversation, or into one that the writer begins, whether or not they may
 * begin others: what they scheduled was to go on with one that has ended since.
 */
async function write(
  db: Tx,
  { row, open, contactId, instanceId }: LockedSchedule,
  { writer, by }: { writer: Writer; by: Actor & (Who | 'system') },
): Promise<void> {
  if (!may({ role: writer.role, permissions: writer.flags }, 'schedule')) throw new AppError('auth.forbidden')
  if (open && reachOf(writer, { ...open, peopleIds: [] }) !== 'whole')
    throw new AppError('conversations.elsewhere')
  await expectNumberOn(db, instanceId)
  const conversation = open ?? (await createConversation(db, writer, { contactId, instanceId }, by))
  const place = await findPlace(db, conversation.id, {})
  const content = await filled(db, conversation, writer, row.content)
  const isTheirs = conversation.assignedUserId === writer.id
  if (conversation.inactivityWarnedAt) await withdrawTexts(db, conversation, 'attended or ended')
  const isWarned = isTheirs && !place.isAnswered && (await announce(db, conversation, writer.id))
  const { waitingSince } = conversation
  // Whoever is in the queue is not attended by it, and still waits for somebody.
  const isAnswer = conversation.assignedUserId !== null
  const { id: messageId } = await insertOutgoing(
    db,
    conversation,
    {
      content,
      senderId: writer.id,
      clientMessageId: `scheduled-${row.id}`,
      responseMs: isAnswer && waitingSince ? responseTime(waitingSince) : null,
      place: isWarned ? undefined : place,
      ...(!isAnswer && { metadata: { intoQueue: true } }),
    },
    isAnswer ? { waitingFor: 'client', waitingSince: null, ...(isTheirs && { returnedAt: null }) } : {},
  )
  await endScheduled(db, row, {
    state: 'sent',
    messageId,
    endedById: by === 'system' ? null : by.id,
  })
}
