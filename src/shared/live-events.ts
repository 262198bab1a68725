import * as z from 'zod/mini'
import { conversation } from './conversations.ts'
import { draft } from './drafts.ts'
import { message } from './messages.ts'
import { conversationRead } from './reads.ts'
import { stats } from './stats.ts'
import { id, instant, presenceStates } from './users.ts'

/**
 * What the server pushes. Push is a hint, REST is the truth: a frame carries the rows that REST would answer to the
 * same person, and the browser keeps whichever is newer by `version`.
 * @see decisions §3 Live messages
 */
const aboutMessage = z.object({ conversationId: id, conversation, message })
const aboutConversation = z.object({ conversationId: id, conversation })

/** A colleague, by the name that his colleagues read. */
const colleague = z.object({ id, name: z.string() })
export type Colleague = z.infer<typeof colleague>

/** What somebody does in a chat at this moment; 'paused' ends it. */
export const activities = ['composing', 'recording', 'paused'] as const
export type Activity = (typeof activities)[number]

const viewed = z.object({ conversationId: id, people: z.array(colleague) })
export type Viewed = z.infer<typeof viewed>

/** By whom: a colleague, or the client (null). */
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
  /** What happened since is not known here: fetch everything shown. */
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
  /** To the reader alone, for his other devices. */
  conversation_read: z.object({ conversationId: id, read: conversationRead }),
  /** To its writer alone; null: there is none any more. */
  draft_changed: z.object({ conversationId: id, draft: z.nullable(draft) }),
  queue_changed: z.object({}),
  stats_update: z.object({ stats }),
  permissions_changed: z.object({}),
  settings_changed: z.object({}),
  gateway_state: z.object({ gatewayConnected: z.boolean() }),
  // What follows is no row of the log: it is told as it happens, best effort, and never told again.
  /** How colleagues stand; whole: who is not named is offline. */
  presence: z.object({
    isWhole: z.boolean(),
    people: z.array(z.object({ id, state: z.enum(presenceStates) })),
  }),
  /** Of each conversation all who have it open; whole: nobody has any other one open. */
  viewing: z.object({ isWhole: z.boolean(), conversations: z.array(viewed) }),
  /** Holds for some seconds, unless it is told again. */
  typing: z.object({ typing: z.array(typed) }),
} as const

export type LiveEventType = keyof typeof liveEventData
export type LiveEvent = {
  [Type in LiveEventType]: { type: Type; data: z.infer<(typeof liveEventData)[Type]> }
}[LiveEventType]

/**
 * `n` counts the frames of one connection without a hole; `cursor` is opaque and only given back to resume; `seq` is the same
 * when the same news is told again to who resumes, and absent on what is no news of the log.
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

/** What a browser may say; everything else is counted and ignored. */
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
  /** Somebody moved the mouse or typed: at most once a minute. */
  z.object({ type: z.literal('active'), data: z.unknown() }),
  /** Which chat is open in a tab that is seen; null: none. */
  z.object({ type: z.literal('viewing'), data: z.object({ conversationId: z.nullable(id) }) }),
  /** In the chat that is open: every three seconds while somebody types, and once when he stops. */
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
