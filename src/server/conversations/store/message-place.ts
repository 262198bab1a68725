import { type SQL, sql } from 'drizzle-orm'
import { messages } from '#server/schema/conversations/conversations.ts'

/** A message this much older than our clock keeps its own time as its place in the timeline. */
const lateMs = 60_000

export interface MessagePlace {
  /** The gateway's time, within plausible limits. */
  sentAt: Date
  /** The place in the timeline. */
  sortAt: Date
  /** Whether nothing in the conversation comes after it. */
  isNewest: boolean
}

/** The messages between which a message belongs; null: there is none. */
export interface Neighbours {
  /** The last place that is taken in the conversation. */
  newest: Date | null
  /** The place of the last message that was sent no later, by WhatsApp's clock, and when that was. */
  previous: Date | null
  previousSentAt: Date | null
  /** The same of the first message that was sent later. */
  next: Date | null
  nextSentAt: Date | null
}

/** How many of a conversation's last messages are searched for the neighbours of one that arrives. */
const searched = 32

/**
 * The neighbours of a message, as a query with one row. The client's messages, and those written on the
 * connected phone, have the time of WhatsApp's clock; ours have our own clock's, and are not compared.
 */
export const neighboursOf = (conversationId: SQL, sentAt: SQL): SQL => {
  const earlier = sql`filter (where m."isTimed" and m.sent_at <= ${sentAt})`
  const later = sql`filter (where m."isTimed" and m.sent_at > ${sentAt})`
  return sql`
    select max(m.sort_at) as newest, max(m.sort_at) ${earlier} as previous, min(m.sort_at) ${later} as next,
           (array_agg(m.sent_at order by m.sort_at desc, m.id desc) ${earlier})[1] as "previousSentAt",
           (array_agg(m.sent_at order by m.sort_at, m.id) ${later})[1] as "nextSentAt"
      from (select m.id, m.sort_at, m.sent_at,
                   m.sender_type = 'contact' or m.metadata ->> 'origin' in ('phone', 'api') as "isTimed"
              from messages m where m.conversation_id = ${conversationId}
             order by m.sort_at desc, m.id desc limit ${sql.raw(String(searched))}) m`
}

const instant = (value: SQL): SQL<Date | null> => value.mapWith(messages.sortAt)

/** The columns of `neighboursOf` under the alias `around`. */
export const neighbourColumns = {
  newest: instant(sql`around.newest`),
  previous: instant(sql`around.previous`),
  previousSentAt: instant(sql`around."previousSentAt"`),
  next: instant(sql`around.next`),
  nextSentAt: instant(sql`around."nextSentAt"`),
}

/**
 * The place of a message, set once: now, or the gateway's own time when that is more than a minute older, or
 * when a message that was sent later is there already. 'Now' is never before what is there, so that the order
 * is the order of the locks.
 * @param sentAt the gateway's time; undefined: now
 * @see decisions §3 Conversation
 */
export function placeMessage(sentAt: Date | undefined, now: Date, around: Neighbours): MessagePlace {
  const { newest, previous } = around
  const plausible = plausibleTime(sentAt, now, false)
  const isLate = now.getTime() - plausible.getTime() > lateMs
  const sortAt =
    placeBeforeNext(plausible, around) ?? latest(isLate ? plausible : latest(now, newest), previous)
  return { sentAt: plausible, sortAt, isNewest: newest === null || sortAt >= newest }
}

/** The place of a message of the past: the gateway's own time, however long ago. */
export function placeAtOwnTime(sentAt: Date | undefined, now: Date, newest: Date | null): MessagePlace {
  const own = clamp(sentAt, now, whatsappBegan)
  return { sentAt: own, sortAt: own, isNewest: newest === null || own >= newest }
}

/** The place of a message that was slower than a later one; undefined when there is no later one. */
function placeBeforeNext(sentAt: Date, { previous, previousSentAt, next, nextSentAt }: Neighbours) {
  if (!next || !nextSentAt) return undefined
  if (sentAt < next && (!previous || sentAt > previous)) return sentAt
  if (!previous || !previousSentAt || previous >= next) return new Date(Math.min(+sentAt, +next - 1))
  // As far between their places as between their times: so there is room for others that are slower yet.
  const share = (+sentAt - +previousSentAt) / (+nextSentAt - +previousSentAt)
  return new Date(Math.floor(+previous + share * (+next - +previous)))
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
