import { and, asc, eq, gt, inArray, or, sql } from 'drizzle-orm'
import {
  type Answer,
  invalidEveryMs,
  type Kept,
  playChoice,
  type Said,
  type Stretch,
} from '#shared/choice.ts'
import type { SystemSettings } from '#shared/settings.ts'
import { isOpen } from '#shared/working-hours.ts'
import { leaveQueue } from '#server/automation/automation.ts'
import type { GatewayEvent } from '#server/gateway/gateway.ts'
import { appNow } from '#server/platform/clock.ts'
import { type Db, rows, type Tx } from '#server/platform/database/db.ts'
import { contacts } from '#server/schema/contacts.ts'
import { conversations, messages } from '#server/schema/conversations.ts'
import { outbox } from '#server/schema/outbox.ts'
import { preAttendanceTemp } from '#server/schema/queue.ts'
import { appendArrived } from '#server/conversations/messages/append.ts'
import { lastSent, sendAutomatic } from '#server/conversations/store/texts.ts'
import { waitingOf } from '#server/conversations/store/waiting.ts'
import { type Inserted, insertConversation, recount } from '#server/conversations/store/write.ts'
import { type Locked, lockConversation } from '#server/conversations/store/lock.ts'
import { updateConversation } from '#server/conversations/store/change.ts'

type Arrived = Extract<GatewayEvent, { kind: 'message' }>
type Row = typeof preAttendanceTemp.$inferSelect

/** What became of a message that came before any conversation was open. */
export type Choice =
  /** Pre-attendance has nothing to do with it. */
  | { kind: 'none' }
  /** It is kept, until the client chooses. `opened`: what he wrote after it has become a conversation by it. */
  | { kind: 'kept'; opened?: Locked | undefined }
  /** The client has chosen to be attended: the conversation is open, with all that he wrote. */
  | { kind: 'opened'; conversation: Locked; inserted: Inserted }

/**
 * Keeps what a client writes before he has chosen whether to be attended, under the contact's lock. All that is kept is
 * played anew with each message, so that the order of arrival does not matter.
 * @see decisions §3 Pre-attendance
 */
export async function keepForChoice(
  db: Tx,
  {
    instanceId,
    contactId,
    open,
    event,
    isRecovered,
    settings,
    now,
  }: {
    instanceId: number
    contactId: number
    /** His open conversation, if he has one, locked. */
    open: Locked | undefined
    event: Arrived
    isRecovered: boolean
    settings: SystemSettings
    now: Date
  },
): Promise<Choice> {
  const writtenAt = event.sentAt ?? now
  if (open && !(settings.preAttendanceEnabled && mayBeChosenAnew(open, writtenAt))) return { kind: 'none' }
  const kept = await lockKept(db, { instanceId, contactId, writtenAt })
  const isWaiting = kept.some(({ stage }) => stage === 'waiting_option')
  const begins = settings.preAttendanceEnabled && !isRecovered && isOpen(settings, now)
  const isPlayed = isWaiting || open || (kept.length > 0 && settings.preAttendanceEnabled)
  if (!isPlayed && !begins) return { kind: 'none' }
  const held = [...(await holdConversations(db, kept)), ...(open ? [open] : [])]
  if (held.length === 0) held.push(await beginKept(db, { instanceId, contactId }, writtenAt))
  const inserted = await appendArrived(db, held[0] as Locked, event, isRecovered)
  const everything = await keptIn(
    db,
    held.map(({ id }) => id),
  )
  const laidOut = await layOut(
    db,
    held,
    settings.preAttendanceEnabled
      ? playChoice(everything, await answersElsewhere(db, held, writtenAt))
      : [attended(everything, writtenAt)],
  )
  const at = laidOut.find(({ stretch }) => stretch.messages.some(({ id }) => id === inserted.id))
  if (!at) throw new Error('a kept message is in no stretch')
  if (at.stretch.stage === 'attend') return { kind: 'opened', conversation: at.conversation, inserted }
  db.emit({ type: 'new_message', conversationId: at.conversation.id, messageId: inserted.id })
  const { says } = at.stretch
  const isAnswered = says && at.stretch.messages.at(-1)?.id === inserted.id && !isRecovered
  if (isAnswered && (await mayBeSaid(db, at.conversation.id, says, now)))
    await sendAutomatic(db, at.conversation, says, { settings })
  if (open) await tellChosenAnew(db, laidOut, open)
  const other = laidOut.find(({ stretch }) => stretch.stage === 'attend')?.conversation
  return { kind: 'kept', opened: other?.id === open?.id ? undefined : other }
}

/** What was written apart comes at once where it had to wait: whoever has just been asked is not told that he chose nothing. */
async function mayBeSaid(db: Db, conversationId: number, says: Said, now: Date): Promise<boolean> {
  if (says !== 'preAttendanceInvalidMessage') return true
  const told = await lastSent(db, conversationId, 'preAttendanceMessage', 'preAttendanceInvalidMessage')
  return !told || now.getTime() - told.getTime() >= invalidEveryMs
}

/**
 * He waits in the FILA by a choice, nobody has begun to answer him, and now comes what he wrote before it: it may have been
 * another one.
 */
export const mayBeChosenAnew = (open: Locked, writtenAt: Date) =>
  open.preAttendanceStage === 'attended' &&
  open.subStatus === 'FILA' &&
  open.waitingFor === 'operator' &&
  open.assignedUserId === null &&
  writtenAt < open.startedAt

async function tellChosenAnew(db: Tx, laidOut: LaidOut[], open: Locked): Promise<void> {
  const left = laidOut.find(({ conversation }) => conversation.id === open.id)
  if (left?.stretch.stage === 'attend') await updateConversation(db, open, await waitingOf(db, open.id))
  else await leaveQueue(db, open.id)
  db.emit({ type: 'conversation_updated', conversationId: open.id })
  db.emit({ type: 'queue_changed' })
}

/** Not asked any more: all of it is for the queue. */
const attended = (all: Kept[], decidedAt: Date): Stretch => ({
  stage: 'attend',
  messages: all,
  decidedAt,
  says: undefined,
  answers: [],
})

/** What waits for a choice, and what was ended by a later word than the one that comes now. */
function lockKept(
  db: Db,
  { instanceId, contactId, writtenAt }: { instanceId: number; contactId: number; writtenAt: Date },
): Promise<Row[]> {
  return db
    .select()
    .from(preAttendanceTemp)
    .where(
      and(
        eq(preAttendanceTemp.contactId, contactId),
        eq(preAttendanceTemp.instanceId, instanceId),
        or(eq(preAttendanceTemp.stage, 'waiting_option'), gt(preAttendanceTemp.lastMessageAt, writtenAt)),
      ),
    )
    .orderBy(asc(preAttendanceTemp.conversationId))
    .for('update')
}

async function holdConversations(db: Tx, kept: Row[]): Promise<Locked[]> {
  const held: Locked[] = []
  for (const { conversationId } of kept) {
    const conversation = await lockConversation(db, conversationId)
    if (conversation) held.push(conversation)
  }
  return held
}

async function beginKept(
  db: Tx,
  { instanceId, contactId }: Pick<Locked, 'instanceId' | 'contactId'>,
  at: Date,
): Promise<Locked> {
  const made = await insertConversation(db, {
    instanceId,
    contactId,
    initiatedBy: 'contact',
    status: 'completed',
    completedAt: at,
    preAttendanceStage: 'waiting_option',
  })
  if (!made) throw new Error('a kept conversation was not written')
  return made
}

/** The client's messages in these conversations, in the order in which they were written. */
async function keptIn(db: Db, conversationIds: number[]): Promise<Kept[]> {
  const found = await rows<Omit<Kept, 'at'> & { at: string }>(
    db,
    // What he chose by stays what he chose by, whatever he makes of it afterwards.
    sql`select m.id, m.sent_at::text as at, coalesce((m.metadata ->> 'recovered')::boolean, false) as "isRecovered",
               coalesce((select v.content from message_versions v where v.message_id = m.id order by v.id limit 1),
                        m.content) as content
          from messages m
         where m.conversation_id = any(${sql.param(conversationIds)}::int[]) and m.sender_type = 'contact'
         order by m.sent_at, m.id`,
  )
  return found.map((one) => ({ ...one, at: new Date(one.at) }))
}

/** What the client was told within the last hour, in other conversations of his. */
async function answersElsewhere(db: Db, held: Locked[], writtenAt: Date): Promise<Answer[]> {
  const [{ contactId, instanceId }] = held as [Locked]
  const found = await rows<{ says: Said; at: string }>(
    db,
    sql`select m.metadata ->> 'text' as says, m.created_at::text as at from conversations v join messages m on m.conversation_id = v.id
         where v.contact_id = ${contactId} and v.instance_id = ${instanceId}
           and v.id <> all(${sql.param(held.map(({ id }) => id))}::int[])
           and m.metadata ->> 'text' in ('preAttendanceInvalidMessage', 'preAttendanceCancelMessage')
           and m.created_at > ${writtenAt.toISOString()}::timestamptz - interval '1 hour' order by m.created_at`,
  )
  return found.map(({ says, at }) => ({ says, at: new Date(at) }))
}

interface LaidOut {
  stretch: Stretch
  conversation: Locked
}

/** Gives each stretch a conversation of its own, as far as there are: who is attended keeps the one that is open. */
async function layOut(db: Tx, held: Locked[], stretches: Stretch[]): Promise<LaidOut[]> {
  const [first] = held
  if (!first) throw new Error('nothing is kept')
  const isAttended = stretches.some(({ stage }) => stage === 'attend')
  const open = isAttended ? held.find(({ status }) => status !== 'completed') : undefined
  const free = held.filter((conversation) => conversation !== open)
  const laidOut: LaidOut[] = []
  let moved = 0
  for (const stretch of stretches) {
    const conversation =
      (stretch.stage === 'attend' ? open : undefined) ??
      free.shift() ??
      (await beginKept(db, first, first.startedAt))
    moved += await moveHere(
      db,
      conversation.id,
      stretch.messages.map(({ id }) => id),
    )
    laidOut.push({ stretch, conversation: await settle(db, conversation, stretch) })
  }
  const [into] = laidOut
  if (!into) throw new Error('nothing was said')
  for (const { id } of free) await absorb(db, into.conversation.id, id)
  if (moved > 0 || free.length > 0) for (const { conversation } of laidOut) await recount(db, conversation.id)
  return laidOut
}

async function moveHere(db: Db, conversationId: number, ids: number[]): Promise<number> {
  const moved = await db
    .update(messages)
    .set({ conversationId })
    .where(and(inArray(messages.id, ids), sql`${messages.conversationId} <> ${conversationId}`))
    .returning({ id: messages.id })
  return moved.length
}

/** Everything that is still in a kept conversation goes into another one, and it is no more. */
async function absorb(db: Db, intoId: number, goneId: number): Promise<void> {
  await db.update(messages).set({ conversationId: intoId }).where(eq(messages.conversationId, goneId))
  await db.update(outbox).set({ conversationId: intoId }).where(eq(outbox.conversationId, goneId))
  await db.delete(conversations).where(eq(conversations.id, goneId))
}

/** Writes what a stretch has come to on its conversation, and beside it. */
async function settle(
  db: Tx,
  conversation: Locked,
  { stage, messages: own, decidedAt }: Stretch,
): Promise<Locked> {
  const [first, last] = [own[0]?.at ?? conversation.startedAt, own.at(-1)?.at ?? conversation.startedAt]
  const { id, instanceId, contactId } = conversation
  if (stage === 'attend') {
    await db.delete(preAttendanceTemp).where(eq(preAttendanceTemp.conversationId, id))
    return updateConversation(db, conversation, {
      status: 'waiting',
      completedAt: null,
      preAttendanceStage: 'attended',
      // From here on he waits for us: whoever thought it over for a day stands behind those who came before.
      startedAt: decidedAt ?? first,
    })
  }
  const [contact] = await db
    .select({ phone: contacts.phone, name: contacts.name })
    .from(contacts)
    .where(eq(contacts.id, contactId))
  const values = {
    stage,
    originalMessage: own.map((message) => message.id),
    lastMessageAt: last,
  }
  await db
    .insert(preAttendanceTemp)
    .values({
      ...values,
      instanceId,
      contactId,
      conversationId: id,
      phoneNumber: contact?.phone ?? null,
      contactName: contact?.name ?? '',
      createdAt: first,
    })
    .onConflictDoUpdate({ target: preAttendanceTemp.conversationId, set: values })
  return updateConversation(db, conversation, {
    status: 'completed',
    preAttendanceStage: stage,
    startedAt: first,
    completedAt: last,
    lastActivityAt: last,
  })
}

/** A conversation of this contact is open by another way: what he wrote before belongs to it. */
export async function joinKept(db: Tx, conversation: Locked): Promise<void> {
  const { id, contactId, instanceId } = conversation
  const kept = await db
    .select({ conversationId: preAttendanceTemp.conversationId })
    .from(preAttendanceTemp)
    .where(
      and(
        eq(preAttendanceTemp.contactId, contactId),
        eq(preAttendanceTemp.instanceId, instanceId),
        eq(preAttendanceTemp.stage, 'waiting_option'),
      ),
    )
    .for('update')
  for (const { conversationId } of kept) await absorb(db, id, conversationId)
  if (kept.length > 0) await recount(db, id)
}

/** Two contacts are one person: of two who have not chosen yet, one is asked. */
export async function unitePreAttendance(db: Tx, keepId: number, goneId: number): Promise<void> {
  const waiting = await db
    .select()
    .from(preAttendanceTemp)
    .where(
      and(
        inArray(preAttendanceTemp.contactId, [keepId, goneId]),
        eq(preAttendanceTemp.stage, 'waiting_option'),
      ),
    )
    .orderBy(asc(preAttendanceTemp.conversationId))
    .for('update')
  for (const row of waiting) {
    const other = waiting.find(
      (one) => one.instanceId === row.instanceId && one.conversationId < row.conversationId,
    )
    if (!other) continue
    await absorb(db, other.conversationId, row.conversationId)
    await recount(db, other.conversationId)
  }
  await db.update(preAttendanceTemp).set({ contactId: keepId }).where(eq(preAttendanceTemp.contactId, goneId))
}

/** So long a choice is waited for; nothing that a client wrote is dropped. */
const choiceWithin = sql`interval '24 hours'`
/** So long what was ended by the client himself can be read. */
const cancelledKept = sql`interval '30 days'`

/** Contacts whose choice has been waited for long enough. */
export function listUndecided(db: Db): Promise<{ contactId: number; conversationId: number }[]> {
  return db
    .select({ contactId: preAttendanceTemp.contactId, conversationId: preAttendanceTemp.conversationId })
    .from(preAttendanceTemp)
    .where(
      and(
        eq(preAttendanceTemp.stage, 'waiting_option'),
        sql`${preAttendanceTemp.createdAt} < app_now() - ${choiceWithin}`,
      ),
    )
    .limit(100)
    .execute()
}

/** Opens what is still undecided, for the FILA. The contact is held. */
export async function openUndecided(db: Tx, conversationId: number): Promise<Locked | undefined> {
  const [row] = await db
    .select()
    .from(preAttendanceTemp)
    .where(
      and(
        eq(preAttendanceTemp.conversationId, conversationId),
        eq(preAttendanceTemp.stage, 'waiting_option'),
      ),
    )
    .for('update')
  const conversation = row && (await lockConversation(db, conversationId))
  return (
    conversation && settle(db, conversation, attended(await keptIn(db, [conversationId]), await appNow(db)))
  )
}

/** What was ended by the client is forgotten after its time. */
export async function trimCancelled(db: Db): Promise<void> {
  await db.delete(conversations).where(
    inArray(
      conversations.id,
      db
        .select({ id: preAttendanceTemp.conversationId })
        .from(preAttendanceTemp)
        .where(
          and(
            eq(preAttendanceTemp.stage, 'cancelled'),
            sql`${preAttendanceTemp.createdAt} < app_now() - ${cancelledKept}`,
          ),
        ),
    ),
  )
}
