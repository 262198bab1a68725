import { type Answer, endingsOf, type Round, type ConversationState, type Texts } from './model.ts'
import type { StoredConversation } from './stored.ts'

/** What was observed after a round. */
export interface Seen {
  after: StoredConversation | undefined
  answer: Answer
  /** The client's other conversations. */
  others: readonly StoredConversation[]
}

/**
 * Compares the observation with every order of the acts.
 * @returns the name of the matching order, or the fault
 */
export function checkRound(
  round: Round,
  texts: Texts,
  { after, answer, others }: Seen,
): { name: string } | { fault: string } {
  const fault = (what: string) => ({
    fault:
      `conversation ${round.chatId}, ${round.rivals.join(' + ')}: ${what}; ` +
      `was ${format(round.start)}; is ${format(after)}` +
      `${answer === undefined ? '' : `; ${answer}`}; others: ${others.map(format).join(' | ') || 'none'}`,
  })
  if (!after) return fault('is gone')
  const ending = endingsOf(round, texts).find(
    (one) => one.answer === answer && comparable(one.state) === comparable(after),
  )
  if (!ending) return fault('no order leaves this')
  const ends = after.timeline.filter((line) => line === '·closed_by_inactivity').length
  const goodbyes = after.timeline.filter((line) => line === texts.inactivity).length
  if (ends !== goodbyes || ends > 1) return fault(`${ends} ends and ${goodbyes} goodbyes`)
  if (!ending.isWrittenElsewhere)
    return others.length === 0 ? ending : fault('another conversation without a message')
  const [other] = others
  const isWhole =
    others.length === 1 &&
    other?.status === 'waiting' &&
    other.isQueued &&
    other.protocol !== after.protocol &&
    JSON.stringify(other.timeline) === JSON.stringify([round.text])
  return isWhole ? ending : fault('the message did not open a conversation of its own')
}

const format = (one: ConversationState | undefined) =>
  one &&
  `${one.status} v${one.version} of ${one.holder} [${one.timeline.join(' / ')}] (${one.audit.join(', ')})`

const comparable = ({
  status,
  subStatus,
  holder,
  waitingFor,
  version,
  isQueued,
  timeline,
  audit,
  late,
}: ConversationState) =>
  JSON.stringify([status, subStatus, holder, waitingFor, version, isQueued, timeline, audit, late])
