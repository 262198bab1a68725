import { describe, expect, test } from 'vitest'
import { type ChoiceMessage, optionOf, replayChoice, type SentReply } from './choice.ts'

const baseMs = Date.UTC(2026, 10, 23, 13)
let lastId = 0
const at = (seconds: number, content: string, isRecovered = false): ChoiceMessage => ({
  id: ++lastId,
  content,
  writtenAt: new Date(baseMs + seconds * 1000),
  isRecovered,
})
const question = 'Como podemos ajudar?\n1 - Falar com um atendente\n*2* – Encerrar (das 10h às 11h)'
const replayed = (...messages: ChoiceMessage[]) =>
  replayChoice(messages, question).map(({ stage, messages: own, reply }) => [
    stage,
    own.map(({ content }) => content),
    reply,
  ])

test.each([
  '1',
  ' 1 ',
  '1️⃣',
  'um',
  'Um',
  'UMA',
  '1.',
  '1)',
  '(1)',
  '*1*',
  '1 👍',
  'opção 1',
  'Opção: 1',
  '１',
  '1 por favor',
  '1 atendente',
  '1- Falar com um atendente',
  'sim',
  'Sim, por favor!',
  'falar com atendente',
  'quero falar com um atendente',
])('%j is the first option', (text) => expect(optionOf(text, question)).toBe('attend'))
test.each(
  ['2', '2️⃣', 'dois', ' 2 ', '2.', '2!', '"2"', '2)', '(2)', 'opção 2'].concat([
    'encerrar (das 10h às 11h)',
    'Encerrar (das 10h às 11h) 🙏',
  ]),
)('%j is the second option', (text) => expect(optionOf(text, question)).toBe('cancel'))
test('the lines of the question are its options, as a button repeats them', () => {
  expect(optionOf('1 - Falar com um atendente', question)).toBe('attend')
  expect(optionOf('*2* – encerrar (das 10h às 11h)', question)).toBe('cancel')
  expect(optionOf('Como podemos ajudar?', question)).toBeUndefined()
})
test.each(
  ['', '12', '1 real', '3', 'um pedido', '21', '1'.repeat(300), '1 2', '1-2', '-1', '1º', '2ª', '1%'].concat([
    'duas',
    '2 por favor',
    '10 por favor',
    '2.000 reais',
    '2:30 pode ser?',
    '2-3 dias',
    '2. Gostaria de saber o preço',
    '1.5',
    '2,5',
    '2?',
    // "Two, please", "two, fine": a gesture, a face or a heart beside the figure cancels nothing.
    '2 🙏',
    '2 🙏🏾',
    '2 👍',
    '2 ❤️',
    '👍 2',
    'dois 🙏',
    'opção 2 😊',
    '2 👎',
  ]),
)('the answer %j chooses none of the options', (text) => expect(optionOf(text, question)).toBeUndefined())

describe('what is written before the choice', () => {
  test('is kept, and the options are offered once', () => {
    expect(replayed(at(0, 'oi'))).toEqual([['waiting_option', ['oi'], 'preAttendanceMessage']])
    // However quick: otherwise nothing would be said for a day.
    expect(replayed(at(0, 'oi'), at(3, 'tem sacola?'))).toEqual([
      ['waiting_option', ['oi', 'tem sacola?'], 'preAttendanceInvalidMessage'],
    ])
    // A burst: within ten seconds nobody is notified twice that they were not understood.
    expect(replayed(at(0, 'oi'), at(3, 'tem sacola?'), at(12, 'grande'))).toEqual([
      ['waiting_option', ['oi', 'tem sacola?', 'grande'], undefined],
    ])
  })

  test('goes into the queue with the first option, and all that follows with it', () => {
    expect(replayed(at(0, 'oi'), at(5, 'foto'), at(20, '1'), at(21, '2'))).toEqual([
      ['attend', ['oi', 'foto', '1', '2'], undefined],
    ])
  })

  test('ends with the second option, and what is written then begins anew', () => {
    expect(replayed(at(0, 'oi'), at(20, '2'), at(40, 'voltei'))).toEqual([
      ['cancelled', ['oi', '2'], 'preAttendanceCancelMessage'],
      ['waiting_option', ['voltei'], 'preAttendanceMessage'],
    ])
  })

  test('an option that nobody was offered yet is a first message', () => {
    expect(replayed(at(0, '2'))).toEqual([['waiting_option', ['2'], 'preAttendanceMessage']])
  })

  test('what is not understood is said six times an hour, and the seventh goes into the queue', () => {
    const nonsense = (count: number) => Array.from({ length: count }, (_, n) => at(20 + n * 11, `hã ${n}`))
    for (const count of [1, 4, 6])
      expect(replayed(at(0, 'oi'), ...nonsense(count)).at(-1)).toMatchObject([
        'waiting_option',
        { length: count + 1 },
        'preAttendanceInvalidMessage',
      ])
    expect(replayed(at(0, 'oi'), ...nonsense(7))).toMatchObject([['attend', { length: 8 }, undefined]])
    // An hour later the count has begun anew.
    const later = [...nonsense(6), at(3700, 'oi?')]
    expect(replayed(at(0, 'oi'), ...later).at(-1)).toMatchObject([
      'waiting_option',
      { length: 8 },
      'preAttendanceInvalidMessage',
    ])
  })

  test('a client who begins anew after a 2 has the same hour and the same count of errors', () => {
    const nonsense = (from: number, count: number) =>
      Array.from({ length: count }, (_, n) => at(from + n * 11, `hã ${n}`))
    const anew = [at(0, 'oi'), ...nonsense(20, 4), at(70, '2'), at(80, 'oi'), ...nonsense(100, 3)]
    expect(replayed(...anew)).toMatchObject([
      ['cancelled', { length: 6 }, expect.anything()],
      ['attend', { length: 4 }, undefined],
    ])
    const before = Array.from({ length: 6 }, (_, n): SentReply => ({
      reply: 'preAttendanceInvalidMessage',
      at: new Date(baseMs - (n + 1) * 60_000),
    }))
    const stages = (sent: SentReply[]) =>
      replayChoice([at(0, 'oi'), at(20, 'hã')], question, { replies: sent }).map(({ stage }) => stage)
    expect(stages(before)).toEqual(['attend'])
    expect(stages(before.slice(1))).toEqual(['waiting_option'])
  })

  test('before the question could be read is no error: it is neither counted nor does it silence', () => {
    const asked = (...all: ChoiceMessage[]) => {
      const [first] = all
      const at = new Date(baseMs + 30_500)
      const questions = [{ id: (first?.id ?? 0) + 0.5, writtenAt: at, sentAt: at, hasFailed: false }]
      return replayChoice(all, question, { questions }).at(-1)
    }
    const early = Array.from({ length: 8 }, (_, n) => at(n * 3, n === 0 ? 'oi' : 'bom dia'))
    expect(asked(...early)).toMatchObject({ stage: 'waiting_option', reply: undefined })
    expect(asked(...early, at(28, 'tem sacola?'), at(31, 'boleto'))).toMatchObject({
      stage: 'waiting_option',
      reply: 'preAttendanceInvalidMessage',
      replies: [{ reply: 'preAttendanceMessage' }, { reply: 'preAttendanceInvalidMessage' }],
    })
    // In the second in which WhatsApp got the question nobody has read it.
    expect(asked(at(0, 'oi'), at(31, 'boleto'))?.reply).toBe('preAttendanceInvalidMessage')
    expect(asked(at(0, 'oi'), at(30, 'boleto'))?.reply).toBeUndefined()
    expect(asked(at(0, 'oi'), at(30, '2'))?.stage).toBe('waiting_option')
    expect(asked(at(0, 'oi'), at(31, '2'))?.stage).toBe('cancelled')
    // However little before the question it arrived, it does not answer it.
    const [arrived, first] = [at(30, 'bom dia'), at(0, 'oi')]
    expect(asked(first, arrived)?.reply).toBeUndefined()
    expect(asked(first, arrived, at(33, 'boleto'))?.reply).toBe('preAttendanceInvalidMessage')
  })

  test('two robots that answer one another every second end in the queue after a minute', () => {
    const robot = Array.from({ length: 80 }, (_, n) => at(n, 'Não entendi'))
    const [attempt] = replayChoice(robot, question)
    expect(attempt?.stage).toBe('attend')
    expect(attempt?.replies.filter(({ reply }) => reply === 'preAttendanceInvalidMessage')).toHaveLength(6)
  })

  test('a robot that always chooses to go is let go six times an hour, and then comes to a person', () => {
    const robot = (count: number, from = 0) => Array.from({ length: count }, (_, n) => at(from + n, '2'))
    const ends = replayed(...robot(13))
    expect(ends).toHaveLength(7)
    expect(ends.at(-2)).toMatchObject(['cancelled', ['2', '2'], 'preAttendanceCancelMessage'])
    expect(ends.at(-1)).toEqual(['attend', ['2'], undefined])
    // Whoever comes back an hour later is asked again.
    expect(replayed(...robot(12), at(3700, 'oi')).at(-1)).toEqual([
      'waiting_option',
      ['oi'],
      'preAttendanceMessage',
    ])
  })

  test('what came late goes into the queue, unless it is a choice', () => {
    expect(replayed(at(0, 'oi', true))).toEqual([['attend', ['oi'], undefined]])
    expect(replayed(at(0, 'oi'), at(20, '2', true))).toMatchObject([
      ['cancelled', ['oi', '2'], expect.anything()],
    ])
  })
})
