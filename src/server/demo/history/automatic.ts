import type { MessageType } from '#shared/messages/message-kinds.ts'
import type { MessageMetadata } from '#shared/messages/message-metadata.ts'
import { inactivityMinutes } from '#shared/settings/inactivity.ts'
import { viewedBy } from '#shared/text/text.ts'
import { dice as diceOf, type Dice } from './random.ts'
import { type DemoMessage, waIdFrom } from './timeline.ts'

/**
 * The automatic texts and view notes of the demo history. The shop switches its texts on and off over the
 * months, because a text that is always on would end every archived conversation with the same sentence.
 */
interface Times {
  daysAgo: number
  isBegunByUs: boolean
  /** Who answers first. */
  operator: { username: string; fullName: string }
}

function automatic(dice: Dice, text: string, at: Date, type: MessageType = 'text'): DemoMessage {
  return {
    waId: waIdFrom(dice, false),
    from: 'automatic',
    text,
    at,
    type,
  }
}

function before(at: Date, ms: number) {
  return new Date(at.getTime() - ms)
}

/** Inserts the automatic messages where the product would have sent them. */
export function addAutomatic(dice: Dice, messages: readonly DemoMessage[], times: Times): DemoMessage[] {
  const answerAt = messages.findIndex(({ from }) => typeof from === 'object')
  const [first, answer] = [messages[0], messages[answerAt]]
  if (!first || !answer) return [...messages]
  const opening = times.isBegunByUs
    ? ownOpening(dice, first.at, times)
    : queueTexts(dice, first.at, answer.at, times)
  const views = times.isBegunByUs ? [] : viewsOf(dice, first.at, answer.at, times)
  const warnings = times.isBegunByUs ? [] : warningOf(dice, answer.at, times)
  const all = [...opening, ...views, ...messages.slice(0, answerAt), ...warnings, ...messages.slice(answerAt)]
  // The sort is stable: what is sent just before an answer has the answer's time.
  return all.toSorted((a, b) => a.at.getTime() - b.at.getTime())
}

function ownOpening(dice: Dice, at: Date, { daysAgo, operator }: Times): DemoMessage[] {
  if (daysAgo < 12 || daysAgo > 70) return []
  const text = `Olá! ${operator.fullName}, da Empório Aurora Embalagens, vai falar com você por este número.`
  return [automatic(dice, text, at, 'operator_initiated_warning')]
}

function warningOf(dice: Dice, at: Date, { daysAgo }: Times): DemoMessage[] {
  if (daysAgo < 58 || daysAgo > 74) return []
  return [automatic(dice, 'Por segurança, nunca pedimos senhas ou códigos por aqui.', at, 'warning_auto')]
}

/** Messages to a client in the queue, if the wait was long enough for them. */
function queueTexts(dice: Dice, enteredAt: Date, answeredAt: Date, { daysAgo }: Times): DemoMessage[] {
  const room = answeredAt.getTime() - enteredAt.getTime()
  if (room < 15_000) return []
  const soon = new Date(enteredAt.getTime() + 2000)
  if (room > 240_000 && dice.chance(0.22)) return positions(dice, soon, room)
  if (daysAgo < 18 || daysAgo > 40 || !dice.chance(0.6)) return []
  const welcome = 'Olá! Recebemos sua mensagem e um atendente já vai falar com você.'
  return [automatic(dice, welcome, soon, 'queue_welcome')]
}

function positions(dice: Dice, at: Date, room: number): DemoMessage[] {
  const position = dice.between(2, 7)
  const text =
    'Todos os nossos atendentes estão ocupados. ' + `Você é o ${position}º da fila; já já falamos com você.`
  const texts = [automatic(dice, text, at, 'queue_notification')]
  const steps = Math.min(position - 1, Math.floor(room / 130_000), 3)
  for (let step = 1; step <= steps; step++) {
    const then = new Date(at.getTime() + (step * (room - 20_000)) / (steps + 1))
    texts.push(automatic(dice, `Você agora é o ${position - step}º da fila.`, then, 'queue_position'))
  }
  return texts
}

function viewsOf(dice: Dice, enteredAt: Date, answeredAt: Date, { operator }: Times): DemoMessage[] {
  const room = answeredAt.getTime() - enteredAt.getTime()
  if (room < 6000 || !dice.chance(0.3)) return []
  const at = before(answeredAt, Math.min(room - 4000, dice.between(4, 90) * 1000))
  const view = (fullName: string, username: string, then: Date): DemoMessage => ({
    waId: null,
    from: { operator: username },
    text: viewedBy(fullName),
    at: then,
    type: 'view_tracking',
  })
  const own = view(operator.fullName, operator.username, at)
  if (room < 600_000 || !dice.chance(0.3)) return [own]
  return [view('Heloísa Duarte', 'supervisora', before(answeredAt, room / 2)), own]
}

/** The closing message of a conversation. */
export function farewellOf(
  dice: Dice,
  at: Date,
  { daysAgo, isByClock }: { daysAgo: number; isByClock: boolean },
): DemoMessage[] {
  if (isByClock)
    return [
      automatic(
        dice,
        `Encerramos este atendimento por falta de resposta nos últimos ${inactivityMinutes} minutos. ` +
          'Se precisar, é só escrever de novo.',
        at,
      ),
    ]
  if (daysAgo < 55) return []
  return [automatic(dice, 'Seu atendimento foi finalizado. Obrigado pelo contato!', at)]
}

const isAnswer = ({ from, type }: DemoMessage) =>
  typeof from === 'object' && type !== 'view_tracking' && type !== 'event' && type !== 'note'

/** The line of whoever takes the conversation, mostly some moments before the first answer. */
export function withTaking(messages: readonly DemoMessage[]): DemoMessage[] {
  const first = messages[0]
  if (!first) return []
  // Dice of its own, so that everything else stays as it is.
  const dice = diceOf(`taking ${first.waId} ${first.at.getTime()}`)
  return [...messages, ...takingBetween(dice, first.at, messages)].toSorted(
    (a, b) => a.at.getTime() - b.at.getTime(),
  )
}

/** The line of whoever gives the first of these answers, after it came into the queue. */
export function takingBetween(dice: Dice, queuedAt: Date, messages: readonly DemoMessage[]): DemoMessage[] {
  const answer = messages.find(isAnswer)
  const room = answer ? answer.at.getTime() - queuedAt.getTime() : 0
  if (!answer || typeof answer.from !== 'object' || room < 10_000 || dice.chance(0.2)) return []
  const at = before(answer.at, dice.between(4000, Math.min(Math.round(room * 0.8), 180_000)))
  return [eventOf(answer.from.operator, { act: 'taken' }, at)]
}

/** The event line for something an operator did to a conversation; null: the product itself. */
export function eventOf(username: string | null, event: MessageMetadata['event'], at: Date): DemoMessage {
  return {
    waId: null,
    from: username === null ? 'automatic' : { operator: username },
    text: '',
    at,
    type: 'event',
    metadata: { event },
  }
}

/** What somebody notes for the team. */
export const noteOf = (username: string, text: string, at: Date): DemoMessage => ({
  waId: null,
  from: { operator: username },
  text,
  at,
  type: 'note',
})

/** Informs the client which sector continues the conversation. */
export const movingNotice = (dice: Dice, sector: string, at: Date): DemoMessage =>
  automatic(dice, `Vou te passar para o ${sector}. Já te respondem por aqui.`, at)

/** Informs the client who continues the conversation. */
export function transferNotice(dice: Dice, fullName: string, at: Date): DemoMessage {
  return automatic(
    dice,
    `Seu atendimento foi transferido para ${fullName}, que continua a conversa com você.`,
    at,
  )
}
