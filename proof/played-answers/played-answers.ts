import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineScenario } from '../support/scenario.ts'
import { type Client, type Course, startWorld, texts, type World } from './world.ts'

/** An answer of the collection, and what a careful person takes it for. */
interface Answer {
  text: string
  /** What it chooses, of 'falar com um atendente' and 'encerrar'. */
  option: 'attend' | 'cancel' | undefined
  /** The rating that it gives. */
  rating: number | undefined
  /** It only thanks or takes leave: after the end nobody needs to read it. */
  isThanks: boolean
}

const collection = join(import.meta.dirname, '../../src/server/conversations/automatic/real-answers.jsonl')

/** Of the mixed group of the collection, what needs an answer all the same. */
const needsAnswer = new Set([
  'não',
  'oi',
  'bom dia',
  'boa tarde',
  'Olá, tudo bem',
  '😡',
  'péssimo',
  '...',
  '10/10 obrigado',
])
const thanking = new Set(['thanks alone', 'thanks, a greeting or an emoji'])
/** Of other groups, what needs none: praise, a farewell, an emoji. */
const needsNone = new Set(['nota 10', 'já resolvi', 'bom dia, obrigado', 'boa noite'])
const isStars = (text: string) => /^[⭐🌟 ]+$/u.test(text)

function readAnswers(): Answer[] {
  return readFileSync(collection, 'utf8')
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      const group = JSON.parse(line) as Pick<Answer, 'option' | 'rating'> & { is: string; texts: string[] }
      return group.texts
        .filter((text) => text.trim() !== '')
        .map((text) => ({
          text,
          option: group.option,
          rating: group.rating,
          isThanks:
            needsNone.has(text) || isStars(text) || (thanking.has(group.is) && !needsAnswer.has(text)),
        }))
    })
}

const second = 1000

/** Plays an answer in one situation. @returns what a careful person would object to */
type Play = (world: World, answer: Answer) => Promise<string[]>

/** Waits on both clocks. */
async function after(world: World, ms: number): Promise<Date> {
  await world.clock.forward(ms)
  return world.clock.now()
}

const isOpen = ({ status }: Course) => status !== 'completed'
const isSeen = (courses: readonly Course[], text: string) =>
  courses.some((course) => isOpen(course) && course.said.includes(text))
const wasSaid = (courses: readonly Course[], text: string) =>
  courses.some(({ said }) => said.includes(`> ${text}`))
const isKept = (courses: readonly Course[], text: string) => courses.some(({ said }) => said.includes(text))
const isRated = (courses: readonly Course[]) => courses.some(({ satisfaction }) => satisfaction !== null)

/** Objections where a condition does not hold. */
const object = (...conditions: [boolean, string][]) =>
  conditions.filter(([holds]) => !holds).map(([, objection]) => objection)

async function asked(world: World) {
  const client = world.newClient()
  await client.writes('oi', await after(world, second))
  return client
}

async function ended(world: World) {
  const client = await asked(world)
  await client.operatorReplies('Pronto, enviei o boleto.')
  await client.deliver()
  await after(world, 60 * second)
  await client.finalize()
  return client
}

/** Whether what was written before a question arrives before or after it is known when WhatsApp had that. */
type Arrival = 'before' | 'after'

/** Writes in the second before WhatsApp has what waits for the client. */
async function writeEarly(world: World, client: Client, text: string, arrives: Arrival): Promise<void> {
  const writtenAt = await after(world, second)
  if (arrives === 'before') await client.writes(text, writtenAt)
  await after(world, second)
  await client.deliver()
  if (arrives === 'after') await client.writes(text, writtenAt)
}

/** To the question before the queue, ten seconds after WhatsApp had it. */
const choosing: Play = async (world, { text, option }) => {
  const client = await asked(world)
  await client.deliver()
  await client.writes(text, await after(world, 10 * second))
  const first = await client.courses()
  if (option === 'attend')
    return object(
      [isSeen(first, text), 'is not seen'],
      [!wasSaid(first, texts.preAttendanceInvalidMessage), 'refused'],
    )
  if (option === 'cancel')
    return object([!first.some(isOpen), 'is open'], [first.at(-1)?.stage === 'cancelled', 'not cancelled'])
  for (const more of ['como assim', 'não entendo', 'tem alguém aí']) {
    await client.deliver()
    await client.writes(more, await after(world, 20 * second))
  }
  const last = await client.courses()
  return object(
    [!first.some(({ stage }) => stage === 'cancelled'), 'cancelled'],
    [isKept(first, text), 'lost'],
    [isSeen(last, text), 'stays unseen'],
  )
}

/**
 * Written in the second before WhatsApp had the question, and arriving before or after that is known: it is
 * part of the request. What chooses then is written after it.
 */
const choosingEarly =
  (arrives: Arrival): Play =>
  async (world, { text }) => {
    const client = await asked(world)
    await writeEarly(world, client, text, arrives)
    const first = await client.courses()
    await client.writes('1', await after(world, 10 * second))
    return object(
      [first.every(({ stage }) => stage === 'waiting_option'), 'was taken for a choice'],
      [isSeen(await client.courses(), text), 'is not seen'],
    )
  }

/** To what the shop asked last, from its phone. */
const answeringPhone: Play = async (world, { text }) => {
  const client = await asked(world)
  await client.deliver()
  await client.phoneWrites('Temos! Quantos?', await after(world, 10 * second))
  await client.writes(text, await after(world, 10 * second))
  const courses = await client.courses()
  return object(
    [isSeen(courses, text), 'is not seen'],
    [!wasSaid(courses, texts.preAttendanceInvalidMessage), 'refused'],
    [!wasSaid(courses, texts.preAttendanceCancelMessage), 'cancelled'],
  )
}

/** To the question for a rating, ten seconds after WhatsApp had it. */
const rating: Play = async (world, { text, rating: given, isThanks }) => {
  const client = await ended(world)
  await client.deliver()
  await client.writes(text, await after(world, 10 * second))
  const courses = await client.courses()
  if (given !== undefined)
    return object(
      [courses[0]?.satisfaction === given, `rated ${courses[0]?.satisfaction}`],
      [courses.length === 1, 'opens a conversation'],
    )
  if (!isThanks) return object([!isRated(courses), 'is a rating'], [isSeen(courses, text), 'is not seen'])
  await client.writes('5', await after(world, 10 * second))
  const last = await client.courses()
  return object(
    [!isRated(courses), 'is a rating'],
    [isKept(courses, text), 'lost'],
    [last.length === 1, 'opens a conversation'],
    [last[0]?.satisfaction === 5, 'ends the request for a rating'],
  )
}

/** Written in the second before WhatsApp had the question for a rating. */
const ratingEarly =
  (arrives: Arrival): Play =>
  async (world, { text, isThanks }) => {
    const client = await ended(world)
    await writeEarly(world, client, text, arrives)
    const courses = await client.courses()
    return object(
      [!isRated(courses), 'is a rating'],
      [isThanks ? isKept(courses, text) : isSeen(courses, text), 'is not seen'],
    )
  }

/** To what the shop asked from its phone after the question for a rating. */
const ratingAfterPhone: Play = async (world, { text, isThanks }) => {
  const client = await ended(world)
  await client.deliver()
  await client.phoneWrites('Quantas caixas?', await after(world, 10 * second))
  await client.writes(text, await after(world, 10 * second))
  const courses = await client.courses()
  return object(
    [!isRated(courses), 'is a rating'],
    [isThanks ? isKept(courses, text) : isSeen(courses, text), 'is not seen'],
  )
}

const situations: readonly { name: string; isAsked: boolean; play: Play }[] = [
  { name: 'an answer to the question before the queue', isAsked: true, play: choosing },
  { name: 'one written before that question', isAsked: true, play: choosingEarly('before') },
  { name: 'one written before that question that arrives late', isAsked: true, play: choosingEarly('after') },
  { name: "one to what the shop's phone asked", isAsked: true, play: answeringPhone },
  { name: 'one to the question for a rating', isAsked: false, play: rating },
  { name: 'one written before the question for a rating', isAsked: false, play: ratingEarly('before') },
  {
    name: 'one written before the question for a rating that arrives late',
    isAsked: false,
    play: ratingEarly('after'),
  },
  { name: "one to what the shop's phone asked after that", isAsked: false, play: ratingAfterPhone },
]

/**
 * Each answer of the collection is played as a whole conversation in each situation, on WhatsApp's clock and
 * the product's: it ends as a careful person would decide, and nobody is sent away or left unseen who wanted
 * something. What an answer is, is written in the collection by hand.
 */
export const playedAnswers = defineScenario({
  options: { every: 8 },
  nightly: { every: 1 },

  arrange: ({ defer }) => startWorld(defer),

  async act(world, { options: { every }, print }) {
    const answers = readAnswers().filter((_answer, n) => n % every === 0)
    print(`${answers.length} answers in ${situations.length} situations`)
    const seen: { name: string; checked: number; faults: string[] }[] = []
    for (const { name, isAsked, play } of situations) {
      await world.ask(isAsked)
      const faults: string[] = []
      for (const answer of answers) {
        await world.newDay()
        for (const objection of await play(world, answer))
          faults.push(`${JSON.stringify(answer.text)}: ${objection}`)
      }
      seen.push({ name, checked: answers.length, faults })
    }
    return seen
  },

  check: (seen) =>
    seen.map(({ name, checked, faults }) => ({
      property: `${name} ends as a careful person would decide`,
      checked,
      faults,
    })),
})
