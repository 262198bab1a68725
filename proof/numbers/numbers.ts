import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import { addNumber } from '#server/testing/add-number.ts'
import { defineScenario, type Result } from '../support/scenario.ts'
import { checkEnd, startTwoInstances, type TwoInstances, untilQuiet } from '../support/two-instances.ts'
import { type Delays, noteDelay, quantile, slowTwentieth, watchConsole } from './delays.ts'
import { refusingUrl, setUrl, startHangingGateway } from './gateways.ts'

/** So long that the hanging number would take every lane that is not limited. */
const sendTimeoutMs = 10_000
/** The product's delays, with seconds instead of minutes. */
const outboxTimes = { leaseMs: 15_000, breakerMs: 1000, verifyMs: 500, absentMs: 2500, giveUpMs: 300_000 }
const tickMs = 50

interface Number {
  id: number
  name: string
}

interface Client {
  phoneId: string
  /** By the number's id. */
  conversations: Map<number, number>
}

/** What the run of a while has written, and how long it took to arrive. */
interface Run {
  written: Delays
  replied: Delays
}

/** The same people write to all numbers, so each has one contact and a conversation at every number. */
async function makeClients(at: TwoInstances, numbers: Number[], count: number): Promise<Client[]> {
  const { control } = at.simulator
  const phones = Array.from({ length: count }, (_, n) =>
    control.createPhone({ name: `Cliente ${n}`, number: `55119${String(60_000_000 + n)}` }),
  )
  for (const { name } of numbers)
    for (const { id } of phones) control.send(id, { kind: 'text', text: 'oi', instance: name })
  const left = await untilQuiet(at, { stuckAfterMs: 30_000 })
  if (left) throw new Error(`conversations were not opened: ${left}`)
  const found = await rows<{ id: number; instanceId: number; phone: string }>(
    at.database,
    sql`select c.id, c.instance_id as "instanceId", k.phone
          from conversations c join contacts k on k.id = c.contact_id`,
  )
  const byPhone = Map.groupBy(found, ({ phone }) => phone)
  return phones.map(({ id, number }) => ({
    phoneId: id,
    conversations: new Map(byPhone.get(number)?.map((row) => [row.instanceId, row.id])),
  }))
}

/** How many of an even rate are due in a tick. */
const dueIn = (tick: number, perSecond: number) =>
  Math.floor(((tick + 1) * perSecond * tickMs) / 1000) - Math.floor((tick * perSecond * tickMs) / 1000)

/**
 * Ten numbers with one team, the same clients at all of them, and two instances of the product. Clients
 * write to every number at an even rate, and one of `replyOneIn` messages is answered. The second time, the
 * gateway of one number takes calls and never answers, and that of another refuses them for half of the time.
 * Nothing may be lost or come twice, every answer leaves from the number that was written to, and the healthy
 * numbers must be about as fast as before.
 */
export const numbers = defineScenario({
  options: { numbers: 10, rate: 20, seconds: 20, clients: 60, replyOneIn: 5, slower: 2 },
  nightly: { rate: 4, seconds: 8, replyOneIn: 1 },

  async arrange({ options: { seed, numbers: count }, defer }) {
    const at = await startTwoInstances({
      gatewayTimes: { sendMs: sendTimeoutMs },
      outboxTimes,
      pacePerSecond: 1000,
      avatarTimes: 'never',
      simulator: { seed, echoMs: 5, serverAckMs: 20, deliveryAckMs: 40 },
    })
    defer(at.close)
    const all: Number[] = [{ id: at.instanceId, name: 'loja1' }]
    const [app] = at.apps
    for (let n = 2; app && n <= count; n++) {
      const name = `loja${n}`
      all.push({ id: await addNumber({ ...at, app }, name), name })
    }
    return { ...at, numbers: all }
  },

  async act(at, { options, random, print, seconds }) {
    const { control, url: healthyUrl } = at.simulator
    const person = await at.signIn('admin', 'ana')
    const clients = await makeClients(at, at.numbers, options.clients)
    const watched = await watchConsole(at.apps[0]?.url ?? '', person)
    const writtenAt = new Map<string, { number: number; atMs: number }>()
    const repliedAt = new Map<string, { number: number; atMs: number }>()
    const refused: string[] = []
    let sent = 0

    const writeOne = (run: string, { id: number, name }: Number) => {
      const client = clients[Math.floor(random() * clients.length)]
      if (!client) return undefined
      const text = `${run} ${++sent} a ${name}`
      writtenAt.set(text, { number, atMs: Date.now() })
      control.send(client.phoneId, { kind: 'text', text, instance: name })
      if (random() * options.replyOneIn >= 1) return undefined
      const content = `resposta a ${text}`
      repliedAt.set(content, { number, atMs: Date.now() })
      const path = `/api/conversations/${client.conversations.get(number)}/messages`
      return person
        .call(sent % 2, 'POST', path, {
          content,
          clientMessageId: `numbers-${sent}`,
        })
        .then(({ status }) => {
          if (status !== 201) refused.push(`«${content}» was refused: ${status}`)
        })
    }

    const write = async (run: string) => {
      const replies: Promise<void>[] = []
      const startedAt = performance.now()
      for (let tick = 0; tick < (options.seconds * 1000) / tickMs; tick++) {
        for (let due = dueIn(tick, options.rate); due > 0; due--)
          for (const number of at.numbers) replies.push(writeOne(run, number) ?? Promise.resolve())
        await sleep(Math.max(0, startedAt + (tick + 1) * tickMs - performance.now()))
      }
      const tookMs = performance.now() - startedAt
      await Promise.all(replies)
      const share = Math.round((options.seconds * 1e5) / tookMs)
      print(`  ${run}: ${sent} written after ${seconds()} s, at ${share} % of the rate`)
    }

    // Code that has not run yet is slow, and is no number's fault.
    await write('aquecendo')
    await untilQuiet(at, { stuckAfterMs: 60_000 })
    await write('antes')
    const before = await untilQuiet(at, { stuckAfterMs: 60_000 })
    const [hung, away] = at.numbers.slice(-2)
    const hanging = await startHangingGateway()
    await setUrl(at, hung?.id, hanging.url)
    await setUrl(at, away?.id, refusingUrl)
    const back = sleep(options.seconds * 500).then(() => setUrl(at, away?.id, healthyUrl))
    await write('durante')
    await back
    await setUrl(at, hung?.id, healthyUrl)
    await hanging.close()
    const after = await untilQuiet(at, {
      stuckAfterMs: 120_000,
      onProgress: () => undefined,
    })
    print(`  everything has arrived after ${seconds()} s`)
    watched.close()
    const runs = new Map<string, Run>(
      ['antes', 'durante'].map((run) => [run, { written: new Map(), replied: new Map() }]),
    )
    for (const [text, { number, atMs }] of writtenAt) {
      const toldAtMs = watched.toldAt.get(text)
      const run = runs.get(text.split(' ')[0] ?? '')
      if (run && toldAtMs !== undefined) noteDelay(run.written, number, toldAtMs - atMs)
    }
    for (const { text, at: receivedAt } of control.oracle().received) {
      const reply = repliedAt.get(text)
      const run = runs.get(text.replace('resposta a ', '').split(' ')[0] ?? '')
      if (run && reply) noteDelay(run.replied, reply.number, Date.parse(receivedAt) - reply.atMs)
    }
    return { writtenAt, repliedAt, refused, stuck: before ?? after, runs, clients: clients.length }
  },

  async check({ writtenAt, repliedAt, refused, stuck, runs, clients }, at, { options, print }) {
    const stored = await rows<{ content: string; instanceId: number; count: number }>(
      at.database,
      sql`select m.content, c.instance_id as "instanceId", count(*)::int as count
            from messages m join conversations c on c.id = m.conversation_id
           where m.message_type = 'text' group by 1, 2`,
    )
    const [people] = await rows<{ contacts: number; conversations: number }>(
      at.database,
      sql`select (select count(*)::int from contacts) as contacts,
                 (select count(*)::int from conversations) as conversations`,
    )
    const byText = Map.groupBy(stored, ({ content }) => content)
    const received = Map.groupBy(at.simulator.control.oracle().received, ({ text }) => text)
    const nameOf = new Map(at.numbers.map(({ id, name }) => [id, name]))
    const lost: string[] = []
    for (const [text, { number }] of [...writtenAt, ...repliedAt]) {
      const found = byText.get(text) ?? []
      const isOnce = found.length === 1 && found[0]?.count === 1 && found[0].instanceId === number
      if (!isOnce) lost.push(`«${text}» is stored as ${JSON.stringify(found)}`)
    }
    const astray: string[] = []
    for (const [text, { number }] of repliedAt) {
      const found = received.get(text) ?? []
      const isOnce = found.length === 1 && found[0]?.times === 1 && found[0].instance === nameOf.get(number)
      if (!isOnce)
        astray.push(`«${text}» came ${found.length} times, from ${found.map((one) => one.instance).join()}`)
    }
    const isOnePerson = people?.contacts === clients && people.conversations === clients * options.numbers
    return [
      { property: 'every reply is accepted', checked: repliedAt.size, faults: refused },
      { property: 'every message is stored once, at its number', checked: writtenAt.size, faults: lost },
      {
        property: 'every reply reaches its phone once, from its number',
        checked: repliedAt.size,
        faults: astray,
      },
      {
        property: 'a person at ten numbers is one contact with ten conversations',
        checked: clients,
        faults: isOnePerson ? [] : [JSON.stringify(people)],
      },
      ...compareRuns(at.numbers.slice(0, -2), runs, { slower: options.slower, print }),
      ...checkEnd(at, stuck),
    ]
  },
})

/** Of a machine that does other things as well. */
const slackMs = 250
/** A machine that is behind with healthy numbers alone says nothing of what sick ones cost. */
const keptUpMs = 3000

/** Compares what the healthy numbers waited while two were sick with what they waited before. */
function compareRuns(
  healthy: readonly Number[],
  runs: Map<string, Run>,
  { slower, print }: { slower: number; print: (line: string) => void },
): Result[] {
  const ids = healthy.map(({ id }) => id)
  const keepsUp = slowTwentieth(runs.get('antes')?.written ?? new Map<number, number[]>(), ids) <= keptUpMs
  if (!keepsUp) print('  this machine is behind with healthy numbers alone: sick ones are not compared')
  return (['written', 'replied'] as const).flatMap((what) => {
    const [before, during] = ['antes', 'durante'].map(
      (run) => runs.get(run)?.[what] ?? new Map<number, number[]>(),
    )
    if (!before || !during) return []
    const [usual, sick] = [slowTwentieth(before, ids), slowTwentieth(during, ids)]
    const each = ids.map((id) => quantile(during.get(id) ?? [], 0.95))
    const ratio = Math.round((sick / usual) * 100) / 100
    const figures = `p95 ${usual} ms before, ${sick} ms beside two sick numbers (ratio ${ratio})`
    print(`  ${what}: ${figures}; of each number ${each.join(', ')} ms`)
    const isSlower = !(sick <= usual * slower + slackMs)
    const isUneven = !(Math.max(...each) <= slower * quantile(each, 0.5) + slackMs)
    const even = {
      property: `what is ${what} is as fast at each healthy number`,
      checked: ids.length,
      faults: isUneven ? [`p95 ${each.join(', ')} ms`] : [],
    }
    if (!keepsUp) return [even]
    return [
      {
        property: `what is ${what} is no slower beside sick numbers`,
        checked: ids.length,
        faults: isSlower ? [figures] : [],
      },
      even,
    ]
  })
}
