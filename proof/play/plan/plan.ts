import { type Stretch, type DayMs, dayLengthMs, hourMs, minuteMs, secondMs } from './day.ts'
import { createDice, type Dice } from './dice.ts'
import { type OperatorPlan, planOperators } from './plan-operators.ts'

/** A message of a client, `afterMs` after the previous event. */
export interface Word {
  afterMs: number
  text: string
  /** Whether it is a file of a refused type, without text. */
  isRefusedFile: boolean
}

/** The next act of an operator in a conversation. */
export type Handling = 'reply' | 'transfer' | 'back' | 'finalize'

/** One visit of a client, from the first message on. */
export interface Visit {
  atMs: DayMs
  /** The first messages. */
  opening: Word[]
  /** The answers to the requests to choose, in order. */
  choices: Word[]
  /** The messages after each reply. */
  turns: Word[][]
  /** The answer to the request to rate. */
  goodbye: Word | undefined
  /** How the first operator gets the conversation: by 'Assumir próxima', or by replying to it in the FILA. */
  entry: 'take' | 'reply'
  /** The operators' acts in order; afterwards they reply to everything. */
  handling: Handling[]
}

export interface ClientPlan {
  /** Digits with country code. */
  phone: string
  visits: Visit[]
}

/** Everything random about a day: what people do and what fails. */
export interface DayPlan {
  seed: number
  clients: ClientPlan[]
  operators: OperatorPlan[]
  /** When the gateway is down. It keeps what clients write meanwhile. */
  outage: Stretch
  /** When the product is down. */
  restart: Stretch
  /** Whether conversations are assigned to free operators instead of being taken. */
  isDistributed: boolean
  /**
   * An operator with this many waiting conversations is busy. If all are busy, clients are sent their
   * position.
   */
  capacity: number
  /** How long before auto-close clients are warned; 0 for no warning. */
  warningMinutes: number
}

const outageMs = 40 * minuteMs

export function planDay(
  seed: number,
  { clients, operators }: { clients: number; operators: number },
): DayPlan {
  const dice = createDice(seed)
  const outage = stretch(dice.between(1.5 * hourMs, 8 * hourMs), outageMs)
  return {
    seed,
    outage,
    restart: restartBeside(outage, dice),
    isDistributed: dice.is(0.25),
    capacity: dice.pick([1, 1, 2]),
    warningMinutes: dice.is(0.5) ? 5 : 0,
    operators: planOperators(operators, dice),
    clients: Array.from({ length: clients }, (_, n) => planClient(n, dice)),
  }
}

const stretch = (fromMs: DayMs, lengthMs: number): Stretch => ({ fromMs, toMs: fromMs + lengthMs })

/** A restart that is too short to count as an absence, or long enough, and not during the outage. */
function restartBeside(outage: Stretch, dice: Dice): Stretch {
  const lengthMs = dice.is(0.2) ? 30 * secondMs : dice.between(4 * minuteMs, 15 * minuteMs)
  for (;;) {
    const restart = stretch(dice.between(0.5 * hourMs, 10 * hourMs), lengthMs)
    if (restart.toMs < outage.fromMs - 5 * minuteMs || restart.fromMs > outage.toMs + 5 * minuteMs)
      return restart
  }
}

const openings = [
  'oi',
  'bom dia',
  'tem sacola?',
  'queria um orçamento',
  'meu pedido não chegou',
  'alguém aí?',
]
const attends = ['1', '1', '1️⃣', 'um', ' 1 ', '1 - atendente']
/** The words that cancel. With those of `attends`, the only ones that choose. */
export const cancels: readonly string[] = ['2', '2️⃣', 'dois']
const nonsense = ['hã?', 'quero falar com gente', '12', 'oi?', '👍']
const goodbyes = ['5', '4', '3️⃣', '1. demorou', '5 - excelente', 'obrigada!', 'nota dez', '2']

function planClient(n: number, dice: Dice): ClientPlan {
  const atMs = arrival(dice)
  const visits = [planVisit(atMs, dice)]
  const backAtMs = atMs + dice.between(20 * minuteMs, 5 * hourMs)
  if (dice.is(0.25) && backAtMs < dayLengthMs) visits.push(planVisit(backAtMs, dice))
  return { phone: `55119${String(70_000_000 + n)}`, visits }
}

/** Half of the clients arrive in two rushes. */
function arrival(dice: Dice): DayMs {
  if (dice.is(0.25)) return dice.between(1 * hourMs, 2.3 * hourMs)
  if (dice.is(0.33)) return dice.between(5.5 * hourMs, 7 * hourMs)
  return dice.between(0, dayLengthMs - 10 * minuteMs)
}

function planVisit(atMs: DayMs, dice: Dice): Visit {
  const isSilentAtEnd = dice.is(0.3)
  const turns = Array.from({ length: dice.pick([0, 1, 1, 2, 3]) }, () => wordsAfterReply(dice))
  const replies = Array.from({ length: turns.length + 1 }, (): Handling => 'reply')
  const handling: Handling[] = isSilentAtEnd ? replies : [...replies, 'finalize']
  if (dice.is(0.15)) handling.splice(dice.between(0, turns.length), 0, 'transfer')
  if (dice.is(0.08)) handling.splice(dice.between(0, turns.length), 0, 'back')
  return {
    atMs,
    opening: opening(dice),
    choices: choices(dice),
    turns,
    goodbye: dice.is(0.6) ? word(dice, 5 * secondMs, 10 * minuteMs, dice.pick(goodbyes)) : undefined,
    entry: dice.is(0.2) ? 'reply' : 'take',
    handling,
  }
}

const word = (dice: Dice, fromMs: number, toMs: number, text: string): Word => ({
  afterMs: dice.between(fromMs, toMs),
  text,
  isRefusedFile: false,
})

function opening(dice: Dice): Word[] {
  const words = [word(dice, 0, 0, dice.pick(openings))]
  for (let more = dice.pick([0, 0, 1, 2]); more > 0; more--)
    words.push(word(dice, 2 * secondMs, 6 * minuteMs, dice.pick(openings)))
  if (dice.is(0.12)) words.push({ ...word(dice, 5 * secondMs, 2 * minuteMs, ''), isRefusedFile: true })
  return words
}

function choices(dice: Dice): Word[] {
  const answer = (text: string) => word(dice, 4 * secondMs, 90 * secondMs, text)
  const before = Array.from({ length: dice.is(0.2) ? dice.between(1, 7) : 0 }, () =>
    answer(dice.pick(nonsense)),
  )
  if (dice.is(0.08)) return before
  return [...before, answer(dice.is(0.08) ? dice.pick(cancels) : dice.pick(attends))]
}

/** Most clients answer within minutes, some after about half an hour. */
function wordsAfterReply(dice: Dice): Word[] {
  const slow = dice.is(0.1)
  const [fromMs, toMs] = slow ? [24 * minuteMs, 36 * minuteMs] : [8 * secondMs, 6 * minuteMs]
  const first = word(dice, fromMs, toMs, dice.pick(openings))
  const more = dice.is(0.3) ? [word(dice, 2 * secondMs, 40 * secondMs, dice.pick(openings))] : []
  const file = dice.is(0.06) ? [{ ...word(dice, 3 * secondMs, minuteMs, ''), isRefusedFile: true }] : []
  return [first, ...more, ...file]
}
