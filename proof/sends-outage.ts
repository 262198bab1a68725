import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/db.ts'
import { createRandom } from '#simulator/random.ts'
import { readOptions, say } from './command.ts'
import {
  type Chat,
  eachOf,
  makeChats,
  type Person,
  startTwoInstances,
  type TwoInstances,
  untilQuiet,
} from './sends/two-instances.ts'

/**
 * `npm run outage -- --sends 5000 --pace 50 --seed 7`: for an hour of the product's clock the gateway takes no connection.
 * Operators go on writing, at two instances. When it is back, everything must arrive once and in the order of its
 * conversation, at the pace that is set and not faster, automatic texts about one a second, and the last one within the
 * time that the pace allows; nothing may have failed or been closed meanwhile.
 */
const asked = readOptions({ sends: 5000, chats: 500, automatic: 30, pace: 50 })
const { sends: count, pace, seed, automatic } = asked
const random = createRandom(seed)
const faults: string[] = []

/** The product's clock runs ahead by so many minutes, for every session. */
const turnClock = (at: TwoInstances, minutes: number) =>
  at.database.execute(
    sql.raw(`create or replace function app_now() returns timestamptz language sql stable parallel safe as
             $$ select now() + interval '${minutes} minutes' $$`),
  )

const reach = (at: TwoInstances, url: string) =>
  at.database.execute(sql`update evolution_api_config set base_url = ${url}`)

async function write(person: Person, chats: Chat[], from: number, to: number): Promise<number> {
  const took: number[] = []
  const numbers = Array.from({ length: to - from }, (_, n) => from + n)
  await eachOf(numbers, 6, async (n) => {
    const chat = chats[Math.floor(random() * chats.length)]
    const startedAt = performance.now()
    const sent = { content: `na queda ${n} (${seed})`, clientMessageId: `outage-${seed}-${n}` }
    const { status } = await person.call(n % 2, 'POST', `/api/conversations/${chat?.id}/messages`, sent)
    took.push(performance.now() - startedAt)
    if (status !== 201) faults.push(`resposta ${n} não aceita: ${status}`)
  })
  return Math.round(took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.99)] ?? 0)
}

interface Ours extends Record<string, unknown> {
  conversationId: number
  content: string
  status: string
  priority: number
}

const ours = (at: TwoInstances) =>
  rows<Ours>(
    at.database,
    sql`select m.conversation_id as "conversationId", m.content, m.delivery_status as status, o.priority
          from messages m join outbox o on o.message_id = m.id order by m.conversation_id, m.sort_at, m.id`,
  )

/** The most that came within any second. */
function busiest(instants: number[]): number {
  const sorted = instants.toSorted((a, b) => a - b)
  let most = 0
  for (let from = 0, to = 0; to < sorted.length; to++) {
    while ((sorted[to] ?? 0) - (sorted[from] ?? 0) >= 1000) from++
    most = Math.max(most, to - from + 1)
  }
  return most
}

async function suffer(at: TwoInstances): Promise<void> {
  const person = await at.signIn('admin', 'ana')
  const all = await makeChats(at, 0, Math.min(asked.chats, count) + automatic)
  const [leaving, chats] = [all.slice(0, automatic), all.slice(automatic)]
  await reach(at, 'http://127.0.0.1:1')
  await eachOf(leaving, 4, async (chat, n) => {
    await person.call(n % 2, 'POST', `/api/conversations/${chat.id}/finalize`, {})
  })
  const p99 = []
  for (let step = 0; step < 4; step++) {
    p99.push(await write(person, chats, Math.round((count * step) / 4), Math.round((count * (step + 1)) / 4)))
    await turnClock(at, 15 * (step + 1))
    // The breaker opens, tries and opens again meanwhile.
    await sleep(2000)
  }
  const waiting = Map.groupBy(await ours(at), (row) => row.status)
  say(
    `  uma hora fora: ${[...waiting].map(([status, found]) => `${found.length} ${status}`).join(', ')}; p99 ${p99.join(', ')} ms`,
  )
  for (const status of waiting.keys())
    if (!['pending', 'sending'].includes(status)) faults.push(`na queda uma mensagem ficou ${status}`)
  const [closed] = await rows<{ n: number }>(
    at.database,
    sql`select count(*)::int as n from conversations where status = 'completed'`,
  )
  if (closed?.n !== automatic) faults.push(`${closed?.n} conversas finalizadas em vez de ${automatic}`)
}

function judge(stored: Ours[], at: TwoInstances, backAt: number): void {
  const received = at.simulator.control.oracle().received.toSorted((a, b) => a.seq - b.seq)
  const phones = Map.groupBy(received, (entry) => entry.phone)
  const got = [...phones.values()].map((entries) => entries.map((entry) => entry.text).join('\n'))
  const conversations = Map.groupBy(stored, (row) => row.conversationId)
  const wanted = [...conversations.values()].map((own) => own.map((row) => row.content).join('\n'))
  if (JSON.stringify(got.toSorted()) !== JSON.stringify(wanted.toSorted()))
    faults.push('os celulares não têm o mesmo, na mesma ordem, que as conversas')
  for (const row of stored)
    if (row.status !== 'delivered') faults.push(`ficou ${row.status}: «${row.content}»`)
  const isAutomatic = new Set(stored.filter((row) => row.priority > 0).map((row) => row.content))
  const instants = (automatically: boolean) =>
    received
      .filter((entry) => isAutomatic.has(entry.text) === automatically)
      .map((entry) => Date.parse(entry.at))
  const [people, machine] = [instants(false), instants(true)]
  const seconds = (ms: number) => Math.round(ms / 1000)
  const lastMs = Math.max(...people) - backAt
  // The breaker's last pause, and a fifth more than the pace needs.
  const boundMs = (people.length / pace) * 1200 + 25_000
  say(
    `pessoas: ${people.length} em ${seconds(lastMs)} s (limite ${seconds(boundMs)} s), no máximo ${busiest(people)} num segundo (ritmo ${pace}/s)`,
  )
  say(
    `automáticas: ${machine.length} em ${seconds(Math.max(...machine) - backAt)} s, no máximo ${busiest(machine)} num segundo`,
  )
  if (lastMs > boundMs) faults.push('a última esperou mais do que o ritmo pede')
  if (busiest(people) > pace * 1.5 + 2) faults.push('o celular foi inundado')
  if (busiest(machine) > 3) faults.push('os textos automáticos saíram depressa demais')
}

const at = await startTwoInstances({
  pacePerSecond: pace,
  simulator: { seed, echoMs: 5, serverAckMs: 20, deliveryAckMs: 40 },
})
try {
  await suffer(at)
  const backAt = Date.now()
  await reach(at, at.simulator.url)
  const stuck = await untilQuiet(at, { stuckAfterMs: 60_000 })
  if (stuck) faults.push(`parado: ${stuck}`)
  judge(await ours(at), at, backAt)
  for (const fault of faults.slice(0, 20)) say(`  FALHA ${fault}`)
  say(`semente ${seed}: ${count} respostas e ${automatic} textos automáticos; ${faults.length} falhas`)
  process.exitCode = faults.length === 0 ? 0 : 1
} finally {
  await at.close()
}
