import { type Answer, endingsOf, type Round, type Standing, type Texts } from './model.ts'
import type { Stood } from './stored.ts'

/** What was seen after a round. */
export interface Seen {
  stood: Stood | undefined
  answer: Answer
  /** What else the client has, besides the conversation of the round. */
  others: readonly Stood[]
}

/** Holds what was seen against every order of the acts. @returns the name of the one that it is, or what is wrong */
export function judgeRound(
  round: Round,
  texts: Texts,
  { stood, answer, others }: Seen,
): { name: string } | { fault: string } {
  const fault = (what: string) => ({
    fault:
      `conversa ${round.chatId}, ${round.rivals.join(' + ')}: ${what}; era ${told(round.start)}; é ${told(stood)}` +
      `${answer === undefined ? '' : `; ${answer}`}; outras: ${others.map(told).join(' | ') || 'nenhuma'}`,
  })
  if (!stood) return fault('sumiu')
  const ending = endingsOf(round, texts).find(
    (one) => one.answer === answer && looksOf(one.standing) === looksOf(stood),
  )
  if (!ending) return fault('o que nenhuma das ordens faz')
  const ends = stood.timeline.filter((line) => line === '·closed_by_inactivity').length
  const goodbyes = stood.timeline.filter((line) => line === texts.inactivity).length
  if (ends !== goodbyes || ends > 1) return fault(`${ends} fins e ${goodbyes} despedidas`)
  if (!ending.isWrittenElsewhere) return others.length === 0 ? ending : fault('outra conversa sem mensagem')
  const [other] = others
  const isWhole =
    others.length === 1 &&
    other?.status === 'waiting' &&
    other.isQueued &&
    other.protocol !== stood.protocol &&
    JSON.stringify(other.timeline) === JSON.stringify([round.text])
  return isWhole ? ending : fault('a mensagem não abriu uma conversa só sua')
}

const told = (one: Standing | undefined) =>
  one &&
  `${one.status} v${one.version} de ${one.holder} [${one.timeline.join(' / ')}] (${one.audit.join(', ')})`

const looksOf = ({
  status,
  subStatus,
  holder,
  waitingFor,
  version,
  isQueued,
  timeline,
  audit,
  late,
}: Standing) =>
  JSON.stringify([status, subStatus, holder, waitingFor, version, isQueued, timeline, audit, late])
