import type { Clock, Timers } from './clock.ts'
import type { FaultDice } from './faults.ts'
import type { Feed } from './feed.ts'
import type { Change } from './changes.ts'
import type { Instance, Message, Phone, State } from './state.ts'
import type { WebhookSender } from './emission.ts'
import type { PresenceState } from '#simulator/control-views.ts'

/** How long things take, in milliseconds unless the name says otherwise. */
export interface Pace {
  /** From a send until its send.message webhook (2.3.7: about 7, after the answer). */
  echoMs: number
  serverAckMs: number
  deliveryAckMs: number
  /** First retry of a webhook; doubles each time. */
  retryBaseMs: number
  webhookTimeoutMs: number
  /** How long an instance stays 'connecting' when it restarts. */
  restartMs: number
  /** How long create with a QR code, and connect, wait inside the call. */
  createWaitMs: number
  connectWaitMs: number
  /** From the start of linking until WhatsApp gives the first QR code. */
  qrDelayMs: number
  qrLifeMs: number
  /** How many QR codes there are before the instance gives up. */
  qrLimit: number
  /** Until a failed download of media is tried the second and last time. */
  mediaRetryMs: number
  /** How long an address given as media may take. */
  mediaTimeoutMs: number
  /** A QR code is scanned by itself after so long; undefined: only when told. */
  autoScanMs: number | undefined
}

/** All that the parts of the simulator share. `commit` is the only way to change `state`. */
export interface World {
  state: State
  /** Writes the change to the journal and carries it out, then tells the page. */
  commit(change: Change): void
  /** What is committed inside becomes one line of the journal: all of it survives a kill, or nothing. */
  batch<Result>(run: () => Result): Result
  clock: Clock
  timers: Timers
  pace: Pace
  dice: FaultDice
  feed: Feed
  hooks: WebhookSender
  apiKey: string
  instanceName: string
  serverUrl(): string
  /** What the company does in a phone's chat just now; not worth a journal line. */
  presence: Map<string, PresenceState>
  /** Tells the page that a phone's row changed without a journal line. */
  touchPhone(phoneId: string): void
  counts: { duplicatesSent: number; dropped: number; retries: number }
}

export function phoneOf(world: World, message: Message): Phone | undefined {
  return message.phoneId === null ? undefined : world.state.phones.get(message.phoneId)
}

/** @throws Error when there is no such instance: a message always has one. */
export function instanceOf(world: World, name: string): Instance {
  const instance = world.state.instances.get(name)
  if (!instance) throw new Error(`no instance "${name}"`)
  return instance
}

/** Changes some fields of a message; the answer is the message as it now is. */
export function updateMessage(world: World, waId: string, fields: Partial<Message>): Message {
  const before = world.state.messages.get(waId)
  if (!before) throw new Error(`no message ${waId}`)
  const message = { ...before, ...fields }
  world.commit({ t: 'message', message })
  return message
}

export function updateInstance(world: World, name: string, fields: Partial<Instance>): Instance {
  const instance = { ...instanceOf(world, name), ...fields, updatedAt: world.clock.now() }
  world.commit({ t: 'instance', instance })
  return instance
}
