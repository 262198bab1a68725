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

/**
 * The place of a message, set once: now, or the gateway's own time when that is more than a minute older.
 * 'Now' is never before what is there already, so that the order is the order of the locks.
 * @param sentAt the gateway's time; undefined: now
 * @param newest the last place taken in the conversation; null: it is empty
 * @see decisions §3 Conversation
 */
export function placeMessage(sentAt: Date | undefined, now: Date, newest: Date | null): MessagePlace {
  const plausible = clamp(sentAt, now)
  const isLate = now.getTime() - plausible.getTime() > lateMs
  const sortAt = isLate ? plausible : newest !== null && newest > now ? newest : now
  return { sentAt: plausible, sortAt, isNewest: newest === null || sortAt >= newest }
}

/**
 * Clocks of phones can be years off: no message is older than 30 days or from more than two minutes ahead.
 */
function clamp(sentAt: Date | undefined, now: Date): Date {
  if (!sentAt) return now
  const [from, to] = [now.getTime() - 30 * 86_400_000, now.getTime() + 120_000]
  const ms = sentAt.getTime()
  return ms < from ? new Date(from) : ms > to ? now : sentAt
}
