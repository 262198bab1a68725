import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Message } from '#shared/messages/messages.ts'
import type { LiveEvent } from '#shared/live-events.ts'
import { liveRows } from '#shared/live-rows.ts'
import type { EventType } from '#server/schema/platform/live.ts'
import type { Db } from '#server/platform/database/db.ts'
import type { EventRow } from '#server/platform/database/events.ts'
import type { Delivery } from '#server/platform/live/live-delivery.ts'
import type { RenderEvents } from '#server/platform/live/live-render.ts'
import { hasNumber, isPermitted, type Who } from '#server/platform/http/access.ts'
import { mayRead, type ReachFacts, reachOf } from '#server/platform/http/reach.ts'
import { seesKind, seesTracking } from '#server/conversations/store/access.ts'
import { listReads, type ReadRow, toRead } from '#server/conversations/store/reads.ts'
import { draftKey, type DraftRow, readDrafts, toDraft } from '#server/conversations/drafts/drafts.ts'
import { listConversationRows, factsOf, findReachFacts } from '#server/conversations/store/rows.ts'
import { listMessageRows } from '#server/conversations/store/message-rows.ts'
import { asCard, toConversation, toMessage } from '#server/conversations/store/serializers.ts'

/** What the events of a batch refer to. */
interface Referenced {
  conversations: Map<number, { conversation: Conversation; facts: ReachFacts }>
  messages: Map<number, Message>
  reads: ReadRow[]
  drafts: Map<string, DraftRow>
  /** Of conversations that were read, who knows of them. */
  readFacts: Map<number, ReachFacts>
}

/** A row of the log of one of these types. */
type RowOf<Type extends EventType> = EventRow & { type: Type }

/** Whether the person is sent what happens in conversations at all. */
const seesConversations = (who: Who) => isPermitted(who, liveRows.conversations)

async function readReferenced(db: Db, rows: EventRow[]): Promise<Referenced> {
  const ids = (pick: (row: EventRow) => number | null) => [
    ...new Set(rows.map(pick).filter((id) => id !== null)),
  ]
  const conversationIds = ids((row) => (row.type === 'conversation_read' ? null : row.conversationId))
  const messageIds = ids((row) => row.messageId)
  const readKeys = rows.flatMap(({ type, userId, conversationId }) =>
    type === 'conversation_read' && userId !== null && conversationId !== null
      ? [{ userId, conversationId }]
      : [],
  )
  const [open, messages, reads, drafts, readFacts] = await Promise.all([
    conversationIds.length > 0 ? listConversationRows(db, conversationIds) : [],
    messageIds.length > 0 ? listMessageRows(db, messageIds) : [],
    listReads(db, readKeys),
    readDrafts(
      db,
      rows.filter((row) => row.type === 'draft_changed'),
    ),
    findReachFacts(
      db,
      readKeys.map((key) => key.conversationId),
    ),
  ])
  return {
    conversations: new Map(
      open.map((row) => [row.conversation.id, { conversation: toConversation(row), facts: factsOf(row) }]),
    ),
    messages: new Map(messages.map((row) => [row.message.id, toMessage(row)])),
    reads,
    drafts,
    readFacts,
  }
}

type MessageEvent = 'message_received' | 'new_message' | 'customer_message_notification'
type ConversationEvent = Exclude<
  Extract<LiveEvent, { data: { conversation: Conversation } }>['type'],
  MessageEvent
>

function conversationDeliveries(
  { type, ...row }: RowOf<ConversationEvent>,
  { conversations }: Referenced,
): Delivery[] {
  const conversationId = row.conversationId ?? 0
  const found = conversations.get(conversationId)
  // For those who may not read it in the archive, or know of it no longer: they still see it leave the list.
  const removed: Delivery = {
    event: { type: 'conversation_removed', data: { conversationId } },
    mayRead: (who) => seesConversations(who) && (!found || hasNumber(who, found.facts.instanceId)),
  }
  // It has been merged into another conversation, or deleted.
  if (!found) return [removed]
  const { conversation, facts } = found
  const eventOf = (shown: Conversation): LiveEvent => {
    const data = { conversationId, conversation: shown }
    return type === 'new_conversation_with_sound'
      ? { type, data: { ...data, playSound: true } }
      : { type, data }
  }
  return [
    { event: eventOf(conversation), mayRead: (who) => seesConversations(who) && mayRead(who, facts) },
    {
      event: eventOf(asCard(conversation)),
      mayRead: (who) => seesConversations(who) && reachOf(who, facts) === 'card',
    },
    removed,
  ]
}

/** A conversation that was deleted with its messages has a 'conversation_removed' of its own. */
function timelineDeliveries(row: EventRow, { conversations }: Referenced): Delivery[] {
  const conversationId = row.conversationId ?? 0
  const found = conversations.get(conversationId)
  if (!found) return []
  return [
    {
      event: { type: 'timeline_changed', data: { conversationId } },
      mayRead: (who) => seesConversations(who) && mayRead(who, found.facts),
    },
  ]
}

/** Whoever knows of the conversation asks again, for what they may see. */
function scheduledDeliveries(row: EventRow, { conversations }: Referenced): Delivery[] {
  const conversationId = row.conversationId ?? 0
  const found = conversations.get(conversationId)
  if (!found) return []
  return [
    {
      event: { type: 'scheduled_changed', data: { conversationId } },
      mayRead: (who) => seesConversations(who) && reachOf(who, found.facts) === 'whole',
    },
  ]
}

/** The event of a draft names its writer, and is delivered to nobody else. */
function draftDeliveries(row: EventRow, { drafts, ...referenced }: Referenced): Delivery[] {
  const found = drafts.get(draftKey(row))
  const about = referenced.conversations.get(row.conversationId ?? 0)
  const delivery = (withTracking: boolean): Delivery => ({
    event: {
      type: 'draft_changed',
      data: { conversationId: row.conversationId ?? 0, draft: found ? toDraft(found, withTracking) : null },
    },
    mayRead: (who) =>
      seesConversations(who) &&
      seesTracking(who) === withTracking &&
      (!about || reachOf(who, about.facts) === 'whole'),
  })
  return [delivery(true), delivery(false)]
}

function messageDeliveries(
  { type, ...row }: RowOf<MessageEvent>,
  { conversations, messages }: Referenced,
): Delivery[] {
  const about = conversations.get(row.conversationId ?? 0)
  const message = messages.get(row.messageId ?? 0)
  if (!about || !message) return []
  const { conversation, facts } = about
  return [
    {
      event: { type, data: { conversationId: conversation.id, conversation, message } },
      mayRead: (who) => seesConversations(who) && mayRead(who, facts) && seesKind(who, message.messageType),
    },
  ]
}

function readDeliveries({ userId, conversationId }: EventRow, { reads, readFacts }: Referenced): Delivery[] {
  const read = reads.find((each) => each.userId === userId && each.conversationId === conversationId)
  const facts = readFacts.get(conversationId ?? 0)
  if (!read || !facts) return []
  return [
    {
      event: {
        type: 'conversation_read',
        data: { conversationId: read.conversationId, read: toRead(read) },
      },
      mayRead: (who) => seesConversations(who) && reachOf(who, facts) === 'whole',
    },
  ]
}

/** To whom each event of this room is delivered, and as what. */
const deliveriesOf = {
  new_conversation_with_sound: conversationDeliveries,
  new_conversation: conversationDeliveries,
  new_conversation_notification: conversationDeliveries,
  conversation_returned: conversationDeliveries,
  sla_near: conversationDeliveries,
  conversation_updated: conversationDeliveries,
  conversation_transferred: conversationDeliveries,
  timeline_changed: timelineDeliveries,
  message_received: messageDeliveries,
  new_message: messageDeliveries,
  customer_message_notification: messageDeliveries,
  conversation_read: readDeliveries,
  draft_changed: draftDeliveries,
  scheduled_changed: scheduledDeliveries,
  queue_changed: ({ type }) => [{ event: { type, data: {} }, mayRead: seesConversations }],
} satisfies { [Type in EventType]?: (row: RowOf<Type>, referenced: Referenced) => Delivery[] }

type RoomEvent = keyof typeof deliveriesOf

/** Renders events of this room, by the queries and serializers of REST. */
const render: RenderEvents = async (db, rows) => {
  const referenced = await readReferenced(db, rows)
  return rows.map((row) => deliveriesOf[row.type as RoomEvent](row as never, referenced))
}

export const renderers = Object.fromEntries(
  Object.keys(deliveriesOf).map((type) => [type, render]),
) as Record<RoomEvent, RenderEvents>
