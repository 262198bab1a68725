import type { Clock, Timers } from './clock.ts'
import type { FaultInjector } from './faults.ts'
import type { Feed } from './feed.ts'
import type { Change } from './changes.ts'
import type { Instance, Message, Phone, State } from './state.ts'
import type { WebhookSender } from './emission.ts'
import type { PresenceState } from '#simulator/control-views.ts'

/** Delays, in milliseconds unless the name says otherwise. */
export interface Pace {
  /** From a send until its send.message webhook (2.3.7: about 7, after the answer). */
  echoMs: number
  serverAckMs: number
  deliveryAckMs: number
  /** First retry of a webhook; doubles each time. */
  retryBaseMs: number
  webhookTimeoutMs: number
  /** How long a restarting instance stays 'connecting'. */
  restartMs: number
  /** How long 2.4 waits before it opens a dropped socket again. */
  reconnectMs: number
  /** How long create with a QR code, and connect, wait before answering. */
  createWaitMs: number
  connectWaitMs: number
  /** From the start of linking until the first QR code. */
  qrDelayMs: number
  qrLifeMs: number
  /** Number of QR codes before the instance gives up. */
  qrLimit: number
  /** Before the second and last attempt to download media. */
  mediaRetryMs: number
  /** Timeout for media given by URL. */
  mediaTimeoutMs: number
  /** Scans a QR code automatically after this time; undefined: only on request. */
  autoScanMs: number | undefined
}

/** What the parts of the simulator share. `commit` is the only way to change `state`. */
export interface World {
  state: State
  /** Writes the change to the journal, applies it, then publishes it. */
  commit(change: Change): void
  /** Changes committed inside become one line of the journal: all of them survive a kill, or none. */
  batch<Result>(run: () => Result): Result
  clock: Clock
  timers: Timers
  pace: Pace
  injector: FaultInjector
  feed: Feed
  hooks: WebhookSender
  apiKey: string
  instanceName: string
  serverUrl(): string
  /** Closes every connection and the port for this time, as if the process were gone. */
  leaveNetwork(ms: number): void
  /** What the company is doing in a phone's chat; not journaled. */
  presence: Map<string, PresenceState>
  /** Publishes a phone's row without a journal line. */
  touchPhone(phoneId: string): void
  counts: { duplicatesSent: number; dropped: number; retries: number }
}

export function phoneOf(world: World, message: Message): Phone | undefined {
  return message.phoneId === null ? undefined : world.state.phones.get(message.phoneId)
}

/** @throws Error when there is no such instance; a message always has one. */
export function instanceOf(world: World, name: string): Instance {
  const instance = world.state.instances.get(name)
  if (!instance) throw new Error(`no instance "${name}"`)
  return instance
}

/** Changes some fields of a message and returns the new version. */
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
