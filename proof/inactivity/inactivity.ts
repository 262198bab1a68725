import { setTimeout as sleep } from 'node:timers/promises'
import { closeSilent } from '#server/conversations/automatic/inactivity.ts'
import { inactivityMinutes } from '#shared/settings/settings.ts'
import type { Random } from '#simulator/random.ts'
import { defineScenario } from '../support/scenario.ts'
import { hurryAutomaticTexts } from '../races/stored.ts'
import {
  type Chat,
  eachOf,
  makeChats,
  type Person,
  startTwoInstances,
  type TwoInstances,
  checkEnd,
  untilQuiet,
} from '../support/two-instances.ts'
import { checkRound } from './check.ts'
import type { Answer, Rival, Round, Texts } from './model.ts'
import { countGoodbyes } from './phones.ts'
import { holdOutbox, isInboxEmpty, readOthers, readStates, setInactivity } from './stored.ts'

const limitMs = inactivityMinutes * 60_000
const batchSize = 400
/** The number of conversations that one run of the job closes. */
const groupSize = 8
/** The maximum time between the starts of the job on two instances. */
const spreadMs = 10

/** The people and texts of a run, and the results so far. */
interface InactivityRaces {
  at: TwoInstances
  ana: Person
  bruno: Person
  texts: Texts
  random: Random
  /** The number of each ending, by kind of rivals. */
  endings: Map<string, Map<string, number>>
  faults: string[]
  /**
   * The duration of the job's last run. Rivals act at random times within it, whatever the machine's speed.
   */
  closingMs: number
}

function rivalsOf(n: number): Rival[] {
  const turn = n % 20
  if (turn >= 18) return ['message', 'transfer']
  return turn % 2 === 0 ? ['message'] : ['transfer']
}

/** Replies in each chat, so that it waits for its client. */
async function answerAll(ana: Person, chats: Chat[]): Promise<void> {
  await eachOf(chats, 6, async ({ id }, index) => {
    const path = `/api/conversations/${id}/messages`
    const { status } = await ana.call(index % 2, 'POST', path, { content: 'em que posso ajudar?' })
    if (status !== 201) throw new Error(`a reply was refused: ${status}`)
  })
}

/** Runs the job that closes silent conversations, on one instance or on both. */
async function closeAll(races: InactivityRaces): Promise<void> {
  const { at, random } = races
  const [first, second] = at.databases
  const closers = random() < 0.4 ? [first, second] : [second]
  const startedAt = performance.now()
  await Promise.all(
    closers.map(async (database) => {
      await sleep(random() * spreadMs)
      await closeSilent(database, false)
    }),
  )
  races.closingMs = performance.now() - startedAt
}

async function rival(
  { at, ana, random, closingMs }: InactivityRaces,
  chat: Chat,
  round: Round,
  kind: Rival,
): Promise<Answer> {
  await sleep(random() * closingMs)
  if (kind === 'message') {
    at.simulator.control.sendText(chat.phoneId, round.text)
    return undefined
  }
  const path = `/api/conversations/${chat.id}/transfer`
  const to = { newOperatorId: round.transfer.to }
  const { status, body } = await ana.call<{ code?: string } | undefined>(0, 'POST', path, to)
  return status < 300 ? '200' : `${status} ${body?.code}`
}

async function untilInboxEmpty(at: TwoInstances): Promise<void> {
  const deadline = performance.now() + 30_000
  while (at.simulator.control.state().counters.pendingWebhooks > 0 || !(await isInboxEmpty(at.database))) {
    if (performance.now() > deadline) throw new Error('the inbox did not become empty')
    await sleep(5)
  }
}

/** Closes a group of conversations while their rivals act, and checks each. */
async function raceGroup(races: InactivityRaces, chats: Chat[], from: number): Promise<void> {
  const { at, ana, bruno, texts, random } = races
  const ids = chats.map(({ id }) => id)
  const isAtBoundary = random() < 0.25
  await setInactivity(
    at.database,
    ids,
    isAtBoundary ? limitMs - random() * races.closingMs : limitMs + 60_000,
  )
  const starts = await readStates(at.database, ids)
  const all = chats.map((chat, index) => {
    const n = from + index
    const start = starts.get(chat.id)
    if (!start) throw new Error('a conversation is not there')
    const transfer = { by: ana.id, to: bruno.id }
    const round: Round = {
      chatId: chat.id,
      start,
      rivals: rivalsOf(n),
      isAtBoundary,
      text: `ainda estou aqui ${n}`,
      transfer,
    }
    return { chat, round }
  })
  const closing = closeAll(races)
  const answers = await Promise.all(
    all.map(async ({ chat, round }) =>
      (await Promise.all(round.rivals.map((kind) => rival(races, chat, round, kind)))).find(Boolean),
    ),
  )
  await closing
  await untilInboxEmpty(at)
  const after = await readStates(at.database, ids)
  const others = await readOthers(at.database, ids)
  for (const [index, { round }] of all.entries()) {
    const one = after.get(round.chatId)
    const seen = { after: one, answer: answers[index], others: others.get(one?.contactId ?? 0) ?? [] }
    note(races, round, checkRound(round, texts, seen))
  }
}

function note(
  { endings, faults }: InactivityRaces,
  { rivals }: Round,
  verdict: ReturnType<typeof checkRound>,
): void {
  if ('fault' in verdict) return void faults.push(verdict.fault)
  const name = rivals.join(' + ')
  const counts = endings.get(name) ?? new Map<string, number>()
  endings.set(name, counts)
  counts.set(verdict.name, (counts.get(verdict.name) ?? 0) + 1)
}

async function raceBatch(races: InactivityRaces, from: number, size: number): Promise<void> {
  const { at, ana } = races
  const chats = await makeChats(at, from, size)
  await answerAll(ana, chats)
  const stuck = await untilQuiet(at, { stuckAfterMs: 60_000 })
  if (stuck) throw new Error(`stuck: ${stuck}`)
  await holdOutbox(at.database, true)
  for (let first = 0; first < size; first += groupSize)
    await raceGroup(races, chats.slice(first, first + groupSize), from + first)
  await holdOutbox(at.database, false)
}

/** Checks that either side sometimes came first: a race that one side never wins proves nothing. */
function checkWinners(endings: InactivityRaces['endings'], print: (line: string) => void): string[] {
  const faults: string[] = []
  for (const [name, counts] of endings) {
    const all = [...counts].toSorted(([, a], [, b]) => b - a)
    for (const [ending, count] of all) print(`${name.padEnd(19)} ${String(count).padStart(5)} × ${ending}`)
    const sum = (some: typeof all) => some.reduce((total, [, count]) => total + count, 0)
    const [ended, kept] = [
      sum(all.filter(([ending]) => ending.startsWith('closed'))),
      sum(all.filter(([ending]) => !ending.startsWith('closed'))),
    ]
    print(`${name.padEnd(19)} the end came first ${ended} times, the other side ${kept}`)
    if (ended === 0 || kept === 0) faults.push(`${name}: one side never came first`)
  }
  return faults
}

/** The instances' own jobs must not run: they would close conversations before the race. */
const never = 24 * 3_600_000

/**
 * Auto-close runs on one instance, or on both at once, while the client writes through the webhook of the
 * other, the conversation is transferred, or both. The result must equal that of one order of these acts:
 * closed once, with one goodbye and nothing after it, or open without a goodbye. Both must occur.
 * @see reliability F-24
 */
export const inactivity = defineScenario({
  options: { rounds: 2000 },
  nightly: { rounds: 400 },

  async arrange({ options: { seed }, random, defer }): Promise<InactivityRaces> {
    const at = await startTwoInstances({
      simulator: { seed, echoMs: 5, serverAckMs: 20, deliveryAckMs: 40 },
      jobTimes: { queueMs: never, inactivityMs: never },
    })
    defer(at.close)
    const [ana, bruno] = [await at.signIn('admin', 'ana'), await at.signIn('admin', 'bruno')]
    await hurryAutomaticTexts(at)
    const { body: settings } = await ana.call<{ transferMessage: string; inactivityMessage: string }>(
      0,
      'GET',
      '/api/system-settings',
    )
    const texts: Texts = {
      inactivity: settings.inactivityMessage,
      transfer: settings.transferMessage.replace('{{operator}}', bruno.username),
    }
    return { at, ana, bruno, texts, random, endings: new Map(), faults: [], closingMs: 40 }
  },

  async act(races, { options: { rounds }, print, seconds }) {
    for (let from = 0; from < rounds; from += batchSize) {
      const size = Math.min(batchSize, rounds - from)
      await raceBatch(races, from, size)
      print(`  ${from + size} rounds in ${seconds()} s, ${races.faults.length} faults`)
    }
    return await untilQuiet(races.at, { stuckAfterMs: 60_000 })
  },

  async check(stuck, { at, texts, endings, faults }, { options: { rounds }, print }) {
    const goodbyes = await countGoodbyes(at, texts.inactivity)
    const neverFirst = checkWinners(endings, print)
    print(`${goodbyes.closed} closed, ${goodbyes.received} goodbyes on phones`)
    return [
      {
        property: 'what is left is what one order leaves, and nothing after the end',
        checked: rounds,
        faults,
      },
      {
        property: 'each closed conversation has one goodbye on its phone',
        checked: goodbyes.closed,
        faults: goodbyes.faults,
      },
      { property: 'either side comes first at times', checked: endings.size, faults: neverFirst },
      ...checkEnd(at, stuck),
    ]
  },
})
