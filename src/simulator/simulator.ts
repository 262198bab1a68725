import type { FastifyPluginAsync } from 'fastify'
import { resumeAcknowledgements } from './webhooks/acknowledge.ts'
import { chatMessage, countersView, gatewayView, phoneView } from './control/chat-view.ts'
import { type Clock, createTimers, realClock } from './world/clock.ts'
import { type Encoding, type NewPhone, newPhoneSchema } from './control-api.ts'
import { type Control, createControl } from './control/control.ts'
import { createControlPlugin } from './control/control-routes.ts'
import { createFaultInjector } from './world/faults.ts'
import { createFeed } from './world/feed.ts'
import { chatRoutes } from './gateway/chats/chat-routes.ts'
import { contactRoutes } from './gateway/chats/contact-routes.ts'
import { instanceRoutes } from './gateway/instances/instance-routes.ts'
import { messageRoutes } from './gateway/messages/message-routes.ts'
import { createGatewayServer, createRoutes } from './gateway/gateway-server.ts'
import { makeInstance, reconnectLater, reopenSoon } from './gateway/instances/instances.ts'
import { resumeLinking } from './gateway/instances/linking.ts'
import { markAccepted, receiveWaiting } from './phones/phone-messages.ts'
import { createPhone } from './phones/phones.ts'
import { pictureRoute } from './gateway/media/profile-pictures.ts'
import { createRandom } from './random.ts'
import type { Change } from './world/changes.ts'
import { openStore } from './world/store.ts'
import { createWebhookPoster } from './webhooks/webhook-post.ts'
import { createWebhookSender } from './webhooks/webhook-sender.ts'
import type { Pace, World } from './world/world.ts'

export interface SimulatorOptions extends Partial<Pace> {
  /** Default 127.0.0.1. */
  host?: string
  /** Default 0: any free port. */
  port?: number
  /** The gateway's global key. */
  apiKey: string
  /** The main instance, connected from the start. */
  instanceName: string
  ownerName?: string
  /** Digits with country code. */
  ownerNumber?: string
  /** Token of that instance; default: random, kept in the journal. */
  instanceToken?: string
  /** The journal; absent: state is kept in memory only. */
  journalFile?: string
  /** Seed of the faults. Default 1. */
  seed?: number
  /** Created at the start unless their ids or numbers exist. */
  seedPhones?: (NewPhone & { number: string })[]
  log?: (line: string) => void
  /** Whether the control API may be called by any name of this machine. Default false. */
  isPublic?: boolean
  clock?: Clock
  /** How long a call hangs under the timeout faults. Default 70 s. */
  hangMs?: number
  /** Release of the gateway at the start; default: that of the journal, initially 2.3.7. */
  version?: Encoding
}

export interface Simulator {
  /** `http://127.0.0.1:port`, the gateway's address for the console. */
  url: string
  apiKey: string
  instanceName: string
  gatewayPort: number
  /** The control API, for the console's own server; the gateway also serves it under `/_control`. */
  controlPlugin: FastifyPluginAsync
  /** The same methods for callers in the process. */
  control: Control
  /** Stops as abruptly as a killed process: unacknowledged work stays in the journal. */
  close(): Promise<void>
}

function paceOf(options: SimulatorOptions): Pace {
  return {
    echoMs: options.echoMs ?? 7,
    serverAckMs: options.serverAckMs ?? 30,
    deliveryAckMs: options.deliveryAckMs ?? 90,
    retryBaseMs: options.retryBaseMs ?? 5000,
    webhookTimeoutMs: options.webhookTimeoutMs ?? 30_000,
    restartMs: options.restartMs ?? 300,
    reconnectMs: options.reconnectMs ?? 3000,
    createWaitMs: options.createWaitMs ?? 5000,
    connectWaitMs: options.connectWaitMs ?? 2000,
    qrDelayMs: options.qrDelayMs ?? 300,
    qrLifeMs: options.qrLifeMs ?? 45_000,
    qrLimit: options.qrLimit ?? 30,
    mediaRetryMs: options.mediaRetryMs ?? 5000,
    mediaTimeoutMs: options.mediaTimeoutMs ?? 30_000,
    autoScanMs: options.autoScanMs,
  }
}

/** Publishes what a change means for the page. */
function publishChange(world: World, change: Change) {
  const { feed, state } = world
  if (change.t === 'faults') feed.publish({ type: 'faults', faults: state.faults })
  if (change.t === 'instance') feed.publish({ type: 'gateway', gateway: gatewayView(change.instance) })
  if (change.t === 'hookDone') feed.publish({ type: 'counters', counters: countersView(world) })
  if (change.t === 'phone') world.touchPhone(change.phone.id)
  if (change.t !== 'message' || change.message.phoneId === null) return
  const { phoneId, kind, act, targetId } = change.message
  const bubble = kind === 'reaction' || act ? state.messages.get(targetId ?? '') : change.message
  if (bubble?.isOnPhone) feed.publish({ type: 'message', message: chatMessage(world, bubble) })
  world.touchPhone(phoneId)
}

function createWorld(options: SimulatorOptions, serverUrl: () => string) {
  const clock = options.clock ?? realClock
  const pace = paceOf(options)
  const feed = createFeed(clock.now, options.log)
  const poster = createWebhookPoster(pace.webhookTimeoutMs)
  const hooks = createWebhookSender(
    () => world,
    poster,
    (hook) => {
      if (hook.event !== 'messages.upsert' || hook.waId === null) return
      markAccepted(world, hook.waId)
      // Published again: the change that ended the webhook came before the message counted as accepted.
      if (feed.isWatched()) feed.publish({ type: 'counters', counters: countersView(world) })
    },
    (name) => {
      if (world.state.instances.get(name)?.state === 'open') receiveWaiting(world, name)
    },
  )
  const store = openStore(options.journalFile, options.hangMs ?? 70_000, (change) => {
    if (feed.isWatched()) publishChange(world, change)
  })
  const { state, commit, batch } = store
  const world: World = {
    state,
    commit,
    batch,
    clock,
    timers: createTimers(clock),
    pace,
    injector: createFaultInjector(state, createRandom(options.seed ?? 1)),
    feed,
    hooks,
    apiKey: options.apiKey,
    instanceName: options.instanceName,
    serverUrl,
    leaveNetwork: () => undefined,
    presence: new Map(),
    touchPhone: (id) => {
      const phone = state.phones.get(id)
      if (phone && feed.isWatched()) feed.publish({ type: 'phone', phone: phoneView(world, phone) })
    },
    counts: { duplicatesSent: 0, dropped: 0, retries: 0 },
  }
  return { world, store, poster }
}

function seedWorld(world: World, options: SimulatorOptions) {
  const {
    instanceName: name,
    ownerName = 'Empresa',
    ownerNumber = '5511955554444',
    instanceToken: token,
  } = options
  if (!world.state.instances.has(name))
    makeInstance(world, { name, ownerName, ownerNumber, state: 'open', ...(token ? { token } : {}) })
  const { version } = options
  if (version && version !== world.state.version) world.commit({ t: 'version', version, licensed: true })
  for (const seed of options.seedPhones ?? []) {
    const phone = newPhoneSchema.parse(seed)
    if (!world.state.phoneByNumber.has(phone.number ?? '')) createPhone(world, phone)
  }
}

/** Resumes what the last run had not finished. */
function resume(world: World) {
  world.hooks.resume()
  for (const { name, state, storedState, qr } of world.state.instances.values()) {
    if (state === 'open') receiveWaiting(world, name)
    if (state === 'connecting' && !qr) reopenSoon(world, name)
    if (storedState) reconnectLater(world, name)
    resumeLinking(world, name)
  }
  resumeAcknowledgements(world)
}

/**
 * Starts a gateway that behaves like Evolution API (2.3.7 by default), with client phones, faults and an
 * oracle. It is independent of the process it runs in: with `journalFile`, phones, chats, acknowledgements
 * and webhooks that were not accepted survive a `kill -9` and are resumed at the next start.
 * @throws Error when the port is taken or the journal cannot be read.
 */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  let url = ''
  const { world, store, poster } = createWorld(options, () => url)
  seedWorld(world, options)
  const control = createControl(world)
  const controlPlugin = createControlPlugin(control, { isPublic: options.isPublic ?? false })
  const app = createGatewayServer()
  const routes = createRoutes(app, world)
  instanceRoutes(routes, world)
  messageRoutes(routes, world)
  chatRoutes(routes, world)
  contactRoutes(routes, world)
  pictureRoute(app)
  await app.register(controlPlugin, { prefix: '/_control' })
  await app.listen({ host: options.host ?? '127.0.0.1', port: options.port ?? 0 })
  const address = app.server.address()
  const gatewayPort = typeof address === 'object' && address ? address.port : 0
  const host = options.host === undefined || options.host === '0.0.0.0' ? '127.0.0.1' : options.host
  url = `http://${host}:${gatewayPort}`
  world.leaveNetwork = (ms) => {
    const { server } = app
    if (!server.listening) return
    server.close()
    server.closeAllConnections()
    world.timers.after(ms, () => server.listen(gatewayPort, options.host ?? '127.0.0.1'))
  }
  resume(world)
  return {
    url,
    apiKey: options.apiKey,
    instanceName: options.instanceName,
    gatewayPort,
    controlPlugin,
    control,
    close: async () => {
      world.timers.stopAll()
      store.close()
      await Promise.all([app.close(), poster.close()])
    },
  }
}
