import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import type { SendAnswer } from '#simulator/control-api.ts'
import type { Random } from '#simulator/random.ts'
import { defineScenario, type Result } from '../support/scenario.ts'
import {
  type Chat,
  checkEnd,
  eachOf,
  makeChats,
  type Person,
  startTwoInstances,
  type TwoInstances,
  untilQuiet,
} from '../support/two-instances.ts'
import { failuresOf, faultsOf, type Phase, readSent, rivalFaults, type Sent, surplusOf } from './faults.ts'

/** The product's delays, with seconds instead of minutes. */
const outboxTimes = { leaseMs: 15_000, breakerMs: 20, verifyMs: 300, absentMs: 2000, giveUpMs: 600_000 }
/** Long enough for a machine with much else to do: a send has four tries, and its first answer is lost. */
const sendMs = 3000
const mostChats = 50

/** The ways in which an answer does not come, or says nothing. */
const losses: SendAnswer[] = [
  { cut: 'before' },
  { cut: 'within' },
  { status: 500 },
  { status: 502, body: '<html>Bad Gateway</html>' },
  { status: 504, body: '' },
]
const timeOut: SendAnswer = { hangMs: 2 * sendMs }
const pick = <Item>(random: Random, items: readonly Item[]) =>
  items[Math.floor(random() * items.length)] as Item

interface Planned {
  text: string
  isFile: boolean
  /** What the gateway answers to the tries of this send, in order. */
  answers: SendAnswer[]
  /** The company writes the same on its phone while the fate of the send is not known. */
  hasRival: boolean
}

/** A send whose first answer is lost: it was delivered, or it is sent once more. */
function plan(random: Random, text: string, mayHaveRival: boolean): Planned {
  const delivered = random() < 0.5
  const echo = delivered && random() < 0.3 ? 'late' : 'never'
  const loss = random() < 0.05 ? timeOut : pick(random, losses)
  const lost: SendAnswer = { ...loss, delivered, stored: delivered, echo }
  const answers = [lost, ...(delivered ? [] : [{ status: 201 }])].map((answer) => ({ ...answer, text }))
  return { text, isFile: random() < 0.15, answers, hasRival: mayHaveRival && random() < 0.3 }
}

/** Who sends, and where. */
interface Act {
  at: TwoInstances
  person: Person
}

async function reply(
  { at, person }: Act,
  chat: Chat,
  instance: number,
  { text, isFile }: Pick<Planned, 'text' | 'isFile'>,
): Promise<number> {
  if (!isFile) {
    const path = `/api/conversations/${chat.id}/messages`
    const { status, body } = await person.call<{ id: number }>(instance, 'POST', path, { content: text })
    if (status !== 201) throw new Error(`a reply was refused: ${status}`)
    return body.id
  }
  const form = new FormData()
  form.set('conversationId', String(chat.id))
  form.set('caption', text)
  form.set('file', new File([Buffer.from('%PDF-1.4\n%%EOF')], 'proposta.pdf', { type: 'application/pdf' }))
  const headers = { authorization: `Bearer ${person.token}` }
  const url = `${at.apps[instance]?.url}/api/media/upload`
  const answer = await fetch(url, { method: 'POST', headers, body: form })
  if (answer.status === 503) {
    // The machine has too much to do, and nothing was stored.
    await sleep(1000)
    return reply({ at, person }, chat, instance, { text, isFile })
  }
  if (answer.status !== 201) throw new Error(`a file was refused: ${answer.status}`)
  return ((await answer.json()) as { message: { id: number } }).message.id
}

/** Waits until it is not known what became of a send, or known again. */
async function untilDoubted(at: TwoInstances, messageId: number): Promise<void> {
  for (const endMs = performance.now() + 30_000; performance.now() < endMs; await sleep(50)) {
    const query = sql`select state from outbox where message_id = ${messageId}`
    const [row] = await rows<{ state: string }>(at.database, query)
    if (row && row.state !== 'pending' && row.state !== 'sending') return
  }
}

/** Each chat gets its sends one after another, and their texts repeat unless they are to differ. */
async function send(
  act: Act,
  {
    name,
    chats,
    each,
    random,
    areAlike,
  }: Pick<Phase, 'name'> & {
    chats: Chat[]
    each: number
    random: Random
    areAlike: boolean
  },
): Promise<Phase> {
  const { at } = act
  const sent: Sent[] = []
  let rivals = 0
  const plans = chats.map(({ phoneId }, chat) =>
    Array.from({ length: each }, (_, n) => {
      const text = areAlike ? `${pick(random, ['sim', 'certo', 'ok'])} ${phoneId}` : `${name} ${chat}.${n}`
      return plan(random, text, areAlike)
    }),
  )
  for (const ofChat of plans) at.simulator.control.nextSendAnswers(ofChat.flatMap(({ answers }) => answers))
  await eachOf(chats, chats.length, async (chat, number) => {
    for (const [n, planned] of (plans[number] ?? []).entries()) {
      const messageId = await reply(act, chat, n % 2, planned)
      sent.push({ phoneId: chat.phoneId, messageId, text: planned.text })
      if (!planned.hasRival) continue
      await untilDoubted(at, messageId)
      at.simulator.control.sendAsOwner(chat.phoneId, { kind: 'text', text: planned.text })
      rivals++
    }
  })
  return { name, sent, rivals, stuck: await untilQuiet(at, { stuckAfterMs: outboxTimes.giveUpMs }) }
}

/** Upgrades the gateway and sets it back, each time with a restart. @returns a function that ends it */
function changeReleases({ simulator }: TwoInstances, everyMs: number): () => Promise<number> {
  let isOver = false
  const changing = (async () => {
    let changes = 0
    for (; !isOver; changes++) {
      simulator.control.setVersion(changes % 2 === 0 ? '2.3.7' : '2.4')
      simulator.control.restart({ awayMs: 100, connectingMs: 100 })
      await sleep(everyMs)
    }
    return changes
  })()
  return () => {
    isOver = true
    return changing
  }
}

/**
 * The first answer to every send is lost, at a gateway that keeps given ids. The texts of a chat repeat, and
 * the company writes the same ones on its phone: nothing but its id tells what became of a send. Then the
 * gateway is upgraded and set back while such sends go on, with texts that differ.
 */
export const lostAnswers = defineScenario({
  options: { sends: 1000, changing: 300 },
  nightly: { sends: 200, changing: 100 },

  async arrange({ options: { seed }, defer }) {
    const at = await startTwoInstances({
      outboxTimes,
      gatewayTimes: { sendMs },
      simulator: { seed, version: '2.4', echoMs: 20, serverAckMs: 30, deliveryAckMs: 60, retryBaseMs: 1000 },
    })
    defer(at.close)
    return at
  },

  async act(at, { options, random, print, seconds }) {
    const act = { at, person: await at.signIn('admin', 'ana') }
    const kept = await rows<{ keepsIds: boolean }>(
      at.database,
      sql`select keeps_ids as "keepsIds" from evolution_api_config`,
    )
    if (!kept.every(({ keepsIds }) => keepsIds)) throw new Error('the release of the gateway is not known')
    const chatsFor = (sends: number) => Math.min(mostChats, sends)
    const chats = await makeChats(at, 0, chatsFor(options.sends))
    const each = Math.ceil(options.sends / chats.length)
    const alike = await send(act, { name: 'alike', chats, each, random, areAlike: true })
    print(`  ${alike.sent.length} sends, ${alike.rivals} with a rival, after ${seconds()} s`)
    const others = await makeChats(at, chats.length, chatsFor(options.changing))
    const end = changeReleases(at, 4000)
    const changing = await send(act, {
      name: 'mudança',
      chats: others,
      each: Math.ceil(options.changing / others.length),
      random,
      areAlike: false,
    })
    const changes = await end()
    print(`  ${changing.sent.length} sends amid ${changes} changes of the release, after ${seconds()} s`)
    return { alike, changing, stuck: await untilQuiet(at, { stuckAfterMs: 30_000 }) }
  },

  async check({ alike, changing, stuck }, at, { print }) {
    const all = await readSent(at)
    const byId = new Map(all.map((row) => [row.id, row]))
    const given = changing.sent.filter(({ messageId }) => byId.get(messageId)?.givenId)
    print(`amid changes, ${given.length} of ${changing.sent.length} sends were given an id`)
    const results: Result[] = [
      {
        property: 'each send arrived once, and is known by its own id',
        checked: alike.sent.length,
        faults: faultsOf(at, alike, byId, true),
      },
      {
        property: 'what the company wrote on its phone is taken for none of them',
        checked: alike.rivals,
        faults: await rivalFaults(at, alike),
      },
      {
        property: 'while the release changes, each send arrived once',
        checked: changing.sent.length,
        faults: faultsOf(at, changing, byId, false),
      },
      {
        property: 'none is given up',
        checked: alike.sent.length + changing.sent.length,
        faults: [alike, changing].flatMap((phase) => failuresOf(phase, byId)),
      },
      {
        property: 'nothing arrived that is not a message here',
        checked: alike.sent.length + changing.sent.length,
        faults: surplusOf(at, all),
      },
    ]
    return [...results, ...checkEnd(at, alike.stuck ?? changing.stuck ?? stuck)]
  },
})
