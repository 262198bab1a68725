import type { Ender } from '#shared/reports/figures.ts'
import type { ConversationAct } from '#shared/messages/message-metadata.ts'
import { type Span, without } from '#server/sla/sla.ts'
import type { OpenTime } from './open-time.ts'

/** A conversation with what happened in it. Instants are in milliseconds. */
export interface History {
  startedAt: number
  /** null: open. */
  completedAt: number | null
  initiatedBy: 'contact' | 'operator'
  events: readonly { at: number; id: number; act: ConversationAct }[]
  /** The first reply of a person. */
  firstReply: { at: number; id: number } | null
  /** When it was on hold, which is left out of all times. */
  holds: readonly Span[]
}

/** Times in milliseconds. Those in hours of work are null, too, for what took place outside of them. */
export interface Facts {
  firstReplyMs: number | null
  openFirstReplyMs: number | null
  queueMs: number | null
  openQueueMs: number | null
  handlingMs: number | null
  openHandlingMs: number | null
  endedBy: Ender | null
}

const enderOf: Partial<Record<ConversationAct, Ender>> = {
  finalized: 'person',
  closed_by_inactivity: 'inactivity',
  blocked: 'blocked',
  closed_as_blocked: 'blocked',
  anonymized: 'anonymized',
}

/** Acts after which somebody has the conversation. */
const takes: ReadonlySet<ConversationAct> = new Set(['taken', 'assigned', 'distributed', 'transferred'])

/**
 * What the reports count of a conversation. It is in the queue from its start, unless the team began it, and
 * from when it is given back; until somebody has it, by an act or by the first reply, or it is completed.
 */
export function factsOf(history: History, open: OpenTime): Facts {
  const { startedAt, completedAt, initiatedBy, firstReply, events, holds } = history
  const pair = (from: number, to: number) =>
    pairOf(open, to > from ? without([{ from, to }], holds) : [{ from, to }])
  const isAwaited = initiatedBy === 'contact'
  const moments = [
    ...events.map(({ act, ...place }) => ({
      ...place,
      takes: takes.has(act),
      returns: act === 'returned',
    })),
    ...(firstReply ? [{ ...firstReply, takes: true, returns: false }] : []),
    ...(completedAt === null
      ? []
      : [{ at: completedAt, id: Infinity, takes: false, returns: false, ends: true }]),
    // What happens at the same moment is in the order of the ids.
  ].sort((a, b) => a.at - b.at || a.id - b.id)
  let queuedSince = isAwaited ? startedAt : null
  let hadSince = isAwaited ? null : startedAt
  let queue: Pair | null = null
  for (const moment of moments) {
    const at = Math.max(moment.at, startedAt)
    const isEnd = 'ends' in moment
    if (queuedSince !== null && (moment.takes || isEnd)) {
      const stay = pair(queuedSince, at)
      queue = queue ? add(queue, stay) : stay
      queuedSince = null
    }
    if (moment.takes) hadSince ??= at
    if (moment.returns) queuedSince ??= at
    if (isEnd) break
  }
  const reply = isAwaited && firstReply ? pair(startedAt, firstReply.at) : null
  const handling = completedAt !== null && hadSince !== null ? pair(hadSince, completedAt) : null
  const ended = completedAt === null ? undefined : events.findLast(({ act }) => enderOf[act])
  return {
    firstReplyMs: reply && reply.clock,
    openFirstReplyMs: openOf(reply),
    queueMs: queue && queue.clock,
    openQueueMs: openOf(queue),
    handlingMs: handling && handling.clock,
    openHandlingMs: openOf(handling),
    endedBy: (ended && enderOf[ended.act]) ?? null,
  }
}

interface Pair {
  clock: number
  open: number
  /** Whether it began within the hours. */
  beganOpen: boolean
}

const nothing: Pair = { clock: 0, open: 0, beganOpen: false }

const pairOf = (open: OpenTime, spans: readonly Span[]): Pair =>
  spans
    .map(({ from, to }) => ({
      clock: Math.max(0, (to ?? from) - from),
      open: open.between(from, to ?? from),
      beganOpen: open.isOpenAt(from),
    }))
    .reduce(add, nothing)

function add(one: Pair, other: Pair): Pair {
  return {
    clock: one.clock + other.clock,
    open: one.open + other.open,
    beganOpen: one.beganOpen || other.beganOpen,
  }
}

const secondMs = 1000

/**
 * Who is answered while it is closed has waited no second of the hours. That is no time of 0 s: means would
 * praise it, and the days without anybody at work would be the best ones.
 */
function openOf(span: Pair | null): number | null {
  if (!span) return null
  const isWithin = span.open >= secondMs || (span.beganOpen && span.open === span.clock)
  return isWithin ? span.open : null
}
