import { minuteMs, secondMs, wallTime } from '../plan/day.ts'
import type { ConversationRow, MessageRow, Observed } from './observed.ts'
import { cancels } from '../plan/plan.ts'
import type { DayText } from '../plan/texts.ts'

/** A message that is older on arrival is late. @see decisions §3 'recuperada' */
const lateMs = 2 * minuteMs
const slackMs = secondMs
/** The maximum time between a message's arrival and the text that answers it. */
const answeredWithinMs = 5 * secondMs

/** Automatic texts that answer a client's message at once. */
const answers: readonly DayText[] = [
  'autoReplyMessage',
  'preAttendanceMessage',
  'preAttendanceInvalidMessage',
  'preAttendanceCancelMessage',
  'queueWelcomeMessage',
  'queueMessage',
  'blockedFileMessage',
]

const phonesOf = (conversations: ConversationRow[]) =>
  new Map(conversations.map(({ id, phone }) => [id, phone]))

/** Messages written on a phone that are not stored once in a conversation of its owner, in their order. */
export function asItWasWritten({ written, messages, conversations }: Observed): string[] {
  const phones = phonesOf(conversations)
  const stored = Map.groupBy(
    messages.filter(({ by }) => by === 'client'),
    ({ waId }) => waId ?? '',
  )
  const faults: string[] = []
  const order = new Map<string, number>()
  for (const [n, { waId, phone, at, text, arrivedAt }] of written.entries()) {
    order.set(waId, n)
    const rows = stored.get(waId) ?? []
    const name = `«${text}» of ${phone} at ${wallTime(at)}`
    if (rows.length !== 1 || arrivedAt === undefined) faults.push(`stored ${rows.length} times: ${name}`)
    for (const { conversationId, isRecovered } of rows) {
      if (phones.get(conversationId) !== phone) faults.push(`with another person: ${name}`)
      const ageMs = (arrivedAt ?? at) - at
      const isSure = Math.abs(ageMs - lateMs) > 2 * slackMs
      if (isSure && isRecovered !== ageMs > lateMs) faults.push(`wrongly marked as recovered or not: ${name}`)
    }
  }
  for (const [conversationId, own] of Map.groupBy(messages, (one) => one.conversationId)) {
    const positions = own.flatMap(({ waId }) => order.get(waId ?? '') ?? [])
    if (positions.some((position, n) => position < (positions[n - 1] ?? 0)))
      faults.push(`out of order in conversation ${conversationId}`)
  }
  return faults
}

/** Automatic answers to messages that arrived late. */
export function answeredLate({ messages, written, conversations }: Observed): string[] {
  const phones = phonesOf(conversations)
  const live = Map.groupBy(
    written.filter(({ at, arrivedAt }) => arrivedAt !== undefined && arrivedAt - at < lateMs + 2 * slackMs),
    ({ phone }) => phone,
  )
  return messages
    .filter(({ key }) => key !== null && answers.includes(key))
    .filter(({ conversationId, createdAt }) => {
      const own = live.get(phones.get(conversationId) ?? '') ?? []
      return !own.some(({ arrivedAt = 0 }) => Math.abs(createdAt - arrivedAt) < answeredWithinMs)
    })
    .map(
      ({ key, conversationId, createdAt }) =>
        `${key} in conversation ${conversationId} at ${wallTime(createdAt)}`,
    )
}

/** Clients who were neither answered, nor chose to cancel, nor wait visibly. */
export function servedOrWaiting({ conversations, messages }: Observed): string[] {
  const timelines = Map.groupBy(messages, (one) => one.conversationId)
  return conversations.flatMap((one) => {
    const what = forgotten(one, timelines.get(one.id) ?? [])
    return what === undefined ? [] : [`conversation ${one.id} of ${one.phone}: ${what}`]
  })
}

const isReturn = ({ act }: MessageRow) => act === 'returned'

function forgotten(one: ConversationRow, timeline: MessageRow[]): string | undefined {
  const people = timeline.filter(({ by, isRating }) => !isRating && (by === 'client' || by === 'operator'))
  const last = people.at(-1)
  const isClients = last?.by === 'client'
  if (one.preAttendanceStage === 'cancelled')
    return cancels.includes(last?.content.trim() ?? '') ? undefined : `ended by «${last?.content}»`
  if (one.preAttendanceStage === 'waiting_option')
    return timeline.some(({ key }) => key === 'preAttendanceMessage')
      ? undefined
      : 'waits for a question that was not asked'
  if (one.status === 'completed') {
    if (!people.some(({ by }) => by === 'operator')) return 'closed without anybody having served it'
    return isClients ? 'closed without a reply to the last message' : undefined
  }
  // Given back after the last reply, it waits for an operator all the same.
  const isReturned = timeline.slice(timeline.findLastIndex(({ by }) => by === 'operator')).some(isReturn)
  if (!isClients && !isReturned)
    return one.waitingFor === 'client' ? undefined : 'replied to, and shown as waiting for an operator'
  if (one.waitingFor !== 'operator') return 'not replied to, and shown as waiting for the client'
  const isSeen = one.subStatus === 'FILA' ? one.isQueued : one.assignedUserId !== null
  return isSeen ? undefined : 'waits, and nobody sees it'
}

/** Uses of 'Assumir próxima' that did not take the conversation that had waited longest. */
export function takenInTurn({ acts }: Observed): string[] {
  return acts
    .filter(
      ({ kind, conversationId, longestWaitingId }) => kind === 'take' && conversationId !== longestWaitingId,
    )
    .map(
      ({ at, conversationId, longestWaitingId }) =>
        `at ${wallTime(at)}: conversation ${conversationId} before ${longestWaitingId}`,
    )
}
