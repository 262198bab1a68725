import { type DayMs, hourMs, minuteMs, secondMs, wallTime } from '../plan/day.ts'
import type { MessageRow, Observed } from './observed.ts'
import { type DayText, readText } from '../plan/texts.ts'

/** Groups of texts of which a conversation may have at most one, once. */
const onceEach: readonly (readonly DayText[])[] = [
  ['preAttendanceMessage'],
  ['preAttendanceCancelMessage'],
  ['queueWelcomeMessage', 'queueMessage'],
  ['blockedFileMessage'],
  ['warningMessage'],
  ['inactivityMessage', 'finalizationMessage'],
  ['ratingMessage'],
]

/** Whether it is outside working hours: before nine, at noon, after six. */
const closedPeriods: readonly [DayMs, DayMs][] = [
  [0, hourMs],
  [4 * hourMs, 5 * hourMs],
  [10 * hourMs, 24 * hourMs],
]

const invalidEveryMs = 10 * secondMs
const invalidPerHour = 6
/** The gateway truncates times to seconds. */
const slackMs = secondMs

/** Texts sent twice for the same reason. @see decisions §3 Texts */
export function repeated({ messages, conversations, acts }: Observed): string[] {
  const phones = new Map(conversations.map(({ id, phone }) => [id, phone]))
  const ours = messages.filter(({ key }) => key !== null)
  const faults: string[] = []
  for (const [conversationId, own] of Map.groupBy(ours, (one) => one.conversationId)) {
    const of = (...keys: DayText[]) => own.filter(({ key }) => key !== null && keys.includes(key))
    const fault = (what: string) => faults.push(`conversation ${conversationId}: ${what}`)
    for (const keys of onceEach)
      if (of(...keys).length > 1) fault(`${of(...keys).length} × ${keys.join(' or ')}`)
    const transfers = acts.filter((act) => act.kind === 'transfer' && act.conversationId === conversationId)
    if (of('transferMessage').length !== transfers.length)
      fault(`${of('transferMessage').length} × transferMessage in ${transfers.length} transfers`)
    for (const [fromMs, toMs] of closedPeriods) {
      const positions = of('autoReplyMessage').filter(({ createdAt: at }) => at >= fromMs && at < toMs)
      if (positions.length > 1)
        fault(`${positions.length} × autoReplyMessage, closed since ${wallTime(fromMs)}`)
    }
    if (warnedTwice(messages, conversationId)) fault('two warnings of one inactive period')
  }
  for (const [phone, own] of Map.groupBy(ours, (one) => phones.get(one.conversationId) ?? ''))
    faults.push(...tooOftenInvalid(own).map((what) => `${phone}: ${what}`))
  return faults
}

/** Consecutive warnings without a message between them. */
function warnedTwice(messages: MessageRow[], conversationId: number): boolean {
  const kinds = messages
    .filter((one) => one.conversationId === conversationId)
    .toSorted((a, b) => a.createdAt - b.createdAt || a.id - b.id)
    .flatMap(({ by, key }) =>
      key === 'inactivityWarningMessage' ? ['warned'] : by === 'client' || by === 'operator' ? ['said'] : [],
    )
  return kinds.some((kind, n) => kind === 'warned' && kinds[n - 1] === 'warned')
}

/** More 'not understood' texts than allowed, a limit against a dialogue between two robots. */
function tooOftenInvalid(ours: MessageRow[]): string[] {
  const positions = ours
    .filter(({ key }) => key === 'preAttendanceInvalidMessage')
    .map(({ createdAt }) => createdAt)
    .toSorted((a, b) => a - b)
  return positions.flatMap((at, n) => {
    const before = positions[n - 1]
    const [seventhBefore] = positions.slice(0, n).slice(-invalidPerHour)
    const isMany = n >= invalidPerHour && seventhBefore !== undefined && at - seventhBefore < hourMs - slackMs
    return [
      ...(before !== undefined && at - before < invalidEveryMs - slackMs
        ? [`preAttendanceInvalidMessage twice in ${at - before} ms`]
        : []),
      ...(isMany ? [`${invalidPerHour + 1} × preAttendanceInvalidMessage within an hour`] : []),
    ]
  })
}

/** Texts that a phone did not receive, received twice, or received out of order. */
export function lostOrStrange({ messages, conversations, got }: Observed): string[] {
  const phones = new Map(conversations.map(({ id, phone }) => [id, phone]))
  const outgoing = messages
    .filter(({ by }) => by === 'product' || by === 'operator')
    .toSorted((a, b) => a.id - b.id)
  const nameOf = (phone: string | undefined, text: string) => `${phone}: «${text}»`
  const waiting = Map.groupBy(outgoing, (one) => nameOf(phones.get(one.conversationId), one.content))
  const faults: string[] = []
  const lastIds = new Map<number, number>()
  for (const { phone, text, at } of got) {
    const row = waiting.get(nameOf(phone, text))?.shift()
    if (!row) {
      faults.push(`repeated or without a record, ${wallTime(at)} ${nameOf(phone, text)}`)
      continue
    }
    if (row.id < (lastIds.get(row.conversationId) ?? 0))
      faults.push(`out of order, ${wallTime(at)} ${nameOf(phone, text)}`)
    lastIds.set(row.conversationId, row.id)
  }
  for (const [name, left] of waiting)
    for (const { createdAt } of left) faults.push(`never came, written ${wallTime(createdAt)}, ${name}`)
  return faults
}

/** Positions sent to a client that move back, or that follow within a minute. */
export function backwards({ positions }: Observed): string[] {
  const faults: string[] = []
  for (const [conversationId, own] of Map.groupBy(positions, (one) => one.conversationId))
    for (const [n, one] of own.entries()) {
      const before = own[n - 1]
      if (!before) continue
      const positions = [before, one].map(({ position, at }) => `${position} at ${wallTime(at)}`)
      const what = `conversation ${conversationId}: ${positions.join(', ')}`
      if (one.position >= before.position) faults.push(what)
      else if (one.at - before.at < minuteMs - slackMs) faults.push(what)
    }
  return faults
}

/** Positions on a phone that differ from the position counted at that time. */
export function untruePlaces({ positions, messages, conversations, got }: Observed): string[] {
  const protocols = new Map(conversations.map(({ id, protocol }) => [id, protocol]))
  const said = new Set(positions.map((one) => `${protocols.get(one.conversationId)} ${one.position}`))
  const stored = new Set(messages.map(({ content }) => content))
  return [
    ...positions
      .filter(({ position, truePosition }) => position !== truePosition)
      .map(
        ({ conversationId, at, position, truePosition }) =>
          `conversation ${conversationId} at ${wallTime(at)}: ${position}, ` +
          `and was at ${truePosition ?? 'none'}`,
      ),
    ...got
      .map(({ text }) => ({ text, ...readText(text) }))
      .filter(
        ({ position, protocol, text }) =>
          position !== null && stored.has(text) && !said.has(`${protocol} ${position}`),
      )
      .map(({ text }) => `on the phone, and not counted: «${text}»`),
  ]
}
