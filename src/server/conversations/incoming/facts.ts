import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#server/platform/database/db.ts'
import { statement } from '#server/platform/database/statement.ts'
import { messages } from '#server/schema/conversations/conversations.ts'
import { settingsOfNumber } from '#server/settings/settings.ts'
import type { IncomingMessage } from '#server/gateway/gateway.ts'
import { type Locked, lockForMessages } from '#server/conversations/store/lock.ts'
import { placeholderTable, toColumns } from '#server/platform/database/placeholder-table.ts'
import { asksForChoice } from '#server/conversations/automatic/pre-attendance.ts'
import { neighbourColumns, neighboursOf } from '#server/conversations/store/message-place.ts'
import type { ContactFacts } from './decide.ts'
import { findStored } from './stored-message.ts'

/** A message of a contact, who is locked. */
export interface FromContact {
  event: IncomingMessage
  contactId: number
}

/** A message with all that its verdict depends on, and with the rows that this locked. */
export interface Gathered extends FromContact {
  facts: ContactFacts
  open: Locked | undefined
  /** The latest conversation of which a rating was asked. */
  toRate: Locked | undefined
}

const exists = (query: SQL) => sql<boolean>`(${query} limit 1) is not null`
/** Asked only under a condition; otherwise false. */
const only = (condition: SQL, query: SQL) =>
  sql<boolean>`case when ${condition} then ${exists(query)} else false end`

/**
 * What is asked of every message `a`: it has "instanceId", "waId", "sentAt" and, where a conversation is
 * open, "openId". Its neighbours are joined.
 */
export const commonColumns = {
  now: sql`app_now()`.mapWith(messages.sortAt),
  ...neighbourColumns,
  isStored: exists(
    sql`select 1 from messages m where m.instance_id = a."instanceId" and m.whatsapp_message_id = a."waId"`,
  ),
  hasPendingChanges: exists(
    sql`select 1 from pending_updates p
         where p.instance_id = a."instanceId" and p.whatsapp_message_id = a."waId"`,
  ),
  isDeleted: exists(
    sql`select 1 from forgotten_messages f
         where f.instance_id = a."instanceId" and f.whatsapp_message_id = a."waId"`,
  ),
}

/** Joins to a message `a` its neighbours in the open conversation, which `commonColumns` read. */
export const joinNeighbours = sql`
  left join lateral (${neighboursOf(sql`a."openId"`, sql`a."sentAt"`)}) around on true`

// What is the same for all rows is a column, too: seen as a value, the planner would make a plan for each
// execution.
const columnTypes = {
  n: 'int',
  instanceId: 'int',
  waId: 'text',
  contactId: 'int',
  openId: 'int',
  startedAt: 'timestamptz',
  sentAt: 'timestamptz',
  mayChoose: 'bool',
} as const
const columnNames = Object.keys(columnTypes) as (keyof typeof columnTypes)[]

// Not by 'exists', which the planner may answer by reading a whole table once a statement.
const selectFacts = statement<Record<string, unknown>>()((db) =>
  db
    .select({
      ...commonColumns,
      isAnsweredByPhone: exists(
        sql`select 1 from messages m where m.conversation_id = a."openId"
               and m.sent_at >= coalesce(a."sentAt", app_now())
               and (m.metadata ->> 'origin' in ('phone', 'api')
                    or m.metadata #>> '{call,outcome}' = 'answered')`,
      ),
      hasLaterPhoneMessages: only(
        sql`a."openId" is null or a."sentAt" < a."startedAt"`,
        sql`select 1 from conversations h join messages m on m.conversation_id = h.id
             where h.contact_id = a."contactId" and h.instance_id = a."instanceId" and h.is_history
               and m.sender_type = 'user' and m.sent_at > coalesce(a."sentAt", app_now())`,
      ),
      hasLaterChoice: only(
        sql`a."mayChoose" and a."openId" is null`,
        sql`select 1 from pre_attendance_temp p
             where p.contact_id = a."contactId" and p.instance_id = a."instanceId"
               and p.last_message_at > coalesce(a."sentAt", app_now())`,
      ),
    })
    .from(sql`${placeholderTable('a', columnTypes)} ${joinNeighbours}`)
    .orderBy(sql`a.n`),
)

/**
 * Gathers what is known of messages of contacts, each of another contact, under the locks of these contacts.
 * Locks their conversations, and others that the transaction needs, in the order of ids, and then the ids of
 * the messages.
 * @param alsoLocked ids of other conversations to lock
 */
export async function gatherFacts<Message extends FromContact>(
  db: Tx,
  instanceId: number,
  many: readonly Message[],
  alsoLocked: readonly number[] = [],
): Promise<(Message & Gathered)[]> {
  const locked = await lockForMessages(db, {
    instanceId,
    contactIds: many.map(({ contactId }) => contactId),
    conversationIds: alsoLocked,
    waIds: many.map(({ event }) => event.waId),
    sentAt: earliest(many.flatMap(({ event }) => event.sentAt ?? [])),
    isOwn: false,
  })
  if (many.length === 0) return []
  const settings = await settingsOfNumber(db, instanceId)
  const conversations = many.map(({ contactId }) =>
    ofContact(locked.filter((row) => row.contactId === contactId && row.instanceId === instanceId)),
  )
  const asked = many.map(({ event, contactId }, n) => ({
    n,
    instanceId,
    waId: event.waId,
    contactId,
    openId: conversations[n]?.open?.id ?? null,
    startedAt: conversations[n]?.open?.startedAt.toISOString() ?? null,
    sentAt: event.sentAt?.toISOString() ?? null,
    mayChoose: asksForChoice(settings),
  }))
  const found = await selectFacts(db, toColumns(asked, columnNames))
  const gathered: (Message & Gathered)[] = []
  for (const [n, one] of many.entries()) {
    const [row, ofIt] = [found[n], conversations[n]]
    if (!row || !ofIt) throw new Error('a message without facts')
    const { isStored, ...facts } = row
    const { open, toRate, isChoosing } = ofIt
    const { event } = one
    const stored = isStored ? await findStored(db, instanceId, event.waId) : undefined
    const ratingAskedAt = toRate?.ratingAskedAt ?? undefined
    gathered.push({
      ...one,
      open,
      toRate,
      facts: { ...facts, event, settings, open, stored, ratingAskedAt, isChoosing },
    })
  }
  return gathered
}

const earliest = (times: Date[]): Date | undefined =>
  times.length > 0 ? new Date(Math.min(...times.map(Number))) : undefined

/** What is locked of one contact. */
function ofContact(locked: Locked[]) {
  return {
    open: locked.find(({ status }) => status !== 'completed'),
    toRate: locked.findLast(({ ratingAskedAt }) => ratingAskedAt !== null),
    isChoosing: locked.some(({ preAttendanceStage }) => preAttendanceStage === 'waiting_option'),
  }
}
