import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import { type Encoding, encodings } from '#simulator/control-api.ts'
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

/** The product's delays, with seconds instead of minutes. */
const outboxTimes = { leaseMs: 5000, breakerMs: 20, verifyMs: 500, absentMs: 5000, giveUpMs: 120_000 }
const chatsEach = 6

interface Act {
  at: TwoInstances
  person: Person
  random: Random
}

/** What answers were given while WhatsApp was away, and afterwards. */
interface Absence {
  name: string
  chats: Chat[]
  texts: string[]
  /** Statuses of the replies when WhatsApp came back. */
  meanwhile: string[]
}

/** What is sent as a file: its send fails differently from a text's while WhatsApp is away. */
const file = new File([Buffer.from('%PDF-1.4\n%%EOF')], 'proposta.pdf', { type: 'application/pdf' })

/** Replies by one of the two instances, with a text or with a file of this caption. */
async function reply(
  { at, person }: Act,
  { instance, chat, content, isFile }: { instance: number; chat: Chat; content: string; isFile: boolean },
): Promise<void> {
  if (!isFile) {
    const path = `/api/conversations/${chat.id}/messages`
    const { status } = await person.call(instance, 'POST', path, { content })
    if (status !== 201) throw new Error(`a reply was refused: ${status}`)
    return
  }
  const body = new FormData()
  body.set('conversationId', String(chat.id))
  body.set('caption', content)
  body.set('file', file)
  const headers = { authorization: `Bearer ${person.token}` }
  const url = `${at.apps[instance]?.url}/api/media/upload`
  const { status } = await fetch(url, { method: 'POST', headers, body })
  if (status !== 201) throw new Error(`a file was refused: ${status}`)
}

/** Two replies in each chat, spread over the absence: one of them may be the first that finds it out. */
async function whileAway(
  act: Act,
  { name, from, forMs, leave, comeBack }: AbsenceKind & { from: number },
): Promise<Absence> {
  const { at } = act
  const chats = await makeChats(at, from, chatsEach)
  await leave(at)
  const texts = ['um', 'dois'].map((word) => `${name}: ${word}`)
  for (const content of texts) {
    await eachOf(chats, 6, (chat, n) => reply(act, { instance: n % 2, chat, content, isFile: n % 3 === 0 }))
    await sleep(forMs / 2)
  }
  const found = await rows<{ status: string }>(
    at.database,
    sql`select distinct delivery_status as status from messages where content like ${`${name}: %`}`,
  )
  await comeBack?.(at)
  await untilQuiet(at, { stuckAfterMs: 60_000 })
  return { name, chats, texts, meanwhile: found.map(({ status }) => status) }
}

interface AbsenceKind {
  name: string
  forMs: number
  leave(at: TwoInstances): Promise<void> | void
  comeBack?(at: TwoInstances): Promise<void> | void
}

const gatewayCall = async ({ simulator }: TwoInstances, method: string, path: string) => {
  const answer = await fetch(simulator.url + path, { method, headers: { apikey: simulator.apiKey } })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`)
}

/** @throws Error for a release that the simulator does not play */
function versionOf(release: string): Encoding {
  const version = encodings.find((one) => one === release)
  if (!version) throw new Error(`no such release: ${release}`)
  return version
}

const absences = (awayMs: number): AbsenceKind[] => [
  {
    name: 'socket',
    forMs: awayMs,
    leave: ({ simulator }) =>
      void simulator.control.setFaults({ disconnect: { on: true, state: 'connecting' } }),
    comeBack: ({ simulator }) => void simulator.control.setFaults({ disconnect: { on: false } }),
  },
  {
    // The port is closed for a second, and the socket opens twelve seconds later.
    name: 'restart',
    forMs: 8000,
    leave: ({ simulator }) => simulator.control.restart({ awayMs: 1000, connectingMs: 12_000 }),
  },
  {
    // The gateway opens it again by itself: at once, or, as release 2.4 does, after three seconds.
    name: 'drop',
    forMs: 4000,
    leave: ({ simulator }) => simulator.control.endSession(428),
  },
  {
    name: 'logout',
    forMs: 6000,
    leave: (at) => gatewayCall(at, 'DELETE', `/instance/logout/${at.simulator.instanceName}`),
    comeBack: ({ simulator }) => simulator.control.scan(),
  },
]

/** WhatsApp's clock has seconds: what a phone writes within one of them has no other order. */
const betweenMessagesMs = 1100

/** Clients and operators write while the gateway is restarted at random moments. */
async function restartOften(act: Act, chats: Chat[], restarts: number): Promise<void> {
  const { at, random } = act
  let isOver = false
  const writing = chats.map(async ({ phoneId }, chat) => {
    for (let n = 0; !isOver; n++) {
      at.simulator.control.sendText(phoneId, `cliente ${chat}: ${n}`)
      await sleep(betweenMessagesMs + random() * 1500)
    }
  })
  const replying = chats.map(async (chat, number) => {
    for (let n = 0; !isOver; n++) {
      const content = `empresa ${number}: ${n}`
      await reply(act, { instance: n % 2, chat, content, isFile: n % 5 === 4 })
      await sleep(600 + random() * 2500)
    }
  })
  for (let n = 0; n < restarts; n++) {
    await sleep(300 + random() * 1200)
    at.simulator.control.restart({
      awayMs: Math.round(50 + random() * 500),
      connectingMs: Math.round(50 + random() * 800),
    })
  }
  isOver = true
  await Promise.all([...writing, ...replying])
}

interface Line extends Record<string, unknown> {
  conversationId: number
  author: 'phone' | 'company'
  content: string
  status: string | null
}

const readLines = (at: TwoInstances) =>
  rows<Line>(
    at.database,
    sql`select conversation_id as "conversationId", content, delivery_status as status,
               case sender_type when 'contact' then 'phone' else 'company' end as author
          from messages where message_type <> 'event' order by conversation_id, sort_at, id`,
  )

/** The lost webhooks are recovered from the gateway's record, which takes new messages only after 30 s. */
async function untilComplete(at: TwoInstances, chats: Chat[]): Promise<void> {
  const endsAt = performance.now() + 120_000
  for (;;) {
    const lines = await readLines(at)
    const stored = new Set(lines.map(({ content }) => content))
    const missing = chats
      .flatMap(({ phoneId }) => at.simulator.control.chat(phoneId, 10_000))
      .filter(({ text }) => !stored.has(text))
    if (missing.length === 0 || performance.now() > endsAt) return
    await sleep(1000)
  }
}

/** Each author's lines have one clock and one order, on the phone and on the screen. */
function compareOrder(at: TwoInstances, chats: Chat[], lines: Line[]): string[] {
  const byConversation = Map.groupBy(lines, (line) => line.conversationId)
  return chats.flatMap(({ id, phoneId }) =>
    (['phone', 'company'] as const).flatMap((author) => {
      const onPhone = at.simulator.control
        .chat(phoneId, 10_000)
        .filter(({ from }) => from === author)
        .map(({ text }) => text)
      const onScreen = (byConversation.get(id) ?? [])
        .filter((line) => line.author === author && line.status !== 'failed')
        .map(({ content }) => content)
      if (JSON.stringify(onPhone) === JSON.stringify(onScreen)) return []
      const first = onPhone.findIndex((text, n) => text !== onScreen[n])
      return [
        `${phoneId}, ${author}: ${onPhone.length} on the phone, ${onScreen.length} on the screen; ` +
          `first different: «${onPhone[first]}» and «${onScreen[first]}»`,
      ]
    }),
  )
}

const checkAbsence = (at: TwoInstances, { name, chats, texts, meanwhile }: Absence): Result[] => {
  const { received } = at.simulator.control.oracle()
  const faults = chats.flatMap(({ phoneId }) => {
    const got = received
      .filter(({ phone, text }) => phone === phoneId && text.startsWith(`${name}: `))
      .map(({ text }) => text)
    return JSON.stringify(got) === JSON.stringify(texts) ? [] : [`${phoneId} received ${got.join(', ')}`]
  })
  return [
    {
      property: `${name}: replies arrive once and in order`,
      checked: chats.length * texts.length,
      faults,
    },
    {
      property: `${name}: meanwhile they wait, and none is shown as failed`,
      checked: chats.length * texts.length,
      faults: meanwhile.filter((status) => ['failed', 'unknown'].includes(status)),
    },
  ]
}

/**
 * WhatsApp's socket is away for 45 s, in a restart of the gateway, after a drop and after a logout, while
 * operators reply. Then the gateway is restarted at random moments while everybody writes. Nothing may be
 * lost or doubled, and screens must have the order of the phones.
 */
export const reconnect = defineScenario({
  options: { seconds: 45, restarts: 100, release: '2.3.7' },
  nightly: { restarts: 40 },

  async arrange({ options: { seed, release }, defer }) {
    const at = await startTwoInstances({
      outboxTimes,
      sweepEveryMs: 2000,
      simulator: {
        seed,
        version: versionOf(release),
        echoMs: 20,
        serverAckMs: 30,
        deliveryAckMs: 60,
        retryBaseMs: 1000,
      },
    })
    defer(at.close)
    return at
  },

  async act(at, { options, random, print, seconds }) {
    const act = { at, random, person: await at.signIn('admin', 'ana') }
    const reported: Absence[] = []
    for (const [n, kind] of absences(options.seconds * 1000).entries()) {
      reported.push(await whileAway(act, { ...kind, from: n * chatsEach }))
      print(`  ${kind.name}: over after ${seconds()} s, meanwhile ${reported.at(-1)?.meanwhile.join(', ')}`)
    }
    const chats = await makeChats(at, absences(0).length * chatsEach, chatsEach)
    await restartOften(act, chats, options.restarts)
    print(`  ${options.restarts} restarts after ${seconds()} s`)
    const stuck = await untilQuiet(at, { stuckAfterMs: outboxTimes.giveUpMs + 30_000 })
    await untilComplete(at, chats)
    return { reported, chats, stuck: stuck ?? (await untilQuiet(at, { stuckAfterMs: 30_000 })) }
  },

  async check({ reported, chats, stuck }, at, { options, print }) {
    const lines = await readLines(at)
    const ofRestarts = new Set(chats.map(({ id }) => id))
    const replies = lines.filter((line) => ofRestarts.has(line.conversationId) && line.author === 'company')
    const failed = replies.filter(({ status }) => status === 'failed' || status === 'unknown')
    print(`${lines.length} messages; of ${replies.length} replies amid restarts ${failed.length} not sent`)
    return [
      ...reported.flatMap((absence) => checkAbsence(at, absence)),
      {
        property: 'amid restarts, screens have what the phones have, in their order',
        checked: options.restarts,
        faults: compareOrder(at, chats, lines),
      },
      {
        property: 'amid restarts, no reply fails',
        checked: replies.length,
        faults: failed.map(({ content, status }) => `${status}: «${content}»`),
      },
      ...checkEnd(at, stuck),
    ]
  },
})
