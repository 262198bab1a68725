import type { Random } from '#simulator/random.ts'
import { defineScenario } from '../support/scenario.ts'
import {
  type Act,
  type Actor,
  isSerial,
  type Kind,
  kinds,
  type Outcome,
  type State,
  type Texts,
} from './model.ts'
import { raceRepeats } from './repeats.ts'
import { holdOutbox, hurryAutomaticTexts, readSent, readStates } from './stored.ts'
import { startWitness, type Witness } from './witness.ts'
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

interface Round {
  n: number
  chat: Chat
  start: State
  acts: [Act, Act]
  people: [Person, Person]
  outcomes?: [Outcome, Outcome]
}

const batchSize = 500
const pairs = kinds.flatMap((first) => kinds.map((second): [Kind, Kind] => [first, second]))

/** The people and texts of a run, and the results so far. */
interface Races {
  at: TwoInstances
  people: Person[]
  texts: Texts
  random: Random
  seed: number
  /** The number of each pair of outcomes, by pair of acts. */
  counts: Map<string, Map<string, number>>
  faults: string[]
}

const actorOf = (person: Person): Actor => ({ id: person.id, name: person.username })
const pick = <Item>(items: readonly Item[], random: Random): Item =>
  items[Math.floor(random() * items.length)] as Item

async function perform(person: Person, instance: number, chat: Chat, act: Act): Promise<Outcome> {
  const base = `/api/conversations/${chat.id}`
  const version = act.version === undefined ? {} : { version: act.version }
  const calls: Record<Kind, [string, string, unknown]> = {
    finalize: ['POST', `${base}/finalize`, version],
    transfer: ['POST', `${base}/transfer`, { newOperatorId: act.to.id, ...version }],
    take: ['PATCH', `${base}/assign-operator`, { operatorId: act.who.id, ...version }],
    give: ['PATCH', `${base}/assign-operator`, { operatorId: act.to.id, ...version }],
    back: ['PATCH', `${base}/assign-operator`, { operatorId: null, ...version }],
    reply: ['POST', `${base}/messages`, { content: act.text }],
    delete: ['DELETE', base, undefined],
  }
  const { status, body } = await person.call<{ code?: string } | undefined>(instance, ...calls[act.kind])
  return status < 300 ? String(act.kind === 'delete' ? 200 : status) : `${status} ${body?.code}`
}

/** Assigns some conversations first, to one of the two or to a third person. */
async function prepare({ at, people, random, seed }: Races, chats: Chat[], from: number): Promise<Round[]> {
  const drafts = chats.map((chat, index) => {
    const n = from + index
    const kindPair = pairs[n % pairs.length] as [Kind, Kind]
    const [first, second, third] = people.toSorted(() => random() - 0.5) as [Person, Person, Person]
    const holder = pick([undefined, first, second, third], random)
    return { n, chat, kindPair, pair: [first, second] as [Person, Person], third, holder }
  })
  await eachOf(drafts, 8, async ({ chat, holder }, index) => {
    if (!holder) return
    const path = `/api/conversations/${chat.id}/assign-operator`
    await holder.call(index % 2, 'PATCH', path, { operatorId: holder.id })
  })
  const states = await readStates(
    at,
    chats.map((chat) => chat.id),
  )
  return drafts.map(({ n, chat, kindPair, pair, third }) => {
    const start = states.get(chat.id)
    if (!start) throw new Error('a conversation is not there')
    const acts = kindPair.map((kind, side): Act => {
      const who = actorOf(pair[side] as Person)
      const to = actorOf(pick([third, pair[1 - side] as Person], random))
      const version = random() < 0.4 ? start.version : undefined
      return { kind, who, to, text: `texto ${n}.${side} (${seed})`, version }
    }) as [Act, Act]
    return { n, chat, start, acts, people: pair }
  })
}

/** @param from the number of the first round */
async function race(races: Races, from: number, size: number): Promise<void> {
  const { at, random } = races
  const chats = await makeChats(at, from, size)
  await holdOutbox(at, true)
  const all = await prepare(races, chats, from)
  await eachOf(all, 6, async (round) => {
    const { chat, acts, people: pair } = round
    // Neither instance may always be called first.
    const [one, two] = random() < 0.5 ? [0, 1] : [1, 0]
    round.outcomes = await Promise.all([
      perform(pair[0], one, chat, acts[0]),
      perform(pair[1], two, chat, acts[1]),
    ])
  })
  const states = await readStates(
    at,
    chats.map((chat) => chat.id),
  )
  for (const round of all) checkRound(races, round, states.get(round.chat.id))
  await holdOutbox(at, false)
}

function checkRound(
  { counts, faults, texts }: Races,
  { n, start, acts, outcomes }: Round,
  state: State | undefined,
): void {
  if (!outcomes) throw new Error('a round was not run')
  const name = acts.map((act) => act.kind).join(' + ')
  const byOutcome = counts.get(name) ?? new Map<string, number>()
  counts.set(name, byOutcome)
  const key = outcomes.join(' | ')
  byOutcome.set(key, (byOutcome.get(key) ?? 0) + 1)
  const seen = { outcomes, state: state ?? { ...start, isDeleted: true } }
  if (isSerial(start, acts, texts, seen)) return
  faults.push(`round ${n}, ${name}: ${key}; ${JSON.stringify({ start, acts, state })}`)
}

/** Checks that sent messages have the same order in the database, on the phones and on both sockets. */
async function checkOrder(
  at: TwoInstances,
  chats: Map<number, string>,
  witnesses: Witness[],
): Promise<{ count: number; faults: string[] }> {
  const faults: string[] = []
  const stored = Map.groupBy(await readSent(at), (row) => row.conversationId)
  const received = Map.groupBy(
    at.simulator.control.oracle().received.toSorted((a, b) => a.seq - b.seq),
    (entry) => entry.phone,
  )
  let count = 0
  for (const [conversationId, own] of stored) {
    count += own.length
    const phone = (received.get(chats.get(conversationId) ?? '') ?? []).map((entry) => entry.text)
    const texts = own.map((row) => row.content)
    if (JSON.stringify(texts) !== JSON.stringify(phone))
      faults.push(
        `on the phone, conversation ${conversationId}: ${texts.join(' / ')} and ${phone.join(' / ')}`,
      )
    const ids = JSON.stringify(own.map((row) => row.id))
    for (const [side, { order }] of witnesses.entries())
      if (JSON.stringify(order.get(conversationId)) !== ids)
        faults.push(
          `on socket ${side + 1}, conversation ${conversationId}: ${ids} and ` +
            JSON.stringify(order.get(conversationId)),
        )
  }
  for (const [side, { troubles }] of witnesses.entries())
    for (const trouble of troubles) faults.push(`socket ${side + 1}: ${trouble}`)
  return { count, faults }
}

/** The phone of each conversation. */
async function readPhones(at: TwoInstances): Promise<Map<number, string>> {
  const states = await at.database.query.conversations.findMany({ columns: { id: true, contactId: true } })
  const contacts = await at.database.query.contacts.findMany({ columns: { id: true, phone: true } })
  const phones = new Map(at.simulator.control.phones().map((phone) => [phone.number, phone.id]))
  const byContact = new Map(contacts.map((one) => [one.id, phones.get(one.phone ?? '') ?? '']))
  return new Map(states.map((one) => [one.id, byContact.get(one.contactId) ?? '']))
}

async function startRaces(at: TwoInstances, random: Random, seed: number): Promise<Races> {
  const people = await Promise.all(['ana', 'bruno', 'carla', 'dora'].map((name) => at.signIn('admin', name)))
  const [ana] = people as [Person]
  await hurryAutomaticTexts(at)
  const settings = await ana.call<{ transferMessage: string; finalizationMessage: string }>(
    0,
    'GET',
    '/api/system-settings',
  )
  const texts: Texts = {
    transfer: (to) => settings.body.transferMessage.replace('{{operator}}', to.name),
    finalization: settings.body.finalizationMessage,
  }
  return { at, people, texts, random, seed, counts: new Map(), faults: [] }
}

/**
 * Two people act on one conversation at the same time, each through another instance: every ordered pair of
 * acts, on conversations that are unassigned, assigned to one of the two, or to a third person. Answers and
 * state must equal those of one of the two orders, including version and audit trail, and sent messages must
 * have the same order in the database, on the phone and on a socket of each instance. In as many further
 * rounds, one reply is posted two to five times at once and must become one message.
 */
export const races = defineScenario({
  options: { rounds: 10_000 },
  nightly: { rounds: 1000 },

  async arrange({ options: { seed }, defer, random }) {
    const at = await startTwoInstances({
      simulator: { seed, echoMs: 5, serverAckMs: 20, deliveryAckMs: 40 },
      // It would let the outbox go on that is held while states are compared.
      clockCorrectionMs: 'never',
    })
    defer(at.close)
    return startRaces(at, random, seed)
  },

  async act(all, { options: { rounds, seed }, random, print, seconds }) {
    const { at, people, faults } = all
    const [ana] = people as [Person]
    const witnesses = await Promise.all(at.apps.map((app) => startWitness(app.url, ana.token)))
    for (let from = 0; from < rounds; from += batchSize) {
      await race(all, from, Math.min(batchSize, rounds - from))
      const done = Math.min(rounds, from + batchSize)
      print(`  ${done} rounds in ${seconds()} s, ${faults.length} faults`)
    }
    const repeats = await raceRepeats(at, people, { rounds, from: rounds, random, seed })
    const stuck = await untilQuiet(at, { stuckAfterMs: 60_000 })
    return { witnesses, repeats, stuck }
  },

  async check({ witnesses, repeats, stuck }, { at, counts, faults }, { options: { rounds }, print }) {
    const order = await checkOrder(at, await readPhones(at), witnesses)
    for (const witness of witnesses) witness.close()
    for (const [name, outcomes] of counts)
      print(`${name.padEnd(22)} ${[...outcomes].map(([key, n]) => `${n} × (${key})`).join(', ')}`)
    return [
      { property: 'what is left is what one order of the acts leaves', checked: rounds, faults },
      {
        property: 'a reply posted several times at once is one message',
        checked: repeats.posts,
        faults: repeats.faults,
      },
      { property: 'our messages have one order everywhere', checked: order.count, faults: order.faults },
      ...checkEnd(at, stuck),
    ]
  },
})
