import { expect, test } from 'vitest'
import { type Invariant, judgeDay } from './checker.ts'
import { hourMs, minuteMs, secondMs } from './day.ts'
import type { ConversationRow, MessageRow, Observed } from './observed.ts'
import { goodDay, joao, ten } from './test-day.ts'
import type { DayText } from './texts.ts'

/** What is found after something was done to a good day. */
function foundAfter(damage: (day: Observed) => void): Invariant[] {
  const day = goodDay()
  damage(day)
  return [...judgeDay(day)].flatMap(([name, faults]) => (faults.length > 0 ? [name] : []))
}

const messageOf = (day: Observed, what: Partial<MessageRow>): MessageRow => {
  const found = day.messages.find((one) =>
    Object.entries(what).every(([key, value]) => one[key as keyof MessageRow] === value),
  )
  if (!found) throw new Error('no such message')
  return found
}
const conversationOf = (day: Observed, id: number) => day.conversations[id - 1] as ConversationRow

/** The text once more, in the database and on the phone. */
function sayAgain(day: Observed, key: DayText, afterMs: number): void {
  const text = messageOf(day, { key })
  const at = text.createdAt + afterMs
  day.messages.push({ ...text, id: day.messages.length + 1, createdAt: at, sortAt: at })
  day.got.push({ phone: conversationOf(day, text.conversationId).phone, at, text: text.content })
}

test('a good day has no faults', () => {
  expect(foundAfter(() => undefined)).toEqual([])
})

test.each<[number, Invariant[]]>([
  [20, []],
  [70, ['nenhum silêncio ficou aberto']],
])('a silence that was over %i s before an outage, and ends half an hour after it', (seconds, found) => {
  const end = (day: Observed) => {
    const over = ten + 41 * minuteMs
    const toMs = over + seconds * secondMs + 10 * minuteMs
    day.plan.outage = { fromMs: over + seconds * secondMs, toMs }
    const at = toMs + 30 * minuteMs
    for (const line of day.messages)
      if (line.act === 'closed_by_inactivity' || line.key === 'inactivityMessage')
        Object.assign(line, { createdAt: at, sortAt: at })
    conversationOf(day, 2).completedAt = at
  }
  expect(foundAfter(end)).toEqual(found)
})

test.each<[string, (day: Observed) => void, Invariant]>([
  [
    'a text for the second time',
    (day) => sayAgain(day, 'transferMessage', minuteMs),
    'nenhum texto automático repetido',
  ],
  [
    'two warnings of one silence',
    (day) => sayAgain(day, 'inactivityWarningMessage', minuteMs),
    'nenhum texto automático repetido',
  ],
  [
    'a text twice on the phone',
    (day) => day.got.push({ phone: joao, at: 0, text: 'temos' }),
    'cada texto chegou uma vez ao seu celular, em ordem',
  ],
  [
    'a text that never came',
    (day) => void day.got.pop(),
    'cada texto chegou uma vez ao seu celular, em ordem',
  ],
  [
    'two texts the other way round',
    (day) => void day.got.reverse(),
    'cada texto chegou uma vez ao seu celular, em ordem',
  ],
  [
    'a place further back',
    ({ told }) => told.push({ conversationId: 1, at: 3 * hourMs, position: 2, truePosition: 2 }),
    'nenhuma posição andou para trás nem foi dita duas vezes num minuto',
  ],
  [
    'two places within a minute',
    ({ told }) => void (told[1] && (told[1].at = ten + 70 * secondMs)),
    'nenhuma posição andou para trás nem foi dita duas vezes num minuto',
  ],
  [
    'a place at which he did not stand',
    ({ told }) => void (told[1] && (told[1].truePosition = 4)),
    'toda posição dita era a verdadeira',
  ],
  [
    'a message that nobody has',
    (day) => void day.messages.splice(day.messages.indexOf(messageOf(day, { content: 'e de papel?' })), 1),
    'cada mensagem de cliente está guardada uma vez, em ordem',
  ],
  [
    'what came late and does not say so',
    (day) => void (messageOf(day, { content: 'e de papel?' }).isRecovered = false),
    'cada mensagem de cliente está guardada uma vez, em ordem',
  ],
  [
    'an answer of a machine to what came late',
    (day) => {
      sayAgain(day, 'preAttendanceMessage', 0)
      const again = day.messages.at(-1) as MessageRow
      Object.assign(again, { conversationId: 3, createdAt: 5.7 * hourMs })
    },
    'o que chegou atrasado não teve resposta automática',
  ],
  [
    'an end in an outage',
    (day) => void (day.plan.outage = { fromMs: ten, toMs: ten + 40 * minuteMs }),
    'ninguém foi encerrado por silêncio sem estar em silêncio',
  ],
  [
    'an end half an hour after an absence of ours',
    (day) => void (day.plan.restart = { fromMs: ten + 5 * minuteMs, toMs: ten + 12 * minuteMs }),
    'ninguém foi encerrado por silêncio sem estar em silêncio',
  ],
  [
    'an end of somebody who has just written',
    (day) =>
      void day.written.splice(3, 0, {
        phone: joao,
        waId: 'nova',
        at: ten + 30 * minuteMs,
        text: 'oi?',
        arrivedAt: ten + 50 * minuteMs,
      }),
    'ninguém foi encerrado por silêncio sem estar em silêncio',
  ],
  [
    'an end after ten minutes',
    (day) => void (messageOf(day, { content: 'temos' }).sortAt = ten + 31 * minuteMs),
    'ninguém foi encerrado por silêncio sem estar em silêncio',
  ],
  [
    'an end of nobody’s',
    (day) =>
      void day.acts.splice(
        day.acts.findIndex(({ kind }) => kind === 'finalize'),
        1,
      ),
    'nada foi encerrado sem motivo',
  ],
  [
    'a message after the end',
    (day) => void (messageOf(day, { content: '5' }).isRating = false),
    'nada foi encerrado sem motivo',
  ],
  [
    'a silence that nobody ends',
    (day) => {
      day.messages = day.messages.filter(
        ({ act, key }) => act !== 'closed_by_inactivity' && key !== 'inactivityMessage',
      )
      Object.assign(conversationOf(day, 2), { status: 'active', completedAt: null })
    },
    'nenhum silêncio ficou aberto',
  ],
  [
    'somebody who waits where nobody looks',
    (day) => void (conversationOf(day, 3).isQueued = false),
    'cada cliente foi atendido ou está esperando',
  ],
  [
    'somebody who was never answered',
    (day) => void (messageOf(day, { content: 'temos' }).by = 'product'),
    'cada cliente foi atendido ou está esperando',
  ],
  [
    'somebody who was passed over',
    ({ acts }) => void (acts[0] && (acts[0].longestWaitingId = 2)),
    'quem esperava há mais tempo foi assumido primeiro',
  ],
])('%s is found', (_, damage, invariant) => {
  expect(foundAfter(damage)).toContain(invariant)
})
