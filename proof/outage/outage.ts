import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import type { Random } from '#simulator/random.ts'
import { compare, readStored } from '../healing/clients.ts'
import { defineScenario, type Result } from '../support/scenario.ts'
import {
  advanceClock,
  type Chat,
  eachOf,
  makeChats,
  type Person,
  startTwoInstances,
  type TwoInstances,
  checkEnd,
  untilQuiet,
} from '../support/two-instances.ts'

const setGatewayUrl = (at: TwoInstances, url: string) =>
  at.database.execute(sql`update evolution_api_config set base_url = ${url}`)

interface Replies {
  chats: Chat[]
  from: number
  to: number
  seed: number
  random: Random
  faults: string[]
}

/** @returns the 99th percentile of the calls, in milliseconds */
async function reply(person: Person, { chats, from, to, seed, random, faults }: Replies): Promise<number> {
  const took: number[] = []
  const numbers = Array.from({ length: to - from }, (_, n) => from + n)
  await eachOf(numbers, 6, async (n) => {
    const chat = chats[Math.floor(random() * chats.length)]
    const startedAt = performance.now()
    const sent = { content: `na queda ${n} (${seed})`, clientMessageId: `outage-${seed}-${n}` }
    const { status } = await person.call(n % 2, 'POST', `/api/conversations/${chat?.id}/messages`, sent)
    took.push(performance.now() - startedAt)
    if (status !== 201) faults.push(`reply ${n} was refused: ${status}`)
  })
  return Math.round(took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.99)] ?? 0)
}

interface Outgoing extends Record<string, unknown> {
  conversationId: number
  content: string
  status: string
  priority: number
}

const readOutgoing = (at: TwoInstances) =>
  rows<Outgoing>(
    at.database,
    sql`select m.conversation_id as "conversationId", m.content, m.delivery_status as status, o.priority
          from messages m join outbox o on o.message_id = m.id order by m.conversation_id, m.sort_at, m.id`,
  )

/** Lets the gateway receive, when it is back, what clients have written in the hour. */
function receiveLate(at: TwoInstances, chats: Chat[], count: number, startedAt: number): void {
  const { control } = at.simulator
  for (let n = 0; n < count; n++) {
    const written = new Date(startedAt + 5000 + (n * 57 * 60_000) / count).toISOString()
    control.send(chats[n % chats.length]?.phoneId ?? '', { kind: 'text', text: `na queda ${n}`, at: written })
  }
}

/** The most receipts within a second. */
function busiestSecond(instants: number[]): number {
  const sorted = instants.toSorted((a, b) => a - b)
  let most = 0
  for (let from = 0, to = 0; to < sorted.length; to++) {
    while ((sorted[to] ?? 0) - (sorted[from] ?? 0) >= 1000) from++
    most = Math.max(most, to - from + 1)
  }
  return most
}

/** How long an answer may take that the next message of the same conversation waits for. */
const answerMs = 3000

/**
 * Counts people's messages that had nothing to wait for but the pace when the first automatic text went: the
 * one before them in their conversation had been answered.
 */
function countOvertaken(
  phones: readonly { text: string; at: string }[][],
  isAutomatic: ReadonlySet<string>,
): number {
  const automatic = phones.flat().filter(({ text }) => isAutomatic.has(text))
  const firstMs = Math.min(...automatic.map(({ at }) => Date.parse(at)))
  return phones
    .flatMap((own) => own.map(({ text, at }, n) => ({ text, at, before: own[n - 1]?.at })))
    .filter(({ text, at }) => !isAutomatic.has(text) && Date.parse(at) > firstMs)
    .filter(({ before }) => before === undefined || Date.parse(before) < firstMs - answerMs).length
}

/** Compares phones and conversations, and checks the rate at which the phones received. */
function checkArrival(
  stored: Outgoing[],
  at: TwoInstances,
  { backAt, pace, print }: { backAt: number; pace: number; print: (line: string) => void },
): Result[] {
  const received = at.simulator.control.oracle().received.toSorted((a, b) => a.seq - b.seq)
  const phones = Map.groupBy(received, (entry) => entry.phone)
  const got = [...phones.values()].map((entries) => entries.map((entry) => entry.text).join('\n'))
  const conversations = Map.groupBy(stored, (row) => row.conversationId)
  const wanted = [...conversations.values()].map((own) => own.map((row) => row.content).join('\n'))
  const isSame = JSON.stringify(got.toSorted()) === JSON.stringify(wanted.toSorted())
  const isAutomatic = new Set(stored.filter((row) => row.priority > 0).map((row) => row.content))
  const instants = (automatically: boolean) =>
    received
      .filter((entry) => isAutomatic.has(entry.text) === automatically)
      .map((entry) => Date.parse(entry.at))
  const [people, machine] = [instants(false), instants(true)]
  const seconds = (ms: number) => Math.round(ms / 1000)
  const lastMs = Math.max(...people) - backAt
  // The breaker's last pause, and a fifth more than the rate limit requires.
  const limitMs = (people.length / pace) * 1200 + 25_000
  const lines = [
    `people: ${people.length} within ${seconds(lastMs)} s (limit ${seconds(limitMs)} s), ` +
      `at most ${busiestSecond(people)} in a second (pace ${pace}/s)`,
    `automatic: ${machine.length} within ${seconds(Math.max(...machine) - backAt)} s, ` +
      `at most ${busiestSecond(machine)} in a second`,
  ]
  lines.forEach(print)
  const overtaken = countOvertaken([...phones.values()], isAutomatic)
  const faultIf = (isFault: boolean, line: string) => (isFault ? [line] : [])
  return [
    {
      property: 'phones have the same as the conversations, in the same order',
      checked: conversations.size,
      faults: faultIf(!isSame, `${got.length} phones and ${wanted.length} conversations differ`),
    },
    {
      property: 'everything is delivered',
      checked: stored.length,
      faults: stored
        .filter(({ status }) => status !== 'delivered')
        .map(({ status, content }) => `${status}: «${content}»`),
    },
    {
      property: 'the last one comes within the time of the pace',
      checked: people.length,
      faults: faultIf(!(lastMs <= limitMs), lines[0] ?? ''),
    },
    {
      property: "people's messages go first",
      checked: people.length,
      faults: faultIf(overtaken > 0, `${overtaken} waited while an automatic text went`),
    },
    {
      property: 'phones are not flooded',
      checked: people.length,
      faults: faultIf(busiestSecond(people) > pace * 1.5 + 2, lines[0] ?? ''),
    },
    {
      property: 'automatic texts leave about one a second',
      checked: machine.length,
      faults: faultIf(busiestSecond(machine) > 3, lines[1] ?? ''),
    },
  ]
}

/**
 * The gateway accepts no connection for an hour of the product's clock, while operators continue to reply on
 * two instances. Afterwards everything must arrive once, in the order of its conversation and within the rate
 * limit, automatic texts about one a second and after people's messages. What clients wrote in that hour
 * comes then as well. Meanwhile nothing may fail and no conversation may be closed.
 */
export const outage = defineScenario({
  options: { sends: 5000, incoming: 2000, chats: 500, automatic: 30, pace: 50 },
  nightly: { sends: 1000, incoming: 400, chats: 100 },

  async arrange({ options: { pace, seed }, defer }) {
    const at = await startTwoInstances({
      pacePerSecond: pace,
      simulator: { seed, echoMs: 5, serverAckMs: 20, deliveryAckMs: 40 },
    })
    defer(at.close)
    return at
  },

  async act(at, { options, random, print }) {
    const { sends: count, automatic, seed } = options
    const startedAt = Date.now()
    const refused: string[] = []
    const failed: string[] = []
    const person = await at.signIn('admin', 'ana')
    const all = await makeChats(at, 0, Math.min(options.chats, count) + automatic)
    const [leaving, chats] = [all.slice(0, automatic), all.slice(automatic)]
    await setGatewayUrl(at, 'http://127.0.0.1:1')
    await eachOf(leaving, 4, async (chat, n) => {
      await person.call(n % 2, 'POST', `/api/conversations/${chat.id}/finalize`, {})
    })
    const p99 = []
    for (let step = 0; step < 4; step++) {
      const [from, to] = [Math.round((count * step) / 4), Math.round((count * (step + 1)) / 4)]
      p99.push(await reply(person, { chats, from, to, seed, random, faults: refused }))
      await advanceClock(at, 15 * (step + 1))
      // Meanwhile the breaker opens, tries, and opens again.
      await sleep(2000)
    }
    const waiting = Map.groupBy(await readOutgoing(at), (row) => row.status)
    const counts = [...waiting].map(([status, found]) => `${found.length} ${status}`).join(', ')
    print(`  after an hour away: ${counts}; p99 ${p99.join(', ')} ms`)
    for (const status of waiting.keys())
      if (!['pending', 'sending'].includes(status)) failed.push(`a message became ${status}`)
    const [closed] = await rows<{ n: number }>(
      at.database,
      sql`select count(*)::int as n from conversations where status = 'completed'`,
    )
    const wronglyClosed =
      closed?.n === automatic ? [] : [`${closed?.n} conversations completed instead of ${automatic}`]
    const backAt = Date.now()
    await setGatewayUrl(at, at.simulator.url)
    receiveLate(at, chats, options.incoming, startedAt)
    const stuck = await untilQuiet(at, { stuckAfterMs: 60_000 })
    return { refused, failed, wronglyClosed, stuck, backAt }
  },

  async check({ refused, failed, wronglyClosed, stuck, backAt }, at, { options, print }) {
    const { pace, sends, automatic } = options
    return [
      { property: 'every reply is accepted during the outage', checked: sends, faults: refused },
      { property: 'nothing fails during the outage', checked: sends, faults: failed },
      { property: 'nothing else is closed', checked: automatic, faults: wronglyClosed },
      ...checkEnd(at, stuck),
      ...compare(at, at.simulator.control.phones(), await readStored(at), 'of what clients wrote'),
      ...checkArrival(await readOutgoing(at), at, { backAt, pace, print }),
    ]
  },
})
