import type { RawConversation, RawMessage, RawUser } from './raw-rows.ts'
import { wallClockOf } from './minutes.ts'

// The figures once more, from the rows themselves and one conversation at a time. Nothing here is shared with
// the reports, so that a mistake there is not repeated here.

/** What is counted of one conversation. */
export interface Recounted {
  raw: RawConversation
  day: string
  weekday: number
  hour: number
  isSameDay: boolean
  firstReply: Time | null
  queue: Time | null
  handling: Time | null
  endedBy: string | null
}

export interface Time {
  clock: number
  /** null: it was closed all the while. */
  open: number | null
}

export interface Rules {
  timezone: string
  phoneAnswersCount: boolean
  working(from: number, to: number): number
}

const notReplies = ['event', 'note', 'view_tracking', 'queue_notification', 'queue_position', 'queue_welcome']
const takingActs = ['taken', 'assigned', 'distributed', 'transferred']
const endingActs: Record<string, string> = {
  finalized: 'person',
  closed_by_inactivity: 'inactivity',
  blocked: 'blocked',
  closed_as_blocked: 'blocked',
  anonymized: 'anonymized',
}

export function recountAll(found: readonly RawConversation[], rules: Rules): Recounted[] {
  const clock = wallClockOf(rules.timezone)
  return found.map((raw) => recountOne(raw, rules, clock))
}

function recountOne(raw: RawConversation, rules: Rules, clock: ReturnType<typeof wallClockOf>): Recounted {
  const inOrder = raw.messages.toSorted((a, b) => a.at - b.at || a.id - b.id)
  // Somebody was at work for a second of it, or from its beginning to its end, however short.
  const time = (...whole: [from: number, to: number][]): Time => {
    const spans = whole.flatMap(([from, to]) => besides(from, to, raw.holds))
    const clock = sum(spans.map(([from, to]) => (to < from ? 0 : to - from)))
    const open = sum(spans.map(([from, to]) => rules.working(from, to)))
    const isAtWork = spans.some(([from]) => rules.working(from, from + 1) === 1)
    return { clock, open: open >= 1000 || (isAtWork && open === clock) ? open : null }
  }
  const wentOut = (m: RawMessage) => m.status !== null && m.status !== 'failed'
  const isReply = (m: RawMessage) =>
    (m.senderId !== null && wentOut(m) && !m.isIntoQueue && !notReplies.includes(m.type)) ||
    (rules.phoneAnswersCount && (m.origin === 'phone' || m.origin === 'api' || m.outcome === 'answered'))
  const reply = inOrder.find((m) => m.at >= raw.startedAt && isReply(m))
  const cameIn = raw.initiatedBy === 'contact'

  // Along the timeline: who has the conversation after each message.
  const stays: [from: number, to: number][] = []
  let waitsSince: number | null = cameIn ? raw.startedAt : null
  let heldSince: number | null = cameIn ? null : raw.startedAt
  let endedBy: string | null = null
  const leaveQueue = (at: number) => {
    if (waitsSince === null) return
    stays.push([waitsSince, at])
    waitsSince = null
  }
  const limit = raw.completedAt ?? Infinity
  for (const m of inOrder) {
    const isEvent = m.type === 'event'
    if (isEvent && m.act !== null && m.act in endingActs && raw.completedAt !== null)
      endedBy = endingActs[m.act] ?? null
    if (m.at > limit) continue
    const at = m.at < raw.startedAt ? raw.startedAt : m.at
    if (m === reply || (isEvent && m.act !== null && takingActs.includes(m.act))) {
      leaveQueue(at)
      heldSince ??= at
    }
    if (isEvent && m.act === 'returned') waitsSince ??= at
  }
  if (raw.completedAt !== null) leaveQueue(raw.completedAt < raw.startedAt ? raw.startedAt : raw.completedAt)

  const { date, weekday, hour } = clock(raw.startedAt)
  return {
    raw,
    day: date,
    weekday,
    hour,
    isSameDay: raw.completedAt !== null && clock(raw.completedAt).date === date,
    firstReply: cameIn && reply ? time([raw.startedAt, reply.at]) : null,
    queue: stays.length > 0 ? time(...stays) : null,
    handling: raw.completedAt !== null && heldSince !== null ? time([heldSince, raw.completedAt]) : null,
    endedBy,
  }
}

/** The parts of a span in which it was not on hold, cut at each instant at which a hold begins or ends. */
function besides(from: number, to: number, holds: RawConversation['holds']): [from: number, to: number][] {
  if (to <= from) return [[from, to]]
  const cuts = holds
    .flatMap(([begun, over]) => [begun, over ?? Infinity])
    .filter((at) => at > from && at < to)
  const points = [from, ...cuts.toSorted((a, b) => a - b), to]
  const parts = points.slice(1).map((end, n): [number, number] => [points[n] ?? end, end])
  return parts.filter(
    ([begun]) => !holds.some(([since, over]) => since <= begun && begun < (over ?? Infinity)),
  )
}

/** Which conversations each figure counts, by the names of the calls. */
export const recountedFigures: Record<string, (one: Recounted) => boolean> = {
  total: () => true,
  waiting_client: ({ raw }) => raw.status !== 'completed' && raw.waitingFor === 'client',
  waiting_operator: ({ raw }) => raw.status !== 'completed' && raw.waitingFor === 'operator',
  in_queue: ({ raw }) =>
    raw.status !== 'completed' && raw.waitingFor === 'operator' && raw.subStatus === 'FILA',
  active: ({ raw }) => raw.status !== 'completed' && raw.assignedUserId !== null,
  active_waiting: ({ raw }) =>
    raw.status !== 'completed' && raw.assignedUserId !== null && raw.waitingFor === 'operator',
  completed: ({ raw }) => raw.status === 'completed',
  same_day: ({ isSameDay }) => isSameDay,
  left_open: ({ isSameDay }) => !isSameDay,
  first_reply: ({ firstReply }) => firstReply !== null,
  queue: ({ queue }) => queue !== null,
  handling: ({ handling }) => handling !== null,
  rated: ({ raw }) => raw.satisfaction !== null,
  commented: ({ raw }) => (raw.feedback ?? '').trim() !== '',
  by_person: ({ endedBy }) => endedBy === 'person',
  by_inactivity: ({ endedBy }) => endedBy === 'inactivity',
  reply_kept: ({ raw: { sla } }) => sla?.[0] === true,
  reply_broken: ({ raw: { sla } }) => isLate(sla?.[0], sla?.[1]),
  end_kept: ({ raw: { sla } }) => sla?.[2] === true,
  end_broken: ({ raw: { sla } }) => isLate(sla?.[2], sla?.[3]),
}

const isLate = (kept: boolean | null | undefined, isOverdue: boolean | null | undefined) =>
  kept === false || (kept === null && isOverdue === true)

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)
const mean = (numbers: readonly number[]) => (numbers.length === 0 ? null : sum(numbers) / numbers.length)

/** The value below which a share of the values is, between two of them in proportion. */
function quantile(numbers: readonly number[], share: number): number | null {
  if (numbers.length === 0) return null
  const sorted = numbers.toSorted((a, b) => a - b)
  const place = share * (sorted.length - 1)
  const low = sorted[Math.floor(place)] ?? 0
  const high = sorted[Math.ceil(place)] ?? low
  return low + (high - low) * (place - Math.floor(place))
}

const spreadOf = (numbers: readonly number[]) => ({
  mean: mean(numbers),
  median: quantile(numbers, 0.5),
  p90: quantile(numbers, 0.9),
})

const timesOf = (found: readonly (Time | null)[]) => {
  const some = found.filter((time) => time !== null)
  const within = some.map(({ open }) => open).filter((open) => open !== null)
  return {
    count: some.length,
    outside: some.length - within.length,
    open: spreadOf(within),
    clock: spreadOf(some.map(({ clock }) => clock)),
  }
}

/** The figures of some conversations, in the shape of the calls. */
export function recountMeasures(some: readonly Recounted[]) {
  const count = (figure: string) => some.filter((one) => recountedFigures[figure]?.(one)).length
  const stars = some.map(({ raw }) => raw.satisfaction).filter((star) => star !== null)
  return {
    total: some.length,
    waitingClient: count('waiting_client'),
    waitingOperator: count('waiting_operator'),
    inQueue: count('in_queue'),
    active: count('active'),
    activeWaiting: count('active_waiting'),
    completed: count('completed'),
    byPerson: count('by_person'),
    byInactivity: count('by_inactivity'),
    firstReply: timesOf(some.map(({ firstReply }) => firstReply)),
    queue: timesOf(some.map(({ queue }) => queue)),
    handling: timesOf(some.map(({ handling }) => handling)),
    messages: {
      contact: sum(some.map(({ raw }) => raw.contactMessageCount)),
      team: sum(some.map(({ raw }) => raw.messageCount - raw.contactMessageCount)),
    },
    rated: { count: stars.length, mean: mean(stars), commented: count('commented') },
    sla: {
      replyKept: count('reply_kept'),
      replyBroken: count('reply_broken'),
      endKept: count('end_kept'),
      endBroken: count('end_broken'),
    },
  }
}

/** Counts and the mean first reply of a part of the trend, or of an hour of the week. */
export function recountPart(some: readonly Recounted[]) {
  const { firstReply } = recountMeasures(some)
  return {
    total: some.length,
    replied: firstReply.count,
    outside: firstReply.outside,
    open: firstReply.open.mean,
    clock: firstReply.clock.mean,
  }
}

/** The key of those in no group. */
const inNone = ' '

/** The keys of the groups that a conversation is in. */
export function recountKeys(one: Recounted, by: string): string[] {
  const { raw, hour } = one
  if (by === 'operator') return [raw.assignedUserId === null ? inNone : String(raw.assignedUserId)]
  if (by === 'company') return [raw.companyId === null ? inNone : String(raw.companyId)]
  if (by === 'hour') return [String(hour)]
  if (by === 'sector') return [raw.sectorId === null ? inNone : String(raw.sectorId)]
  if (by === 'conversationTag') return raw.tagIds.length === 0 ? [inNone] : raw.tagIds.map(String)
  if (by === 'reason') {
    if (raw.reasonId !== null) return [String(raw.reasonId)]
    return [one.endedBy === null || one.endedBy === 'person' ? inNone : one.endedBy]
  }
  if (by === 'category') return [raw.category === '' ? inNone : raw.category.toLowerCase()]
  return raw.tags.length === 0 ? [inNone] : raw.tags.map(plain)
}

/** As tags are compared: without case and accents. */
const plain = (text: string) =>
  text
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()

/** The table of the operators, by id; 0 for the conversations of nobody with this role. */
export function recountOperators(some: readonly Recounted[], users: readonly RawUser[]) {
  const operators = new Set(users.filter(({ role }) => role === 'operator').map(({ id }) => id))
  const held = Map.groupBy(some, ({ raw: { assignedUserId: holder } }) =>
    holder !== null && operators.has(holder) ? holder : 0,
  )
  return new Map([...held].map(([id, theirs]) => [id, recountOperator(theirs)]))
}

/** A row of the table. */
export function recountOperator(theirs: readonly Recounted[]) {
  const { total, active, completed, activeWaiting, firstReply, handling, rated } = recountMeasures(theirs)
  return { total, active, completed, waiting: activeWaiting, firstReply, handling, rated }
}
