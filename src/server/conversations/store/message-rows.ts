import { and, asc, desc, eq, type Placeholder, type SQL, sql } from 'drizzle-orm'
import {
  isInReachOfParams,
  reachColumns,
  type Reader,
  type ReachParams,
  reachParams,
} from '#server/platform/http/reach.ts'
import type { Db } from '#server/platform/database/db.ts'
import { anyOf, statement } from '#server/platform/database/statement.ts'
import type { transcriptionStates } from '#server/schema/assistant.ts'
import { messages } from '#server/schema/conversations/conversations.ts'
import {
  messageReactions,
  messageVersions,
  messageVotes,
} from '#server/schema/conversations/message-changes.ts'
import { users } from '#server/schema/users.ts'
import { isTrackingType, messageTypes } from '#shared/messages/message-kinds.ts'
import type { Origin } from '#shared/messages/message-metadata.ts'
import type { TranscriptionFailure } from '#shared/assistant/transcription.ts'

export const trackingTypes = sql.raw(
  messageTypes
    .filter(isTrackingType)
    .map((type) => `'${type}'`)
    .join(', '),
)

/**
 * The quoted message of the same contact. One that only administrators see is named by its kind even if it is
 * deleted, or was sent to another contact who is the same person: the gateway has reported its text, too.
 */
const quoted = sql`coalesce((select row_to_json(q) from (
  select m.id, m.conversation_id as "conversationId", m.sender_type as "senderType",
         m.message_type as "messageType", left(m.content, 300) as content, m.deleted_at as "deletedAt",
         m.sender_id as "senderId", u.name as "senderName", m.metadata ->> 'origin' as origin
    from messages m left join users u on u.id = m.sender_id
   where m.instance_id = ${messages.instanceId} and m.whatsapp_message_id = ${messages.quotedWhatsappId}
     and m.conversation_id in (select c.id from conversations c where c.contact_id = (
           select o.contact_id from conversations o where o.id = ${messages.conversationId}))) q),
  (select row_to_json(h) from (
  select 0 as id, 0 as "conversationId", 'user' as "senderType", k.message_type as "messageType",
         '' as content, null as "deletedAt"
    from (select m.instance_id, m.whatsapp_message_id, m.message_type from messages m
          union all
          select f.instance_id, f.whatsapp_message_id, f.message_type from forgotten_messages f) k
   where k.instance_id = ${messages.instanceId} and k.whatsapp_message_id = ${messages.quotedWhatsappId}
     and k.message_type in (${trackingTypes}) limit 1) h))`

const reactions = sql<{ emoji: string; from: 'contact' | 'user' }[]>`(
  select coalesce(json_agg(json_build_object('emoji', r.emoji, 'from', r.sender) order by r.id), '[]'::json)
    from ${messageReactions} r where r.message_id = ${messages.id} and r.emoji <> '')`

const votes = sql<{ options: string[]; from: 'contact' | 'user' }[]>`(
  select coalesce(json_agg(json_build_object('options', v.options, 'from', v.sender) order by v.id),
                  '[]'::json)
    from ${messageVotes} v where v.message_id = ${messages.id} and v.options <> '{}')`

/** Who wrote an outgoing message: a person, or what no person did. */
export interface SenderColumns {
  senderId: number | null
  senderName: string | null
  origin: Origin | null
}

export interface QuotedRow extends SenderColumns {
  id: number
  conversationId: number
  senderType: 'contact' | 'user'
  messageType: (typeof messages.$inferSelect)['messageType']
  content: string
  /** A string in the format of JSON. */
  deletedAt: Date | string | null
}

/** Of a sound: whether sounds are put into words, and what has become of this one. */
const transcription = sql<TranscriptionFacts | null>`case when ${messages.messageType} = 'audio' then (
  select json_build_object('isOn', coalesce(g.can_transcribe, false), 'state', t.state, 'reason', t.reason)
    from (values (1)) one (id) left join gpt_maker_config g on g.id = one.id
    left join transcriptions t on t.message_id = ${messages.id}) end`

export interface TranscriptionFacts {
  isOn: boolean
  state: (typeof transcriptionStates)[number] | null
  reason: TranscriptionFailure | null
}

const messageColumns = {
  message: messages,
  senderName: users.name,
  quoted: sql<QuotedRow | null>`case when ${messages.quotedWhatsappId} is null then null
                                     else ${quoted} end`,
  reactions,
  votes,
  transcription,
}
const isSender = eq(users.id, messages.senderId)

export type MessageRow = Awaited<ReturnType<typeof listMessageRows>>[number]

const selectMessagesById = statement<{ ids: number[] }>()((db) =>
  db
    .select(messageColumns)
    .from(messages)
    .leftJoin(users, isSender)
    .where(sql`${messages.id} = ${anyOf('ids')}`),
)

export function listMessageRows(db: Db, ids: number[]) {
  return selectMessagesById(db, { ids })
}

/** Messages of the kinds that everybody sees. @see `ofSeenKind` of access.ts, for a person */
export const notTracking = sql`${messages.messageType} not in (${trackingTypes})`

/** Where a message of the conversation is in its timeline; nowhere, if the reader does not see its kind. */
export function placeOf(
  messageId: SQL | Placeholder | number,
  conversationId: SQL | Placeholder | number,
  withTracking: boolean,
): SQL {
  return sql`(select p.sort_at, p.id from messages p
               where p.id = ${messageId} and p.conversation_id = ${conversationId}
                 ${withTracking ? sql`` : sql`and p.message_type not in (${trackingTypes})`})`
}

/** What a page of a timeline is limited by. */
interface PageLimits {
  hasBefore: boolean
  hasAfter: boolean
  withTracking: boolean
}

interface PageParams extends ReachParams {
  conversationId: number
  /** They may read completed conversations of others. */
  readsArchive: boolean
  before?: number | undefined
  after?: number | undefined
  limit: number
}

function pageStatement({ hasBefore, hasAfter, withTracking }: PageLimits) {
  const conversationId = sql.placeholder('conversationId')
  const place = (end: 'before' | 'after') => placeOf(sql.placeholder(end), conversationId, withTracking)
  // The rule of `mayRead`, for a reader who may view conversations at all.
  const isReadable = sql`(
    select (c.status <> 'completed' or c.assigned_user_id = ${sql.placeholder('userId')}
            or ${sql.placeholder('readsArchive')}::boolean)
           and ${isInReachOfParams(reachColumns('c'))}
      from conversations c where c.id = ${conversationId})`
  const isOfOther = sql<boolean>`(
    select c.status = 'completed' and c.assigned_user_id is distinct from ${sql.placeholder('userId')}
      from conversations c where c.id = ${conversationId})`
  return statement<PageParams>()((db) =>
    db
      .select({ ...messageColumns, isOfOther })
      .from(messages)
      .leftJoin(users, isSender)
      .where(
        and(
          eq(messages.conversationId, conversationId),
          isReadable,
          withTracking ? undefined : notTracking,
          hasBefore ? sql`(${messages.sortAt}, ${messages.id}) < ${place('before')}` : undefined,
          hasAfter ? sql`(${messages.sortAt}, ${messages.id}) > ${place('after')}` : undefined,
        ),
      )
      .orderBy(
        ...(hasAfter ? [asc(messages.sortAt), asc(messages.id)] : [desc(messages.sortAt), desc(messages.id)]),
      )
      .limit(sql.placeholder('limit')),
  )
}

const pageStatements = new Map<string, ReturnType<typeof pageStatement>>()

function pageStatementFor(limits: PageLimits) {
  const key = JSON.stringify(limits)
  const made = pageStatements.get(key) ?? pageStatement(limits)
  pageStatements.set(key, made)
  return made
}

/** A page: the last messages, or those before or after one. */
export interface TimelinePage {
  before?: number | undefined
  after?: number | undefined
  limit: number
  withTracking: boolean
}

/**
 * A page of a conversation's messages, oldest first, each with whether the conversation is a completed one of
 * somebody else. Empty, too, if the reader may not read the conversation.
 */
export async function listTimelineRows(
  db: Db,
  reader: { who: Reader; readsArchive: boolean },
  conversationId: number,
  { before, after, limit, withTracking }: TimelinePage,
) {
  const select = pageStatementFor({
    hasBefore: before !== undefined,
    hasAfter: after !== undefined,
    withTracking,
  })
  const { who, readsArchive } = reader
  const found = await select(db, { ...reachParams(who), readsArchive, conversationId, before, after, limit })
  return after === undefined ? found.reverse() : found
}

/**
 * The earlier texts of an edited message of the conversation, oldest first. An edit that was read off the
 * gateway's record and reported by a webhook much later is stored twice, with different times, and shown
 * once.
 */
export async function listVersionRows(db: Db, conversationId: number, messageId: number) {
  const versions = await db
    .select({
      content: messageVersions.content,
      replacedAt: messageVersions.replacedAt,
      latest: messages.content,
    })
    .from(messageVersions)
    .innerJoin(messages, eq(messages.id, messageVersions.messageId))
    .where(and(eq(messages.id, messageId), eq(messages.conversationId, conversationId)))
    .orderBy(sql`${messageVersions.saidAt} nulls first`, asc(messageVersions.id))
  return versions.filter(({ content, latest }, n) => content !== (versions[n + 1]?.content ?? latest))
}
