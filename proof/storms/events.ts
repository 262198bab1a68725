import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { parseWebhook } from '#server/gateway/evolution/parse/webhook.ts'
import type { Random } from '#simulator/random.ts'
import type { Simulator } from '#simulator/simulator.ts'

/** Receives webhooks in the console's place, and keeps them. */
export interface Capture {
  url: string
  /** By identity of the event. The gateway posts an offered and a ringing call, which are one event here. */
  events: Map<string, string>
  close(): Promise<void>
}

export async function startCapture(): Promise<Capture> {
  const events = new Map<string, string>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      events.set(parseWebhook(JSON.parse(body)).dedupeKey, body)
      response.writeHead(200).end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    events,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

interface Chatter {
  phoneId: string
  /**
   * Ids of messages that may still change. Except for texts, each kind of change occurs once, since two
   * within a second have no order.
   */
  written: string[]
  owned: string[]
  polls: string[]
}

/** The texts of each edited message by id, oldest first. */
export type MessageTexts = Map<string, { texts: string[]; editedAtMs: number }>

/**
 * Lets phones and the company write, edit, delete, react, vote, pin, call and read until there are enough
 * events.
 */
export async function makeEvents(
  simulator: Simulator,
  capture: Capture,
  random: Random,
  count: number,
): Promise<MessageTexts> {
  const { control } = simulator
  const messageTexts: MessageTexts = new Map()
  const chatters = Array.from({ length: Math.max(20, Math.round(count / 250)) }, (_, n): Chatter => {
    const number = `55119${String(20_000_000 + n)}`
    const identity = n % 5 === 0 ? 'pn-with-lid' : 'pn'
    const phone = control.createPhone({ id: `s${n}`, name: `Cliente ${n}`, number, identity })
    control.sendText(phone.id, `olá de ${n}`)
    return { phoneId: phone.id, written: [], owned: [], polls: [] }
  })
  for (let acts = 0; capture.events.size < count; acts++) {
    const chatter = chatters[Math.floor(random() * chatters.length)]
    if (chatter) act(control, messageTexts, chatter, random, acts)
    if (acts % 100 === 0) await control.idle()
  }
  await control.idle()
  return messageTexts
}

function act(
  control: Control,
  messageTexts: MessageTexts,
  chatter: Chatter,
  random: Random,
  n: number,
): void {
  const { phoneId, written, owned, polls } = chatter
  const dice = random()
  const own = dice < 0.9 ? written.pop() : undefined
  if (dice < 0.45) {
    if (own) written.push(own)
    written.push(control.sendText(phoneId, `mensagem ${n}`).id)
  } else if (dice < 0.6)
    owned.push(control.sendAsOwner(phoneId, { kind: 'text', text: `do celular ${n}` }).id)
  else if (dice < 0.63)
    polls.push(
      control.sendAsOwner(phoneId, {
        kind: 'poll',
        name: `pergunta ${n}`,
        options: ['sim', 'não', 'talvez'],
        selectableCount: 1,
      }).id,
    )
  else if (dice < 0.67) vote(control, phoneId, polls)
  else if (dice < 0.72) control.open(phoneId)
  else if (dice < 0.74) control.call(phoneId, { outcome: random() < 0.5 ? 'missed' : 'answered' })
  else if (dice < 0.78) react(control, phoneId, owned)
  else if (own && dice < 0.82) control.react(phoneId, { messageId: own, emoji: '👍', by: 'owner' })
  else if (own && dice < 0.86) {
    edit(control, messageTexts, phoneId, own, `corrigida ${n}`)
    written.push(own)
  } else if (own && dice < 0.88) control.remove(phoneId, own)
  else if (own && dice < 0.9) control.pin(phoneId, { messageId: own, pinned: true })
  else control.typing(phoneId, 'composing')
}

type Control = Simulator['control']

function edit(control: Control, messageTexts: MessageTexts, phoneId: string, id: string, text: string): void {
  const { texts, editedAtMs } = messageTexts.get(id) ?? {
    texts: control.chat(phoneId, 1_000_000).flatMap((one) => (one.id === id ? [one.text] : [])),
    editedAtMs: 0,
  }
  // Two changes within a millisecond have no order.
  if (Date.now() === editedAtMs) return
  control.edit(phoneId, id, text)
  messageTexts.set(id, { texts: [...texts, text], editedAtMs: Date.now() })
}

function vote(control: Control, phoneId: string, polls: string[]): void {
  const messageId = polls.pop()
  if (messageId) control.voteInPoll(phoneId, { messageId, options: ['talvez'] })
}

function react(control: Control, phoneId: string, owned: string[]): void {
  const messageId = owned.pop()
  if (messageId) control.react(phoneId, { messageId, emoji: '❤️' })
}
