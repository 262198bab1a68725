import { type SQL, sql } from 'drizzle-orm'
import { messages } from '#server/schema/conversations/conversations.ts'
import { isPreviewedHere } from './counted-message.ts'

/** A message this much older than our clock keeps its own time as its place in the timeline. */
const lateMs = 60_000

export interface MessagePlace {
  /** The gateway's time, within plausible limits. */
  sentAt: Date
  /** The place in the timeline. */
  sortAt: Date
  /** Whether no message that lists show comes after it: notes and lines that tell of acts are none. */
  isNewest: boolean
}

/** When a message was sent, by clocks that are not ours. */
export interface SentWhen {
  /** By WhatsApp's clock, in whole seconds; undefined: now. */
  sentAt?: Date | undefined
  /** How long after that the gateway had it, in milliseconds: the order of messages of one second. */
  postedMs?: number | undefined
}

/** The messages between which a message belongs; null: there is none. */
export interface Neighbours {
  /** The last place that is taken in the conversation. */
  newest: Date | null
  /** The same of the messages that lists show. */
  newestShown: Date | null
  /** The place of the last message that was sent no later, by WhatsApp's clock, and when that was. */
  previous: Date | null
  previousSentAt: Date | null
  previousPostedMs: number | null
  /** The same of the first message that was sent later. */
  next: Date | null
  nextSentAt: Date | null
  nextPostedMs: number | null
}

/** How many of a conversation's last messages are searched for the neighbours of one that arrives. */
const searched = 32

/**
 * The neighbours of a message, as a query with one row. The client's messages, and those written on the
 * connected phone, have the time of WhatsApp's clock; ours have our own clock's, and are not compared. Of
 * messages of one second the gateway's clock tells which was first; where it says nothing, the order of
 * arrival does.
 * @param sent its `sentAt` and `postedMs`; null: not known
 */
export const neighboursOf = (conversationId: SQL, sent: Record<keyof SentWhen, SQL>): SQL => {
  const isLater = sql`(m.sent_at > ${sent.sentAt}
    or (m.sent_at = ${sent.sentAt} and m."postedMs" > ${sent.postedMs} is true))`
  const earlier = sql`filter (where m."isTimed" and not ${isLater})`
  const later = sql`filter (where m."isTimed" and ${isLater})`
  const last = sql`order by m.sort_at desc, m.id desc) ${earlier})[1]`
  const first = sql`order by m.sort_at, m.id) ${later})[1]`
  return sql`
    select max(m.sort_at) as newest, max(m.sort_at) filter (where m."isShown") as "newestShown",
           max(m.sort_at) ${earlier} as previous, min(m.sort_at) ${later} as next,
           (array_agg(m.sent_at ${last} as "previousSentAt", (array_agg(m.sent_at ${first} as "nextSentAt",
           (array_agg(m."postedMs" ${last} as "previousPostedMs",
           (array_agg(m."postedMs" ${first} as "nextPostedMs"
      from (select m.id, m.sort_at, m.sent_at, (m.metadata ->> 'postedMs')::float8 as "postedMs",
                   m.sender_type = 'contact' or m.metadata ->> 'origin' in ('phone', 'api') as "isTimed",
                   ${isPreviewedHere} as "isShown"
              from messages m where m.conversation_id = ${conversationId}
             order by m.sort_at desc, m.id desc limit ${sql.raw(String(searched))}) m`
}

const instant = (value: SQL): SQL<Date | null> => value.mapWith(messages.sortAt)

/** The columns of `neighboursOf` under the alias `around`. */
export const neighbourColumns = {
  newest: instant(sql`around.newest`),
  newestShown: instant(sql`around."newestShown"`),
  previous: instant(sql`around.previous`),
  previousSentAt: instant(sql`around."previousSentAt"`),
  previousPostedMs: sql<number | null>`around."previousPostedMs"`,
  next: instant(sql`around.next`),
  nextSentAt: instant(sql`around."nextSentAt"`),
  nextPostedMs: sql<number | null>`around."nextPostedMs"`,
}

/**
 * The place of a message, set once: now, or the gateway's own time when that is more than a minute older, or
 * when a message that was sent later is there already. 'Now' is never before what is there, so that the order
 * is the order of the locks.
 * @param sent by the gateway's clocks
 * @see decisions §3 Conversation
 */
export function placeMessage(sent: SentWhen, now: Date, around: Neighbours): MessagePlace {
  const { newest, previous } = around
  const plausible = plausibleTime(sent.sentAt, now, false)
  const own = { sentAt: plausible, postedMs: sent.postedMs ?? null }
  const isLate = now.getTime() - plausible.getTime() > lateMs
  const atEnd = isLate
    ? latest(plausible, placeAfter(own, around, now))
    : latest(latest(now, newest), previous)
  const sortAt = placeBeforeNext(own, around) ?? atEnd
  return { sentAt: plausible, sortAt, isNewest: isNewestAt(sortAt, around) }
}

/** Where none of the last entries is shown, one before them may be. */
function isNewestAt(
  place: Date,
  { newest, newestShown }: Pick<Neighbours, 'newest' | 'newestShown'>,
): boolean {
  const last = newestShown ?? newest
  return last === null || place >= last
}

/** The place of a message of the past: the gateway's own time, however long ago. */
export function placeAtOwnTime(
  sentAt: Date | undefined,
  now: Date,
  around: Pick<Neighbours, 'newest' | 'newestShown'>,
): MessagePlace {
  const own = clamp(sentAt, now, whatsappBegan)
  return { sentAt: own, sortAt: own, isNewest: isNewestAt(own, around) }
}

interface OwnTime {
  sentAt: Date
  postedMs: number | null
}

/** The place of a message that was slower than a later one; undefined when there is no later one. */
function placeBeforeNext(own: OwnTime, around: Neighbours): Date | undefined {
  const { previous, previousSentAt, previousPostedMs, next, nextSentAt, nextPostedMs } = around
  if (!next || !nextSentAt) return undefined
  const { sentAt, postedMs } = own
  const toNext = Math.max(1, apart(own, { sentAt: nextSentAt, postedMs: nextPostedMs }))
  if (sentAt < next && (!previous || sentAt > previous)) return sentAt
  const isOfNext = +sentAt === +nextSentAt
  // Between two at one place there is none: it stands beside them.
  if (isOfNext && previous && +previous === +next) return next
  if (!previous || !previousSentAt || previous >= next) return new Date(Math.min(+sentAt, +next - toNext))
  const room = +next - +previous
  const isOfPrevious = +sentAt === +previousSentAt
  if (isOfPrevious && isOfNext && previousPostedMs !== null && postedMs !== null && nextPostedMs !== null)
    return shared(previous, room, (postedMs - previousPostedMs) / (nextPostedMs - previousPostedMs))
  if (isOfNext) {
    const share = postedMs !== null && nextPostedMs !== null && postedMs > 0 ? postedMs / nextPostedMs : 0.5
    return new Date(Math.max(+previous, Math.min(+shared(previous, room, share), +next - 1)))
  }
  if (isOfPrevious) {
    const fromPrevious = apart({ sentAt: previousSentAt, postedMs: previousPostedMs }, own)
    return new Date(+previous + Math.min(fromPrevious, Math.floor((room - 1) / 2)))
  }
  return shared(previous, room, (+sentAt - +previousSentAt) / (+nextSentAt - +previousSentAt))
}

/** As far between their places as between their times: so there is room for others that are slower yet. */
const shared = (previous: Date, room: number, share: number) => new Date(Math.floor(+previous + share * room))

/**
 * The place behind the previous message. Late ones of one second all have the same time of their own: they
 * stand as far apart as the gateway had them, for others that belong between them.
 */
function placeAfter(own: OwnTime, around: Neighbours, now: Date): Date | null {
  const { previous, previousSentAt, previousPostedMs } = around
  if (!previous || !previousSentAt) return previous
  const behind = +previous + apart({ sentAt: previousSentAt, postedMs: previousPostedMs }, own)
  return new Date(Math.max(+previous, Math.min(behind, +now)))
}

/** How long after the one message the gateway had the other of its second, in milliseconds below 1000. */
function apart(one: OwnTime, other: OwnTime): number {
  if (+one.sentAt !== +other.sentAt || one.postedMs === null || other.postedMs === null) return 0
  return Math.max(0, Math.min(999, other.postedMs - one.postedMs))
}

const latest = (one: Date, other: Date | null): Date => (other !== null && other > one ? other : one)

const whatsappBegan = Date.UTC(2009, 0, 1)
const monthMs = 30 * 86_400_000

/**
 * When a message was sent, as far as the gateway can be believed: clocks of phones can be years off. No
 * message is from more than two minutes ahead, or older than 30 days unless the history sync reported it.
 */
export function plausibleTime(sentAt: Date | undefined, now: Date, isOfSync: boolean): Date {
  return clamp(sentAt, now, isOfSync ? whatsappBegan : now.getTime() - monthMs)
}

function clamp(sentAt: Date | undefined, now: Date, from: number): Date {
  if (!sentAt) return now
  const to = now.getTime() + 120_000
  const ms = sentAt.getTime()
  return ms < from ? new Date(from) : ms > to ? now : sentAt
}
