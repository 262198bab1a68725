import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { inTransaction, rows } from '#server/platform/database/db.ts'
import { sideBySide } from '#server/platform/work/side-by-side.ts'
import { saveSettings } from '#server/settings/settings.ts'
import type { Random } from '#simulator/random.ts'
import { quantile } from '../support/latencies.ts'
import { defineScenario, type Result } from '../support/scenario.ts'
import {
  checkEnd,
  type Person,
  startTwoInstances,
  type TwoInstances,
  untilQuiet,
} from '../support/two-instances.ts'

const mostMs = 1000
/** A text may be claimed while the answer is being written. */
const slackMs = 300
const never = 86_400_000

/** A client: a phone of the simulator. */
interface Client {
  phoneId: string
  number: string
}

interface Ground {
  at: TwoInstances
  ana: Person
  random: Random
}

/** What a run has seen. */
interface Observed {
  /** From the call of a reply until the phone has it, in milliseconds. */
  delays: number[]
  clients: Client[]
  stuck: string | undefined
}

let made = 0
function newClient({ at }: Ground): Client {
  const number = `55119${String(10_000_000 + ++made)}`
  return { number, phoneId: at.simulator.control.createPhone({ name: `Cliente ${made}`, number }).id }
}

const receivedBy = ({ at }: Ground, { phoneId }: Client): string[] =>
  at.simulator.control
    .chat(phoneId, 10_000)
    .filter(({ from }) => from === 'company')
    .map(({ text }) => text)

async function until(isTrue: () => boolean | Promise<boolean>, pauseMs = 3): Promise<void> {
  for (let tries = 0; !(await isTrue()); tries++) {
    if (tries * pauseMs > 120_000) throw new Error('never came true')
    await sleep(pauseMs)
  }
}

/** The client's open conversation. */
async function openOf(
  { at }: Ground,
  { number }: Client,
): Promise<{ id: number; protocol: string } | undefined> {
  const [row] = await rows<{ id: number; protocol: string }>(
    at.database,
    sql`select v.id, v.protocol from conversations v join contacts k on k.id = v.contact_id
         where k.phone = ${number} and v.status <> 'completed' order by v.id desc limit 1`,
  )
  return row
}

/** Replies while the automatic texts of all clients wait. @returns the delays, in milliseconds */
async function replyInTheFlood(ground: Ground, waiting: number, replies: number): Promise<number[]> {
  const { at, ana, random } = ground
  const clients = Array.from({ length: waiting }, () => newClient(ground))
  for (const { phoneId } of clients) at.simulator.control.sendText(phoneId, 'oi')
  await until(async () => {
    const [row] = await rows<{ n: number }>(at.database, sql`select count(*)::int as n from outbox`)
    return (row?.n ?? 0) >= waiting
  }, 100)
  const delays: number[] = []
  const last = clients.slice(-replies)
  await sideBySide(last, 3, async (client) => {
    await sleep(random() * 1000)
    const talk = await openOf(ground, client)
    if (!talk) throw new Error('a client has no conversation')
    const content = `R [${talk.protocol}]`
    const startedAt = performance.now()
    await ana.call(0, 'POST', `/api/conversations/${talk.id}/messages`, { content })
    await until(() => receivedBy(ground, client).includes(content))
    delays.push(performance.now() - startedAt)
  })
  return delays
}

/** What may happen to a client, and how often. */
const steps = ['write', 'write', 'write', 'reply', 'reply', 'finalize', 'return'] as const

async function live(ground: Ground, client: Client): Promise<void> {
  const { at, ana, random } = ground
  const length = 5 + Math.floor(random() * 6)
  at.simulator.control.sendText(client.phoneId, 'oi')
  for (let n = 0; n < length; n++) {
    // Some acts follow each other at once, others when the texts before them have left.
    await sleep(random() < 0.5 ? 0 : random() * 200)
    const step = steps[Math.floor(random() * steps.length)]
    if (step === 'write') {
      at.simulator.control.sendText(client.phoneId, `e então ${n}`)
      continue
    }
    const talk = await openOf(ground, client)
    if (!talk) continue
    const path = `/api/conversations/${talk.id}`
    const instance = n % 2
    if (step === 'reply')
      await ana.call(instance, 'POST', `${path}/messages`, { content: `R [${talk.protocol}]` })
    else if (step === 'finalize') await ana.call(instance, 'POST', `${path}/finalize`, {})
    else await ana.call(instance, 'PATCH', `${path}/assign-operator`, { operatorId: null })
  }
}

/** The faults in what a phone has received, beside what was decided for it. */
async function faultsOf(ground: Ground, client: Client): Promise<string[]> {
  const decided = await rows<{ content: string }>(
    ground.at.database,
    sql`select m.content from outbox o join messages m on m.id = o.message_id
          join conversations v on v.id = o.conversation_id join contacts k on k.id = v.contact_id
         where k.phone = ${client.number} and o.state = 'sent' order by o.id`,
  )
  const received = receivedBy(ground, client)
  const wanted = decided.map(({ content }) => content)
  if (received.join('\n') === wanted.join('\n')) return []
  return [`${client.number} received ${received.join(', ')}; decided was ${wanted.join(', ')}`]
}

/** Texts of the queue whose first attempt began after an answer, or the end, had been written. */
async function findObsolete({ at }: Ground): Promise<string[]> {
  const found = await rows<{ content: string; ms: number }>(
    at.database,
    sql`select m.content, extract(epoch from o.first_attempt_at - answered.at) * 1000 as ms
          from outbox o join messages m on m.id = o.message_id
          cross join lateral (
            select min(r.created_at) as at from messages r
             where r.conversation_id = o.conversation_id
               and (r.sender_id is not null or r.metadata ->> 'text' = 'finalizationMessage')) answered
         where m.metadata ->> 'text' = 'queueMessage' and o.state = 'sent'
           and o.first_attempt_at > answered.at + ${slackMs} * interval '1 millisecond'`,
  )
  return found.map(({ content, ms }) => `${content}: begun ${ms} ms after the answer`)
}

/**
 * Five hundred automatic texts wait at one a second, and people answer some of those clients: each answer
 * arrives within a second. Then clients write, are answered, finalized and returned to the queue at random,
 * while the texts leave as fast as they can: each phone receives what was decided, in that order, over its
 * conversations, and no text of the queue is begun to be sent after an answer.
 */
export const order = defineScenario({
  options: { waiting: 500, replies: 60, histories: 1000 },
  nightly: { histories: 300 },

  async arrange({ defer, random }): Promise<Ground> {
    const at = await startTwoInstances({
      jobTimes: { queueMs: never, inactivityMs: never, scheduledMs: never },
      avatarTimes: 'never',
      backgroundJobs: 'never',
      notices: 'never',
      simulator: { serverAckMs: 5, deliveryAckMs: 10, echoMs: 2 },
    })
    defer(at.close)
    await saveSettings(at.database, {
      workingHours: { start: '00:00', end: '00:00', days: [0, 1, 2, 3, 4, 5, 6] },
      lunchBreak: { enabled: false, start: '12:00', end: '13:00' },
      queueMessage: 'Fila {{position}} [{{protocol}}]',
      finalizationMessage: 'Fim [{{protocol}}]',
      undoSendSeconds: 0,
    })
    return { at, ana: await at.signIn('admin', 'ana'), random }
  },

  async act(ground, { options: { waiting, replies, histories }, print }): Promise<Observed> {
    const delays = await replyInTheFlood(ground, waiting, replies)
    const of = (part: number) => quantile(delays, part).toFixed(0)
    print(`  ${replies} answers beside ${waiting} texts: p50 ${of(0.5)}, p95 ${of(0.95)}, max ${of(1)} ms`)
    let isOver = false
    const hurrying = (async () => {
      while (!isOver) {
        await inTransaction(ground.at.database, async (db) => {
          await db.execute(sql`update evolution_api_config set next_automatic_at = now()`)
          db.signal('outbox')
        })
        await sleep(15)
      }
    })()
    const clients = Array.from({ length: histories }, () => newClient(ground))
    await sideBySide(clients, 8, (client) => live(ground, client))
    const stuck = await untilQuiet(ground.at, { stuckAfterMs: 30_000 })
    isOver = true
    await hurrying
    return { delays, clients, stuck }
  },

  async check({ delays, clients, stuck }, ground): Promise<Result[]> {
    const faults: string[] = []
    for (const client of clients) faults.push(...(await faultsOf(ground, client)))
    const p95 = quantile(delays, 0.95)
    return [
      {
        property: `an answer arrives within ${mostMs} ms, 95 of 100`,
        checked: delays.length,
        faults: p95 <= mostMs ? [] : [`p95 ${p95.toFixed(0)} ms`],
      },
      {
        property: 'each phone receives what was decided for it, in that order',
        checked: clients.length,
        faults,
      },
      {
        property: 'no text of the queue is begun to be sent after an answer',
        checked: clients.length,
        faults: await findObsolete(ground),
      },
      ...checkEnd(ground.at, stuck),
    ]
  },
})
