import * as z from 'zod/mini'
import { conversation } from './conversations.ts'
import { draft } from './drafts.ts'
import { message } from './messages.ts'
import { conversationRead } from './reads.ts'
import { stats } from './stats.ts'
import { id, instant, presenceStates } from './users.ts'

/**
 * What the server pushes. A push is a hint, REST is the truth: a frame carries the rows that REST would
 * return to the same person, and the browser keeps the newer one by `version`.
 * @see decisions §3 Live messages
 */
const aboutMessage = z.object({ conversationId: id, conversation, message })
const aboutConversation = z.object({ conversationId: id, conversation })

/** A colleague, by the name that colleagues see. */
const colleague = z.object({ id, name: z.string() })
export type Colleague = z.infer<typeof colleague>

/** What somebody is doing in a chat at this moment; 'paused' ends it. */
export const activities = ['composing', 'recording', 'paused'] as const
export type Activity = (typeof activities)[number]

const viewed = z.object({ conversationId: id, people: z.array(colleague) })
export type Viewed = z.infer<typeof viewed>

/** `by` is a colleague, or null for the client. */
const typed = z.object({ conversationId: id, by: z.nullable(colleague), activity: z.enum(activities) })
export type Typed = z.infer<typeof typed>

export const liveEventData = {
  hello: z.object({
    connectionId: z.string(),
    heartbeatMs: z.int(),
    gatewayConnected: z.boolean(),
    serverTime: instant,
  }),
  resumed: z.object({}),
  /** The events since the cursor are unknown: refetch everything that is shown. */
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
  /** Sent to the reader only, for other devices. */
  conversation_read: z.object({ conversationId: id, read: conversationRead }),
  /** Sent to the author only; null: there is no draft any more. */
  draft_changed: z.object({ conversationId: id, draft: z.nullable(draft) }),
  queue_changed: z.object({}),
  stats_update: z.object({ stats }),
  permissions_changed: z.object({}),
  settings_changed: z.object({}),
  gateway_state: z.object({ gatewayConnected: z.boolean() }),
  // The events below are not rows of the log: they are pushed as they happen, best effort, and never
  // replayed.
  /** Presence of colleagues. If `isWhole`, everybody who is not listed is offline. */
  presence: z.object({
    isWhole: z.boolean(),
    people: z.array(z.object({ id, state: z.enum(presenceStates) })),
  }),
  /** All viewers of each listed conversation. If `isWhole`, nobody has any other conversation open. */
  viewing: z.object({ isWhole: z.boolean(), conversations: z.array(viewed) }),
  /** Holds for some seconds unless repeated. */
  typing: z.object({ typing: z.array(typed) }),
} as const

export type LiveEventType = keyof typeof liveEventData
export type LiveEvent = {
  [Type in LiveEventType]: { type: Type; data: z.infer<(typeof liveEventData)[Type]> }
}[LiveEventType]

/**
 * `n` counts the frames of a connection without gaps. `cursor` is opaque and only sent back to resume. `seq`
 * is the same when an event is replayed, and absent on events that are not in the log.
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

/** What a browser may send; everything else is counted and ignored. */
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
  /** Mouse or keyboard input: at most once a minute. */
  z.object({ type: z.literal('active'), data: z.unknown() }),
  /** The chat that is open in a visible tab; null: none. */
  z.object({ type: z.literal('viewing'), data: z.object({ conversationId: z.nullable(id) }) }),
  /** In the open chat: every three seconds while somebody types, and once on stopping. */
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
