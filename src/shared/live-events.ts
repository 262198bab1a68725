import * as z from 'zod/mini'
import { conversation } from '#shared/conversations/conversations.ts'
import { draft } from '#shared/conversations/drafts.ts'
import { message } from '#shared/messages/messages.ts'
import { conversationRead } from '#shared/conversations/reads.ts'
import { stats } from '#shared/conversations/stats.ts'
import { id, instant, presenceStates } from './users/users.ts'

/**
 * The events that the server pushes. A frame carries the rows that REST would return to the same person, and
 * the browser keeps the one with the higher `version`. Events can be missed; REST is authoritative.
 * @see decisions §3 Live messages
 */
const aboutMessage = z.object({ conversationId: id, conversation, message })
const aboutConversation = z.object({ conversationId: id, conversation })

const colleague = z.object({ id, name: z.string() })
export type Colleague = z.infer<typeof colleague>

/** Typing or recording in a chat; 'paused' ends it. */
export const activities = ['composing', 'recording', 'paused'] as const
export type Activity = (typeof activities)[number]

const viewed = z.object({ conversationId: id, people: z.array(colleague) })
export type Viewed = z.infer<typeof viewed>

/** `by` is a colleague, or null for the client. */
const typed = z.object({ conversationId: id, by: z.nullable(colleague), activity: z.enum(activities) })
export type Typed = z.infer<typeof typed>

const count = z.int().check(z.minimum(0))

/** What a person's screens are notified of the gateway: only of the numbers that were given to them. */
const gatewayNews = z.object({
  /** One of the numbers is open. */
  gatewayConnected: z.boolean(),
  /** The active numbers that were connected before, and are not open now. */
  away: z.array(z.object({ id, name: z.string() })),
  /** Another one whenever `GET /api/numbers` would answer otherwise. */
  numbersVersion: z.string(),
  /** Messages of ours that wait for the gateway, or for their turn in its pace. */
  waiting: count,
  /** The recovery of the last half hour: the messages that came late, up to the last one. */
  recovered: z.nullable(z.object({ count, until: instant })),
})
export type GatewayNews = z.infer<typeof gatewayNews>

export const liveEventData = {
  hello: z.extend(gatewayNews, {
    connectionId: z.string(),
    heartbeatMs: z.int(),
    serverTime: instant,
  }),
  resumed: z.object({}),
  /** The events since the cursor are not available: refetch everything shown. */
  resync: z.object({ reason: z.enum(['no_cursor', 'too_old', 'too_many', 'epoch']) }),
  new_conversation_with_sound: z.extend(aboutConversation, { playSound: z.boolean() }),
  new_conversation: aboutConversation,
  new_conversation_notification: aboutConversation,
  customer_message_notification: aboutMessage,
  message_received: aboutMessage,
  new_message: aboutMessage,
  conversation_updated: aboutConversation,
  conversation_transferred: aboutConversation,
  conversation_removed: z.object({ conversationId: id }),
  /** Messages were removed, or moved into this conversation or out of it: refetch those that are shown. */
  timeline_changed: z.object({ conversationId: id }),
  /** Sent to the reader only, for the reader's other devices. */
  conversation_read: z.object({ conversationId: id, read: conversationRead }),
  /** Sent to the author only; null after the draft was removed. */
  draft_changed: z.object({ conversationId: id, draft: z.nullable(draft) }),
  queue_changed: z.object({}),
  stats_update: z.object({ stats }),
  permissions_changed: z.object({}),
  /** Sent to one person: what `GET /api/auth/me` says of the account, other than its permissions. */
  account_changed: z.object({}),
  settings_changed: z.object({}),
  /** Sent to administrators: a notice begins, ends, or was dismissed. */
  notices_changed: z.object({}),
  gateway_state: gatewayNews,
  // The events below are not in the log: they are pushed once, with best effort, and never replayed.
  /** Presence of colleagues. With `isWhole`, everybody not listed is offline. */
  presence: z.object({
    isWhole: z.boolean(),
    people: z.array(z.object({ id, state: z.enum(presenceStates) })),
  }),
  /** All viewers of each listed conversation. With `isWhole`, the others have no viewers. */
  viewing: z.object({ isWhole: z.boolean(), conversations: z.array(viewed) }),
  /** Valid for some seconds unless repeated. */
  typing: z.object({ typing: z.array(typed) }),
} as const

export type LiveEventType = keyof typeof liveEventData
export type LiveEvent = {
  [Type in LiveEventType]: { type: Type; data: z.infer<(typeof liveEventData)[Type]> }
}[LiveEventType]

export type LiveEventOf<Type extends LiveEventType> = Extract<LiveEvent, { type: Type }>

/**
 * `n` numbers the frames of a connection without gaps. `cursor` is opaque and sent back to resume. `seq` is
 * the same when an event is replayed, and absent on events that are not in the log.
 */
export type LiveFrame = LiveEvent & { n: number; cursor: string; epoch: string; seq?: string }

export const liveFrameEnvelope = z.object({
  type: z.string(),
  n: z.int(),
  cursor: z.string(),
  epoch: z.string(),
  seq: z.optional(z.string()),
  data: z.unknown(),
})

/** The frames that a browser may send; others are counted and ignored. */
export const clientFrame = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('authenticate'),
    data: z.object({
      userId: z.unknown(),
      lastCursor: z.optional(z.string().check(z.maxLength(64))),
      epoch: z.optional(z.string().check(z.maxLength(64))),
    }),
  }),
  z.object({ type: z.literal('request_stats'), data: z.unknown() }),
  /** There was mouse or keyboard input. Sent at most once a minute. */
  z.object({ type: z.literal('active'), data: z.unknown() }),
  /** The chat open in a visible tab; null for none. */
  z.object({ type: z.literal('viewing'), data: z.object({ conversationId: z.nullable(id) }) }),
  /** Sent every three seconds while the person types in the open chat, and once on stopping. */
  z.object({ type: z.literal('typing'), data: z.object({ conversationId: id, isTyping: z.boolean() }) }),
])
export type ClientFrame = z.infer<typeof clientFrame>

export const closeCodes = {
  sessionEnded: 4401,
  otherUser: 4403,
  tooSlow: 4408,
  tooManyFrames: 4429,
  frameTooLarge: 1009,
  restarting: 1012,
  notNow: 1013,
} as const
