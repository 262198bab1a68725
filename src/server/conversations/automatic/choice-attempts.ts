import { and, eq, inArray, sql } from 'drizzle-orm'
import type { ChoiceAttempt, ChoiceMessage, SentQuestion, SentReply } from '#shared/choice.ts'
import { type Db, rows, type Tx } from '#server/platform/database/db.ts'
import { contacts } from '#server/schema/contacts/contacts.ts'
import { conversations, messages } from '#server/schema/conversations/conversations.ts'
import { outbox } from '#server/schema/conversations/outbox.ts'
import { preAttendanceTemp } from '#server/schema/conversations/queue.ts'
import { takesNew } from '#server/sectors/sectors.ts'
import { acceptedAtOf } from '#server/conversations/messages/sent.ts'
import { updateConversation } from '#server/conversations/store/change.ts'
import type { Locked } from '#server/conversations/store/lock.ts'
import { insertConversation, recount } from '#server/conversations/store/write.ts'

// Each attempt at a choice has a conversation of its own, which is completed until the contact has chosen to
// be attended. A message may change how the messages are divided into attempts, and then they move.

/** The conversation of an attempt that begins. */
export async function insertAttempt(
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
  if (!made) throw new Error('a conversation for a choice was not written')
  return made
}

/** The contact's messages in these conversations, in the order in which they were written. */
export async function listChoiceMessages(db: Db, conversationIds: number[]): Promise<ChoiceMessage[]> {
  const found = await rows<Omit<ChoiceMessage, 'writtenAt'> & { writtenAt: string }>(
    db,
    // An edit does not change what was chosen, and neither a caption nor the description of an order chooses.
    sql`select m.id, m.sent_at::text as "writtenAt",
               coalesce((m.metadata ->> 'recovered')::boolean, false) as "isRecovered",
               case when m.message_type = 'text' and m.metadata ->> 'gatewayType' is null
                    then coalesce((select v.content from message_versions v where v.message_id = m.id
                                    order by v.id limit 1), m.content)
                    else '' end as content
          from messages m
         where m.conversation_id = any(${sql.param(conversationIds)}::int[]) and m.sender_type = 'contact'
         order by m.sent_at, m.id`,
  )
  return found.map((one) => ({ ...one, writtenAt: new Date(one.writtenAt) }))
}

/** The questions of these conversations, in their order. */
export async function listQuestions(db: Db, conversationIds: number[]): Promise<SentQuestion[]> {
  const found = await rows<{
    id: number
    writtenAt: string
    acceptedAt: string | null
    hasFailed: boolean
    menu: number[] | null
  }>(
    db,
    sql`select m.id, m.created_at::text as "writtenAt", (${acceptedAtOf(sql`m`)})::text as "acceptedAt",
               m.delivery_status = 'failed' is true as "hasFailed", m.metadata -> 'menu' as menu
          from messages m
         where m.conversation_id = any(${sql.param(conversationIds)}::int[])
           and m.metadata ->> 'text' = 'preAttendanceMessage'
         order by m.created_at, m.id`,
  )
  return found.map(({ id, writtenAt, acceptedAt, hasFailed, menu }) => ({
    id,
    writtenAt: new Date(writtenAt),
    sentAt: acceptedAt === null ? undefined : new Date(acceptedAt),
    hasFailed,
    ...(menu && { menu }),
  }))
}

/** The replies within the last hour in other conversations of the contact. */
export async function listRepliesElsewhere(
  db: Db,
  conversationsHere: readonly [Locked, ...Locked[]],
  writtenAt: Date,
): Promise<SentReply[]> {
  const [{ contactId, instanceId }] = conversationsHere
  const found = await rows<Omit<SentReply, 'at'> & { at: string }>(
    db,
    sql`select m.metadata ->> 'text' as reply, m.created_at::text as at
          from conversations v join messages m on m.conversation_id = v.id
         where v.contact_id = ${contactId} and v.instance_id = ${instanceId}
           and v.id <> all(${sql.param(conversationsHere.map(({ id }) => id))}::int[])
           and m.metadata ->> 'text' in ('preAttendanceInvalidMessage', 'preAttendanceCancelMessage')
           and m.created_at > ${writtenAt.toISOString()}::timestamptz - interval '1 hour'
         order by m.created_at`,
  )
  return found.map(({ reply, at }) => ({ reply, at: new Date(at) }))
}

/** Without a choice: all messages are for an operator. */
export const attendedAttempt = (all: ChoiceMessage[], decidedAt: Date): ChoiceAttempt => ({
  stage: 'attend',
  messages: all,
  decidedAt,
  reply: undefined,
  replies: [],
})

export interface StoredAttempt {
  attempt: ChoiceAttempt
  conversation: Locked
}

/**
 * Writes attempts into locked conversations, each into one of its own. An attempt to be attended keeps the
 * conversation that is open; conversations that are left over are merged into the first.
 */
export async function storeAttempts(
  db: Tx,
  locked: readonly [Locked, ...Locked[]],
  attempts: ChoiceAttempt[],
): Promise<StoredAttempt[]> {
  const [first] = locked
  const isAttended = attempts.some(({ stage }) => stage === 'attend')
  const open = isAttended ? locked.find(({ status }) => status !== 'completed') : undefined
  const free = locked.filter((conversation) => conversation !== open)
  const stored: StoredAttempt[] = []
  let moved = 0
  for (const attempt of attempts) {
    const conversation =
      (attempt.stage === 'attend' ? open : undefined) ??
      free.shift() ??
      (await insertAttempt(db, first, first.startedAt))
    const messageIds = attempt.messages.map(({ id }) => id)
    moved += await moveMessages(db, conversation.id, messageIds)
    stored.push({ attempt, conversation: await storeAttempt(db, conversation, attempt) })
  }
  const [into] = stored
  if (!into) throw new Error('a choice without an attempt')
  for (const { id } of free) await absorbConversation(db, into.conversation.id, id)
  if (moved > 0 || free.length > 0) for (const { conversation } of stored) await recount(db, conversation.id)
  return stored
}

/** @returns how many were elsewhere */
async function moveMessages(db: Db, conversationId: number, ids: number[]): Promise<number> {
  const moved = await db
    .update(messages)
    .set({ conversationId })
    .where(and(inArray(messages.id, ids), sql`${messages.conversationId} <> ${conversationId}`))
    .returning({ id: messages.id })
  return moved.length
}

/** Moves all messages of a conversation into another one, and deletes it. */
export async function absorbConversation(db: Db, intoId: number, absorbedId: number): Promise<void> {
  await db.update(messages).set({ conversationId: intoId }).where(eq(messages.conversationId, absorbedId))
  await db.update(outbox).set({ conversationId: intoId }).where(eq(outbox.conversationId, absorbedId))
  await db.delete(conversations).where(eq(conversations.id, absorbedId))
}

/** Writes what an attempt has come to into its conversation and `pre_attendance_temp`. */
export async function storeAttempt(
  db: Tx,
  conversation: Locked,
  { stage, messages: own, decidedAt, sectorId }: ChoiceAttempt,
): Promise<Locked> {
  const firstAt = own[0]?.writtenAt ?? conversation.startedAt
  const lastAt = own.at(-1)?.writtenAt ?? conversation.startedAt
  const { id, instanceId, contactId } = conversation
  if (stage === 'attend') {
    await db.delete(preAttendanceTemp).where(eq(preAttendanceTemp.conversationId, id))
    return updateConversation(db, conversation, {
      status: 'waiting',
      completedAt: null,
      // By now it may be gone: then they come where they would have come without a choice.
      ...(sectorId !== undefined && (await takesNew(db, sectorId, instanceId)) && { sectorId }),
      preAttendanceStage: 'attended',
      // The wait begins with the choice: a contact who thought for a day is behind those who came before they
      // chose.
      startedAt: decidedAt ?? firstAt,
    })
  }
  const [contact] = await db
    .select({ phone: contacts.phone, name: contacts.name })
    .from(contacts)
    .where(eq(contacts.id, contactId))
  const values = {
    stage,
    originalMessage: own.map((message) => message.id),
    lastMessageAt: lastAt,
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
      createdAt: firstAt,
    })
    .onConflictDoUpdate({ target: preAttendanceTemp.conversationId, set: values })
  return updateConversation(db, conversation, {
    status: 'completed',
    preAttendanceStage: stage,
    startedAt: firstAt,
    completedAt: lastAt,
    lastActivityAt: lastAt,
  })
}
