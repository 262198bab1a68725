import { type SQL, sql } from 'drizzle-orm'
import type { SystemSettings } from '#shared/settings/settings.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { statement } from '#server/platform/database/statement.ts'
import { messages } from '#server/schema/conversations/conversations.ts'
import { sectorOfNew } from '#server/sectors/sectors.ts'
import { settingsOfNumber } from '#server/settings/settings.ts'
import type { IncomingMessage } from '#server/gateway/gateway.ts'
import { type Locked, lockForMessages } from '#server/conversations/store/lock.ts'
import { placeholderTable, toColumns } from '#server/platform/database/placeholder-table.ts'
import { asksForChoice, isAsking } from '#server/conversations/automatic/pre-attendance.ts'
import { type Ended, listJustEnded } from '#server/conversations/automatic/thanks.ts'
import { mayBePolite } from '#server/conversations/automatic/thanks-words.ts'
import { withScheduled } from '#server/conversations/scheduled/answered.ts'
import { acceptedAtOf } from '#server/conversations/messages/sent.ts'
import { withClosing } from '#server/conversations/store/texts.ts'
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
  /** A completed conversation whose end may still be held, so that the message keeps it open. */
  held: Locked | undefined
  /** The latest conversation of which a rating was asked. */
  toRate: Locked | undefined
  /** The latest one, if it has ended within the hour and the message may be thanks for it. */
  ended: Locked | undefined
  /** Somebody is told of what happens in the open conversation. */
  isFollowed: boolean
  /** Something waits to be sent to the contact unless they write. */
  hasScheduled: boolean
}

const exists = (query: SQL) => sql<boolean>`(${query} limit 1) is not null`
/** Asked only under a condition; otherwise false. */
const only = (condition: SQL, query: SQL) =>
  sql<boolean>`case when ${condition} then ${exists(query)} else false end`

/**
 * What is asked of every message `a`: it has "instanceId", "waId", "sentAt", "postedMs" and, where a
 * conversation is open, "openId". Its neighbours are joined.
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
  left join lateral (${neighboursOf(sql`a."openId"`, {
    sentAt: sql`a."sentAt"`,
    postedMs: sql`a."postedMs"`,
  })}) around on true`

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
  postedMs: 'float8',
  mayChoose: 'bool',
  toRateId: 'int',
  ratedId: 'int',
  thankedId: 'int',
  endedId: 'int',
  endedAt: 'timestamptz',
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
               and m.sender_type = 'user' and m.message_type <> 'note'
               and m.sent_at > coalesce(a."sentAt", app_now())`,
      ),
      isFollowed: only(
        sql`a."openId" is not null`,
        sql`select 1 from conversation_followers f where f.conversation_id = a."openId"`,
      ),
      hasScheduled: exists(withScheduled(sql`a."contactId"`, sql`a."instanceId"`)),
      hasClosing: only(sql`a."openId" is null`, withClosing),
      newSectorId: sql<number | null>`case when a."openId" is null then ${sectorOfNew({
        contactId: sql`a."contactId"`,
        instanceId: sql`a."instanceId"`,
      })} end`,
      hasLaterChoice: only(
        sql`a."mayChoose" and a."openId" is null`,
        sql`select 1 from pre_attendance_temp p
             where p.contact_id = a."contactId" and p.instance_id = a."instanceId"
               and p.last_message_at > coalesce(a."sentAt", app_now())`,
      ),
      ratingSentAt: sql<Date | null>`asked."sentAt"`.mapWith(messages.sentAt),
      // Whatever was said in the second of the contact's message may have come before it.
      isRatingFollowed: only(
        sql`asked.id is not null`,
        sql`select 1 from conversations h join messages m on m.conversation_id = h.id
             where h.contact_id = a."contactId" and h.instance_id = a."instanceId" and m.id <> asked.id
               and ((m.delivery_status <> 'failed' and m.id > asked.id)
                    or (m.metadata ->> 'origin' in ('phone', 'api') and m.sent_at >= asked."sentAt"))
               and date_trunc('second', coalesce(m.accepted_at, m.sent_at))
                   <= coalesce(a."sentAt", app_now())`,
      ),
      saidBeforeEnd: sql<string | null>`case when a."endedId" is not null then (
        select m.content from messages m
         where m.conversation_id = a."endedId" and m.deleted_at is null
           and ((m.sender_id is not null and m.delivery_status <> 'failed')
                or m.metadata ->> 'origin' in ('phone', 'api', 'assistant'))
         order by m.sort_at desc, m.id desc limit 1) end`,
      saidAfterEnd: sql<string | null>`case when a."endedId" is not null then (
        select m.content from conversations h join messages m on m.conversation_id = h.id
         where h.contact_id = a."contactId" and h.instance_id = a."instanceId" and h.is_history
           and h.completed_at >= a."endedAt" and m.deleted_at is null
           and m.metadata ->> 'origin' in ('phone', 'api')
           and m.sent_at > a."endedAt" and m.sent_at <= coalesce(a."sentAt", app_now())
         order by m.sent_at desc, m.id desc limit 1) end`,
      operatorNames: sql<string[]>`array(
        select u.name from users u where u.id in (a."ratedId", a."thankedId"))`,
    })
    .from(
      sql`${placeholderTable('a', columnTypes)} ${joinNeighbours}
          left join lateral (
            select m.id, ${acceptedAtOf(sql`m`)} as "sentAt" from messages m
             where m.conversation_id = a."toRateId" and m.metadata ->> 'text' = 'ratingMessage'
             order by m.id desc limit 1) asked on a."toRateId" is not null`,
    )
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
  const polite = many.filter(
    ({ event }) => event.content.messageType === 'text' && mayBePolite(event.content.content),
  )
  const thankedIds = await listJustEnded(
    db,
    instanceId,
    polite.map(({ contactId }) => contactId),
  )
  const locked = await lockForMessages(db, {
    instanceId,
    contactIds: many.map(({ contactId }) => contactId),
    conversationIds: [...alsoLocked, ...thankedIds],
    waIds: many.map(({ event }) => event.waId),
    sentAt: many.flatMap(({ event }) => event.sentAt ?? []).toSorted((a, b) => +a - +b)[0],
    isOwn: false,
  })
  if (many.length === 0) return []
  // Before a conversation the settings of the number decide, such as whether its client has to choose.
  const ofNumber = await settingsOfNumber(db, instanceId)
  const conversations = many.map(({ contactId }) =>
    ofContact(
      locked.filter((row) => row.contactId === contactId && row.instanceId === instanceId),
      thankedIds,
    ),
  )
  const asked = many.map(({ event, contactId }, n) => ({
    n,
    instanceId,
    waId: event.waId,
    contactId,
    openId: conversations[n]?.open?.id ?? null,
    startedAt: conversations[n]?.open?.startedAt.toISOString() ?? null,
    sentAt: event.sentAt?.toISOString() ?? null,
    postedMs: event.postedMs ?? null,
    mayChoose: asksForChoice(ofNumber),
    toRateId: conversations[n]?.toRate?.id ?? null,
    ratedId: conversations[n]?.toRate?.assignedUserId ?? null,
    thankedId: conversations[n]?.ended?.assignedUserId ?? null,
    endedId: conversations[n]?.ended?.id ?? null,
    endedAt: conversations[n]?.ended?.completedAt?.toISOString() ?? null,
  }))
  const found = await selectFacts(db, toColumns(asked, columnNames))
  const settingsOf = settingsBySector(db, instanceId, ofNumber)
  const asks = found[0] !== undefined && (await isAsking(db, instanceId, ofNumber, found[0].now))
  const gathered: (Message & Gathered)[] = []
  for (const [n, one] of many.entries()) {
    const [row, ofIt] = [found[n], conversations[n]]
    if (!row || !ofIt) throw new Error('a message without facts')
    const {
      isStored,
      isFollowed,
      hasScheduled,
      ratingSentAt,
      isRatingFollowed,
      saidBeforeEnd,
      saidAfterEnd,
      ...facts
    } = row
    const { open, held, toRate, ended, isChoosing } = ofIt
    const { event } = one
    const settings = await settingsOf(open ? open.sectorId : facts.newSectorId)
    const stored = isStored ? await findStored(db, instanceId, event.waId) : undefined
    const askedRating = toRate && { sentAt: ratingSentAt ?? undefined, isFollowed: isRatingFollowed }
    gathered.push({
      ...one,
      open,
      held,
      toRate,
      ended,
      isFollowed,
      hasScheduled,
      facts: {
        ...facts,
        event,
        settings,
        ofNumber,
        open,
        stored,
        askedRating,
        isChoosing,
        isAsking: asks,
        ended: endedAs(ended, { saidBeforeEnd, saidAfterEnd }),
      },
    })
  }
  return gathered
}

/** The settings of conversations at one number, read once for each sector. */
function settingsBySector(db: Tx, instanceId: number, ofNumber: SystemSettings) {
  const known = new Map<number | null, SystemSettings>([[null, ofNumber]])
  return async (sectorId: number | null): Promise<SystemSettings> => {
    const settings = known.get(sectorId) ?? (await settingsOfNumber(db, instanceId, sectorId))
    known.set(sectorId, settings)
    return settings
  }
}

/** An ended conversation, as `areThanks` judges by it. */
const endedAs = (
  ended: Locked | undefined,
  { saidBeforeEnd, saidAfterEnd }: { saidBeforeEnd: string | null; saidAfterEnd: string | null },
): Ended | undefined => {
  if (!ended?.completedAt) return undefined
  const content = saidAfterEnd ?? saidBeforeEnd ?? ''
  return { at: ended.completedAt, saidLast: { content, isAfterEnd: saidAfterEnd !== null } }
}

/** What is locked of one contact. @param thankedIds ended conversations that a message may be thanks for */
function ofContact(locked: Locked[], thankedIds: readonly number[]) {
  return {
    open: locked.find(({ status }) => status !== 'completed'),
    held: locked.findLast(({ status, heldUntil }) => status === 'completed' && heldUntil !== null),
    toRate: locked.findLast(({ ratingAskedAt }) => ratingAskedAt !== null),
    ended: locked.find(({ id, status }) => thankedIds.includes(id) && status === 'completed'),
    isChoosing: locked.some(({ preAttendanceStage }) => preAttendanceStage === 'waiting_option'),
  }
}
