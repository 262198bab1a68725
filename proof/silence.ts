import { setTimeout as sleep } from 'node:timers/promises'
import { closeSilent } from '#server/conversations/inactivity.ts'
import { inactivityMinutes } from '#shared/settings.ts'
import { createRandom } from '#simulator/random.ts'
import { readOptions, say } from './command.ts'
import { hurryAutomaticTexts } from './races/stored.ts'
import {
  type Chat,
  eachOf,
  makeChats,
  type Person,
  startTwoInstances,
  type TwoInstances,
  untilQuiet,
} from './sends/two-instances.ts'
import { judgeRound } from './silence/check.ts'
import type { Answer, Rival, Round, Texts } from './silence/model.ts'
import { countGoodbyes } from './silence/phones.ts'
import { holdOutbox, isInboxEmpty, readOthers, readStandings, setSilence } from './silence/stored.ts'

/**
 * `npm run silence -- --rounds 2000 --seed 7`: a silence of half an hour ends on one instance, or on both at once, at the
 * moment at which the client writes through the webhook of the other, a colleague gets the conversation, or both. What
 * stands then must be what one order of these would have made: ended once, with one goodbye and nothing attached
 * afterwards, or open and told nothing; and both must happen.
 * @see reliability F-24
 */
const { rounds, seed } = readOptions({ rounds: 2000 })
const random = createRandom(seed)

const limitMs = inactivityMinutes * 60_000
const batchSize = 400
/** So many silences end in one look. */
const groupSize = 8
/** Within so many milliseconds two who look begin. */
const spreadMs = 10

const faults: string[] = []
const endings = new Map<string, Map<string, number>>()
/** How long the last look took: the rivals come at any moment of such a time, however fast the machine is. */
let lookMs = 40

interface Cast {
  ana: Person
  bruno: Person
  texts: Texts
}

function rivalsOf(n: number): Rival[] {
  const turn = n % 20
  if (turn >= 18) return ['message', 'transfer']
  return turn % 2 === 0 ? ['message'] : ['transfer']
}

/** Answered by her, so that each waits for its client. */
async function answerAll(ana: Person, chats: Chat[]): Promise<void> {
  await eachOf(chats, 6, async ({ id }, index) => {
    const path = `/api/conversations/${id}/messages`
    const { status } = await ana.call(index % 2, 'POST', path, { content: 'em que posso ajudar?' })
    if (status !== 201) throw new Error(`resposta não aceita: ${status}`)
  })
}

/** Whether it is one instance or both that look, once or twice: each look is due by itself. */
async function closeAll(at: TwoInstances): Promise<void> {
  const [first, second] = at.databases
  const lookers = random() < 0.4 ? [first, second] : [second]
  const startedAt = performance.now()
  await Promise.all(
    lookers.map(async (database) => {
      await sleep(random() * spreadMs)
      await closeSilent(database, false)
    }),
  )
  lookMs = performance.now() - startedAt
}

async function rival(
  at: TwoInstances,
  { ana }: Cast,
  chat: Chat,
  round: Round,
  kind: Rival,
): Promise<Answer> {
  await sleep(random() * lookMs)
  if (kind === 'message') {
    at.simulator.control.sendText(chat.phoneId, round.text)
    return undefined
  }
  const path = `/api/conversations/${chat.id}/transfer`
  const to = { newOperatorId: round.transfer.to }
  const { status, body } = await ana.call<{ code?: string } | undefined>(0, 'POST', path, to)
  return status < 300 ? '200' : `${status} ${body?.code}`
}

async function untilWorkedOff(at: TwoInstances): Promise<void> {
  const deadline = performance.now() + 30_000
  while (at.simulator.control.state().counters.pendingWebhooks > 0 || !(await isInboxEmpty(at.database))) {
    if (performance.now() > deadline) throw new Error('a entrada não esvaziou')
    await sleep(5)
  }
}

/** Ends so many silences, with their rivals, at one moment; then each is judged. */
async function raceGroup(at: TwoInstances, cast: Cast, chats: Chat[], from: number): Promise<void> {
  const ids = chats.map(({ id }) => id)
  const isAtBoundary = random() < 0.25
  await setSilence(at.database, ids, isAtBoundary ? limitMs - random() * lookMs : limitMs + 60_000)
  const starts = await readStandings(at.database, ids)
  const all = chats.map((chat, index) => {
    const n = from + index
    const start = starts.get(chat.id)
    if (!start) throw new Error('a conversation is not there')
    const transfer = { by: cast.ana.id, to: cast.bruno.id }
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
  const closing = closeAll(at)
  const answers = await Promise.all(
    all.map(async ({ chat, round }) =>
      (await Promise.all(round.rivals.map((kind) => rival(at, cast, chat, round, kind)))).find(Boolean),
    ),
  )
  await closing
  await untilWorkedOff(at)
  const stood = await readStandings(at.database, ids)
  const others = await readOthers(at.database, ids)
  for (const [index, { round }] of all.entries()) {
    const one = stood.get(round.chatId)
    const seen = { stood: one, answer: answers[index], others: others.get(one?.contactId ?? 0) ?? [] }
    note(round, judgeRound(round, cast.texts, seen))
  }
}

function note({ rivals }: Round, verdict: ReturnType<typeof judgeRound>): void {
  if ('fault' in verdict) return void faults.push(verdict.fault)
  const name = rivals.join(' + ')
  const counts = endings.get(name) ?? new Map<string, number>()
  endings.set(name, counts)
  counts.set(verdict.name, (counts.get(verdict.name) ?? 0) + 1)
}

async function raceBatch(at: TwoInstances, cast: Cast, from: number, size: number): Promise<void> {
  const chats = await makeChats(at, from, size)
  await answerAll(cast.ana, chats)
  const stuck = await untilQuiet(at, { stuckAfterMs: 60_000 })
  if (stuck) throw new Error(`parado: ${stuck}`)
  await holdOutbox(at.database, true)
  for (let first = 0; first < size; first += groupSize)
    await raceGroup(at, cast, chats.slice(first, first + groupSize), from + first)
  await holdOutbox(at.database, false)
}

/** Who was first, the end or the others; a race that one of them never wins proves nothing. */
function tellWinners(): void {
  for (const [name, counts] of endings) {
    const all = [...counts].toSorted(([, a], [, b]) => b - a)
    for (const [ending, count] of all) say(`${name.padEnd(19)} ${String(count).padStart(5)} × ${ending}`)
    const sum = (some: typeof all) => some.reduce((total, [, count]) => total + count, 0)
    const [ended, kept] = [
      sum(all.filter(([ending]) => ending.startsWith('encerrada'))),
      sum(all.filter(([ending]) => !ending.startsWith('encerrada'))),
    ]
    say(`${name.padEnd(19)} o fim chegou primeiro ${ended} vezes, o outro lado ${kept}`)
    if (ended === 0 || kept === 0) faults.push(`${name}: um dos lados nunca chegou primeiro`)
  }
}

async function run(at: TwoInstances): Promise<boolean> {
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
  const startedAt = performance.now()
  const seconds = () => Math.round((performance.now() - startedAt) / 1000)
  for (let from = 0; from < rounds; from += batchSize) {
    const size = Math.min(batchSize, rounds - from)
    await raceBatch(at, { ana, bruno, texts }, from, size)
    say(`  ${from + size} rodadas em ${seconds()} s, ${faults.length} falhas`)
  }
  const stuck = await untilQuiet(at, { stuckAfterMs: 60_000 })
  if (stuck) faults.push(`parado: ${stuck}`)
  const goodbyes = await countGoodbyes(at, texts.inactivity)
  faults.push(...goodbyes.faults)
  tellWinners()
  say(
    `semente ${seed}: ${rounds} silêncios que acabam em duas instâncias; ${goodbyes.closed} encerrados, ` +
      `${goodbyes.received} despedidas nos celulares; ${seconds()} s`,
  )
  for (const fault of faults.slice(0, 20)) say(`  FALHA ${fault}`)
  say(faults.length === 0 ? 'Nenhum estado misto, nada depois do fim.' : `${faults.length} falhas`)
  return faults.length === 0
}

/** The instances' own looks would end a silence before its race. */
const never = 24 * 3_600_000
const at = await startTwoInstances({
  simulator: { seed, echoMs: 5, serverAckMs: 20, deliveryAckMs: 40 },
  jobTimes: { queueMs: never, silenceMs: never },
})
try {
  process.exitCode = (await run(at)) ? 0 : 1
} finally {
  await at.close()
}
