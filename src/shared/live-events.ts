import { z } from 'zod'
import { conversation, message, stats } from './conversations.ts'
import { id, instant } from './users.ts'

/**
 * What the server pushes. Push is a hint, REST is the truth: a frame carries the rows that REST would answer to the
 * same person, and the browser keeps whichever is newer by `version`.
 * @see decisions §3 Live messages
 */
const aboutMessage = z.object({ conversationId: id, conversation, message })
const aboutConversation = z.object({ conversationId: id, conversation })

export const liveEventData = {
  hello: z.object({
    connectionId: z.string(),
    heartbeatMs: z.number().int(),
    gatewayConnected: z.boolean(),
    serverTime: instant,
  }),
  resumed: z.object({}),
  /** What happened since is not known here: fetch everything shown. */
  resync: z.object({ reason: z.enum(['no_cursor', 'too_old', 'too_many', 'epoch']) }),
  new_conversation_with_sound: aboutConversation.extend({ playSound: z.boolean() }),
  new_conversation: aboutConversation,
  new_conversation_notification: aboutConversation,
  customer_message_notification: aboutMessage,
  message_received: aboutMessage,
  new_message: aboutMessage,
  conversation_updated: aboutConversation,
  conversation_transferred: aboutConversation,
  conversation_removed: z.object({ conversationId: id }),
  queue_changed: z.object({}),
  stats_update: z.object({ stats }),
  permissions_changed: z.object({}),
  settings_changed: z.object({}),
  gateway_state: z.object({ gatewayConnected: z.boolean() }),
} as const

export type LiveEventType = keyof typeof liveEventData
export type LiveEvent = {
  [Type in LiveEventType]: { type: Type; data: z.infer<(typeof liveEventData)[Type]> }
}[LiveEventType]

/** `n` counts the frames of one connection without a hole; `cursor` is opaque and only given back to resume. */
export type LiveFrame = LiveEvent & { n: number; cursor: string; epoch: string }

export const liveFrameEnvelope = z.object({
  type: z.string(),
  n: z.number().int(),
  cursor: z.string(),
  epoch: z.string(),
  data: z.unknown(),
})

/** What a browser may say; everything else is counted and ignored. */
export const clientFrame = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('authenticate'),
    data: z.object({
      userId: z.unknown(),
      lastCursor: z.string().max(64).optional(),
      epoch: z.string().max(64).optional(),
    }),
  }),
  z.object({ type: z.literal('request_stats'), data: z.unknown() }),
  /** Somebody moved the mouse or typed: at most once a minute. */
  z.object({ type: z.literal('active'), data: z.unknown() }),
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
