import * as z from 'zod/mini'
import { gatewayNews } from '#shared/gateway/events.ts'
import { momentary } from '#shared/live-event.ts'
import { events } from '#shared/rooms/events.ts'
import { id, instant, pauseNow, presenceStates } from './users/users.ts'

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

/** The events of the connection itself, and of who is at which chat. */
const connectionEvents = {
  hello: momentary(
    z.extend(gatewayNews, {
      connectionId: z.string(),
      heartbeatMs: z.int(),
      serverTime: instant,
    }),
  ),
  resumed: momentary(z.object({})),
  /** The events since the cursor are not available: refetch everything shown. */
  resync: momentary(z.object({ reason: z.enum(['no_cursor', 'too_old', 'too_many', 'epoch']) })),
  /** Presence of colleagues. With `isWhole`, everybody not listed is offline. */
  presence: momentary(
    z.object({
      isWhole: z.boolean(),
      people: z.array(z.object({ id, state: z.enum(presenceStates), pause: z.optional(pauseNow) })),
    }),
  ),
  /** All viewers of each listed conversation. With `isWhole`, the others have no viewers. */
  viewing: momentary(z.object({ isWhole: z.boolean(), conversations: z.array(viewed) })),
  /** Valid for some seconds unless repeated. */
  typing: momentary(z.object({ typing: z.array(typed) })),
}

/**
 * The events that the server pushes. A frame carries the rows that REST would return to the same person, and
 * the browser keeps the one with the higher `version`. Events can be missed; REST is authoritative.
 * @see decisions §3 Live messages
 */
export const liveEvents = { ...connectionEvents, ...events }
type LiveEvents = typeof liveEvents

export type LiveEventType = keyof LiveEvents
export type LiveEvent = {
  [Type in LiveEventType]: { type: Type; data: z.infer<LiveEvents[Type]['data']> }
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
