import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/platform/database/db.ts'
import { lockName } from '#server/platform/database/locks.ts'
import { anyOf, statement } from '#server/platform/database/statement.ts'
import { conversations, messages, isOpen } from '#server/schema/conversations/conversations.ts'
import { isHeld } from '#server/schema/conversations/over.ts'

declare const lock: unique symbol

/** A row that the open transaction has locked or inserted. */
type LockedRow<Row> = Row & { readonly [lock]: true }

export type Locked = LockedRow<typeof conversations.$inferSelect>

type LockedId = Pick<Locked, 'id' | typeof lock>

/** A message of a conversation that is locked. */
export type LockedMessage = LockedRow<typeof messages.$inferSelect>

/** For the statements of this room that insert or update a conversation, and lock it by that. */
export const asLocked = (row: typeof conversations.$inferSelect): Locked => row as Locked

const selectForUpdate = statement<{ id: number }>()((db) =>
  db
    .select()
    .from(conversations)
    .where(eq(conversations.id, sql.placeholder('id')))
    .for('update'),
)

/** Locks the conversation until the end of the transaction; undefined when there is none of this id. */
export async function lockConversation(db: Tx, id: number): Promise<Locked | undefined> {
  const [row] = await selectForUpdate(db, { id })
  return row && asLocked(row)
}

const selectOpenForUpdate = statement<{ contactId: number; instanceId: number }>()((db) =>
  db
    .select()
    .from(conversations)
    .where(
      and(
        eq(conversations.contactId, sql.placeholder('contactId')),
        eq(conversations.instanceId, sql.placeholder('instanceId')),
        isOpen,
      ),
    )
    .for('update'),
)

/** Locks the contact's open conversation at the number; undefined when there is none. */
export async function lockOpenConversation(
  db: Tx,
  contactId: number,
  instanceId: number,
): Promise<Locked | undefined> {
  const [row] = await selectOpenForUpdate(db, { contactId, instanceId })
  return row && asLocked(row)
}

/** Locks all that match in the order of their ids, so that two transactions never wait for each other. */
export async function lockConversations(db: Tx, where: SQL | undefined): Promise<Locked[]> {
  const found = await db
    .select()
    .from(conversations)
    .where(where)
    .orderBy(asc(conversations.id))
    .for('update')
  return found.map(asLocked)
}

const selectAllForUpdate = statement<{ contactId: number; instanceId: number }>()((db) =>
  db
    .select({ id: conversations.id })
    .from(conversations)
    .where(
      and(
        eq(conversations.contactId, sql.placeholder('contactId')),
        eq(conversations.instanceId, sql.placeholder('instanceId')),
      ),
    )
    .orderBy(asc(conversations.id))
    .for('update'),
)

/** Locks all conversations of a locked contact at the number, in the order of their ids. */
export async function lockConversationsOf(db: Tx, contactId: number, instanceId: number): Promise<void> {
  await selectAllForUpdate(db, { contactId, instanceId })
}

/** What must be locked before messages are stored. */
interface MessageLocks {
  instanceId: number
  /** The contacts who write, or were written to; locked. */
  contactIds: readonly number[]
  /** Other conversations that the transaction needs. */
  conversationIds: readonly number[]
  waIds: readonly string[]
  /** When the earliest of the messages was sent; absent: now. */
  sentAt: Date | undefined
  /**
   * Whether the messages were sent from our own number, and may belong to any of the latest conversations.
   */
  isOwn: boolean
}

/** How many of a contact's latest conversations an own message may belong to. */
const latestOfContact = 5

function messageLocks(isOwn: boolean) {
  return statement<{
    contactIds: readonly number[]
    instanceId: number
    conversationIds: readonly number[]
    names: readonly string[]
    sentAt: string | null
  }>()((db) => {
    const instanceId = sql`(select ${sql.placeholder('instanceId')}::int)`
    const isOf = sql`c.contact_id = ${anyOf('contactIds')} and c.instance_id = ${instanceId}`
    const latest = sql`union all
      select l.id from unnest((select ${sql.placeholder('contactIds')}::int[])) own cross join lateral (
        select c.id from conversations c where c.contact_id = own and c.instance_id = ${instanceId}
         order by c.id desc limit ${sql.raw(String(latestOfContact))}) l`
    const locked = db.$with('locked').as(
      db
        .select()
        .from(conversations)
        .where(
          // An array, so that the planner uses the index of ids however small the table still is.
          sql`${conversations.id} = any((select array(
            select c.id from conversations c where ${isOf} and c.status <> 'completed'
            union all
            select c.id from conversations c where ${isOf} and c.rating_asked_at is not null
            union all
            select c.conversation_id from pre_attendance_temp c where ${isOf} and c.stage = 'waiting_option'
            union all
            select c.id from conversations c where ${isOf} and (${isHeld(sql`c.held_until`)} or (
                   c.is_history and c.completed_at >= (select
                     least(${sql.placeholder('sentAt')}::timestamptz, app_now()) - interval '1 day')))
            union all
            select unnest((select ${sql.placeholder('conversationIds')}::int[]))
            ${isOwn ? latest : sql``}))::int[])`,
        )
        .orderBy(asc(conversations.id))
        .for('update'),
    )
    // Counting the locked rows first keeps the order: every conversation, then the ids.
    const named = db.$with('named', { count: sql<number>`count`.as('count') }).as(
      sql`select count(pg_advisory_xact_lock(hashtextextended(name, 0)))
            from unnest((select ${sql.placeholder('names')}::text[])) name
           where (select count(*) from locked) >= 0`,
    )
    return db
      .with(locked, named)
      .select()
      .from(named)
      .leftJoin(locked, sql`true`)
  })
}

const lockForIncoming = messageLocks(false)
const lockForOwn = messageLocks(true)

/**
 * Locks in one statement what must be locked before messages are stored: conversations in the order of their
 * ids, then the WhatsApp ids. Of each contact: the open conversation, that whose end is held, those that wait
 * for a rating or a choice, the history that a message may join or begin with and, for own messages, the
 * latest ones.
 * @returns the conversations by id, as they are once locked: one that was open before may be completed
 */
export async function lockForMessages(
  db: Tx,
  { isOwn, waIds, sentAt, ...which }: MessageLocks,
): Promise<Locked[]> {
  const names = waIds.map((waId) => nameOfWaId(which.instanceId, waId)).sort()
  const found = await (isOwn ? lockForOwn : lockForIncoming)(db, {
    ...which,
    names,
    sentAt: sentAt?.toISOString() ?? null,
  })
  return found.flatMap((row) => (row.locked ? [asLocked(row.locked)] : [])).sort((x, y) => x.id - y.id)
}

/**
 * Locks a WhatsApp id until the end of the transaction: the message that gets the id, and changes that find
 * no message of that id yet, come one after the other. So no change is put aside just after the message
 * looked for it. Taken after the conversation's lock and before `applyPending`. A transaction that has it
 * asks only for conversations of a contact that it has locked, too.
 */
export function lockWaId(db: Db, instanceId: number, waId: string): Promise<void> {
  return lockName(db, nameOfWaId(instanceId, waId))
}

const nameOfWaId = (instanceId: number, waId: string) => `message:${instanceId}:${waId}`

const isOfId = eq(messages.id, sql.placeholder('id'))
const isOfWaId = and(
  eq(messages.instanceId, sql.placeholder('instanceId')),
  eq(messages.whatsappMessageId, sql.placeholder('waId')),
)

/** @param conversationIds a query of conversations to lock; absent: that of the message */
function messageLock<Params extends object>(
  where: SQL | undefined,
  conversationIds = sql`select ${messages.conversationId} from ${messages} where ${where}`,
) {
  const lockConversationOfIt = statement<Params>()((db) =>
    db
      .select({ id: conversations.id })
      .from(conversations)
      .where(sql`${conversations.id} in (${conversationIds})`)
      .orderBy(asc(conversations.id))
      .for('update'),
  )
  const selectIt = statement<Params>()((db) => db.select().from(messages).where(where))
  // Every transaction locks a conversation before its messages, so that two of them never wait for each
  // other.
  return async (db: Tx, params: Params): Promise<LockedMessage | undefined> => {
    for (;;) {
      const locked = await lockConversationOfIt(db, params)
      if (locked.length === 0) return undefined
      // Read once it is locked: the transaction that had the conversation before may have changed the
      // message, or moved it to another conversation.
      const [row] = await selectIt(db, params)
      if (!row || locked.some(({ id }) => id === row.conversationId)) return row as LockedMessage | undefined
    }
  }
}

const lockByWaId = messageLock<{ instanceId: number; waId: string }>(isOfWaId)
const lockById = messageLock<{ id: number }>(isOfId)
const lockByIdAndEcho = messageLock<{ id: number; waId: string }>(
  isOfId,
  sql`select m.conversation_id from messages m where m.id = ${sql.placeholder('id')}
      union all
      select e.conversation_id from messages m join messages e on e.instance_id = m.instance_id
       where m.id = ${sql.placeholder('id')} and e.whatsapp_message_id = ${sql.placeholder('waId')}`,
)

/** Locks the message that WhatsApp knows by this id, and its conversation before it. */
export function lockMessageByWaId(
  db: Tx,
  instanceId: number,
  waId: string,
): Promise<LockedMessage | undefined> {
  return lockByWaId(db, { instanceId, waId })
}

/** Locks the message, and its conversation before it. */
export function lockMessage(db: Tx, id: number): Promise<LockedMessage | undefined> {
  return lockById(db, { id })
}

/** The same, with the conversation of a message that has the WhatsApp id already. */
export function lockMessageAndEcho(db: Tx, id: number, waId: string): Promise<LockedMessage | undefined> {
  return lockByIdAndEcho(db, { id, waId })
}

const selectIn = statement<{ messageId: number; ids: readonly number[] }>()((db) =>
  db
    .select()
    .from(messages)
    .where(
      and(eq(messages.id, sql.placeholder('messageId')), sql`${messages.conversationId} = ${anyOf('ids')}`),
    ),
)

/** A message of a conversation, or of one of several, that the transaction has locked. */
export async function findMessageIn(
  db: Tx,
  locked: LockedId | readonly LockedId[],
  messageId: number,
): Promise<LockedMessage | undefined> {
  const ids = 'id' in locked ? [locked.id] : locked.map(({ id }) => id)
  const [row] = await selectIn(db, { messageId, ids })
  return row as LockedMessage | undefined
}

const selectId = statement<{ instanceId: number; waId: string }>()((db) =>
  db.select({ id: messages.id }).from(messages).where(isOfWaId),
)

/** Whether a message has this WhatsApp id by now. */
export async function isWaIdTaken(db: Db, instanceId: number, waId: string): Promise<boolean> {
  const found = await selectId(db, { instanceId, waId })
  return found.length > 0
}
