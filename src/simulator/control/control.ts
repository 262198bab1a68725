import { chatMessage, chatView, phoneView, stateView } from './chat-view.ts'
import type {
  By,
  ContactSync,
  Elsewhere,
  Encoding,
  Faults,
  FaultsPatch,
  GatewayRestart,
  History,
  HistorySync,
  Injection,
  NewPhone,
  PhoneCall,
  PhoneMessage,
  PhonePatch,
  Pin,
  Reaction,
  SendAnswer,
  Typing,
  Vote,
} from '#simulator/control-api.ts'
import {
  callSchema,
  contactSyncSchema,
  editSchema,
  elsewhereSchema,
  faultsPatchSchema,
  gatewayRestartSchema,
  historySchema,
  historySyncSchema,
  injectSchema,
  newPhoneSchema,
  phoneMessageSchema,
  phonePatchSchema,
  pinSchema,
  reactionSchema,
  sendAnswersSchema,
  typingSchema,
  versionSchema,
  voteSchema,
} from '#simulator/control-api.ts'
import { controlError } from './control-errors.ts'
import type {
  CallView,
  ChatMessage,
  LogLine,
  OracleReport,
  PhoneView,
  SimulatorEvent,
  SimulatorState,
} from '#simulator/control-views.ts'
import { importHistory } from '#simulator/phones/history.ts'
import { applyDisconnect, endSession, openInstance } from '#simulator/gateway/instances/instances.ts'
import { restartGateway } from '#simulator/gateway/instances/gateway-restart.ts'
import { reportOf } from '#simulator/world/oracle.ts'
import { envelope } from '#simulator/webhooks/payloads.ts'
import { edit, pin, react, remove, vote } from '#simulator/phones/message-actions.ts'
import { callFromPhone, sendElsewhere, syncContacts, syncHistory } from '#simulator/phones/phone-events.ts'
import { instanceNamed, sendFromPhone } from '#simulator/phones/phone-messages.ts'
import {
  changePhone,
  createPhone,
  getPhone,
  openChat,
  playOnPhone,
  typeOnPhone,
} from '#simulator/phones/phones.ts'
import { faultTitles } from '#simulator/world/faults.ts'
import { patchFaults } from '#simulator/world/state.ts'
import type { Media, Message } from '#simulator/world/state.ts'
import type { World } from '#simulator/world/world.ts'

/**
 * The control API within the process; over HTTP it is the same methods with paths. Bodies are validated
 * (ZodError); refusals are ControlErrors with `status` and `code`. State has changed when a method returns;
 * webhooks may still be on their way (`idle` waits for them).
 */
export interface Control {
  state(): SimulatorState
  phones(): PhoneView[]
  createPhone(phone: NewPhone): PhoneView
  changePhone(phoneId: string, patch: PhonePatch): PhoneView
  /** The last `limit` bubbles (default 200), oldest first. */
  chat(phoneId: string, limit?: number): ChatMessage[]
  send(phoneId: string, message: PhoneMessage): ChatMessage
  /** Shorthand for `send` with a text. */
  sendText(phoneId: string, text: string, id?: string): ChatMessage
  /** A message to this phone, written on the company's own phone. */
  sendAsOwner(phoneId: string, message: PhoneMessage): ChatMessage
  /** `by: 'owner'` here and below: done on the company's own phone, to a message of the company. */
  react(phoneId: string, reaction: Reaction): ChatMessage
  edit(phoneId: string, messageId: string, text: string, by?: By): ChatMessage
  remove(phoneId: string, messageId: string, by?: By): ChatMessage
  /** Returns the poll after the vote. */
  voteInPoll(phoneId: string, vote: Vote): ChatMessage
  /** Returns the message that was pinned or unpinned. */
  pin(phoneId: string, pin: Pin): ChatMessage
  /** Calls the company. */
  call(phoneId: string, call: PhoneCall): CallView
  /** Writes in a group, a status story or a newsletter, which the console ignores. */
  sendElsewhere(phoneId: string, message: Elsewhere): void
  /** Posts the chat's history to the console: messages.set. */
  syncHistory(phoneId: string, sync?: HistorySync): void
  /** Posts the address book to the console: contacts.upsert with a list. */
  syncContacts(sync?: ContactSync): void
  typing(phoneId: string, state: Typing['state']): void
  /** Opens the chat: READ for every message of the company in it. */
  open(phoneId: string): void
  played(phoneId: string, messageId: string): void
  importHistory(phoneId: string, history: History): ChatMessage[]
  faults(): Faults
  setFaults(patch: FaultsPatch): Faults
  /** Scripts the next send calls, in order, overriding the faults. */
  nextSendAnswers(answers: SendAnswer[]): void
  clearSendAnswers(): void
  /** Resolves after the first attempt to post the body. */
  inject(injection: Injection): Promise<void>
  /** Scans the QR code, which opens the instance. Default: the main instance. */
  scan(instanceName?: string): void
  /**
   * WhatsApp ends a session with its code: 401 logged out on the phone, 403 blocked, 440 taken over by
   * another program. All but the last kind stay closed. Default: the main instance.
   */
  endSession(code: number, instanceName?: string): void
  /** Restarts the gateway's process: what it had not delivered is lost. */
  restart(restart?: GatewayRestart): void
  version(): Encoding
  /** Changes the release of the gateway; webhooks already queued stay as they are. */
  setVersion(version: Encoding, licensed?: boolean): Encoding
  oracle(since?: number): OracleReport
  log(): LogLine[]
  clearLog(): void
  media(messageId: string): Media | undefined
  /** Retries every webhook that waits for a retry, now. */
  retryNow(): void
  /**
   * Resolves when no webhook is queued or in flight; those waiting for a retry do not count. Uses real time.
   */
  idle(): Promise<void>
  watch(listener: (event: SimulatorEvent) => void): () => void
}

function setFaults(world: World, body: FaultsPatch): Faults {
  const patch = faultsPatchSchema.parse(body)
  const before = world.state.faults
  const faults = patchFaults(before, patch)
  world.commit({ t: 'faults', faults })
  for (const name of Object.keys(faultTitles) as (keyof Faults)[])
    if (before[name].on !== faults[name].on)
      world.feed.line('falha', faultTitles[name], '', faults[name].on ? 'ligada' : 'desligada')
  if (patch.disconnect) applyDisconnect(world)
  if (patch.lidOnly) for (const { id } of world.state.phones.values()) world.touchPhone(id)
  return faults
}

function inject(world: World, body: Injection): Promise<void> {
  const injection = injectSchema.parse(body)
  const instance = instanceNamed(world, injection.instance)
  if (!instance.webhook) throw controlError(409, 'simulator.no_webhook', 'Nenhum webhook foi configurado')
  if ('body' in injection) {
    const { event } = injection.body
    return world.hooks.inject(instance, typeof event === 'string' ? event : 'injected', injection.body)
  }
  const { event, data } = injection
  const whole = envelope(instance, event, data, world.serverUrl(), world.clock.now())
  return world.hooks.inject(instance, event, whole)
}

async function idle(world: World) {
  do await new Promise((resolve) => setTimeout(resolve, 2))
  while (world.hooks.countActive() > 0)
}

function phoneVerbs(world: World) {
  const show = (message: Message) => chatMessage(world, message)
  return {
    phones: () => [...world.state.phones.values()].map((phone) => phoneView(world, phone)),
    createPhone: (body) => phoneView(world, createPhone(world, newPhoneSchema.parse(body))),
    changePhone: (id, body) => phoneView(world, changePhone(world, id, phonePatchSchema.parse(body))),
    chat: (id, limit = 200) => chatView(world, getPhone(world, id).id, limit),
    send: (id, body) => show(sendFromPhone(world, id, phoneMessageSchema.parse(body))),
    sendText: (phoneId, text, id) =>
      show(sendFromPhone(world, phoneId, phoneMessageSchema.parse({ kind: 'text', text, id }))),
    sendAsOwner: (id, body) => show(sendFromPhone(world, id, phoneMessageSchema.parse(body), 'owner')),
    react: (id, body) => show(react(world, id, reactionSchema.parse(body))),
    edit: (id, messageId, text, by) => {
      const checked = editSchema.parse({ text, by })
      return show(edit(world, id, messageId, checked.text, checked.by))
    },
    remove: (id, messageId, by = 'phone') => show(remove(world, id, messageId, by)),
    voteInPoll: (id, body) => show(vote(world, id, voteSchema.parse(body))),
    pin: (id, body) => show(pin(world, id, pinSchema.parse(body))),
    call: (id, body) => callFromPhone(world, id, callSchema.parse(body)),
    sendElsewhere: (id, body) => sendElsewhere(world, id, elsewhereSchema.parse(body)),
    syncHistory: (id, body = {}) => syncHistory(world, id, historySyncSchema.parse(body)),
    syncContacts: (body = {}) => syncContacts(world, contactSyncSchema.parse(body)),
    typing: (id, state) => typeOnPhone(world, id, typingSchema.parse({ state })),
    open: (id) => openChat(world, id),
    played: (id, messageId) => playOnPhone(world, id, messageId),
    importHistory: (id, body) => {
      importHistory(world, id, historySchema.parse(body))
      return chatView(world, id, 200)
    },
  } satisfies Partial<Control>
}

export function createControl(world: World): Control {
  return {
    ...phoneVerbs(world),
    state: () => stateView(world),
    faults: () => world.state.faults,
    setFaults: (patch) => setFaults(world, patch),
    nextSendAnswers: (answers) => world.injector.script(sendAnswersSchema.parse({ answers }).answers),
    clearSendAnswers: () => world.injector.clearScript(),
    inject: (body) => inject(world, body),
    scan: (name) => {
      openInstance(world, instanceNamed(world, name).name)
    },
    endSession: (code, name) => endSession(world, instanceNamed(world, name).name, code),
    restart: (body = {}) => restartGateway(world, gatewayRestartSchema.parse(body)),
    version: () => world.state.version,
    setVersion: (wanted, isLicensed = true) => {
      const { version, licensed } = versionSchema.parse({ version: wanted, licensed: isLicensed })
      const { state } = world
      if (version !== state.version || licensed !== state.licensed) {
        world.commit({ t: 'version', version, licensed })
        world.feed.line('chamada', 'versão', licensed ? '' : 'sem licença', version)
      }
      return version
    },
    oracle: (since) => reportOf(world, since),
    log: () => world.feed.lines(),
    clearLog: () => world.feed.clear(),
    media: (messageId) => world.state.media.get(messageId),
    retryNow: () => world.hooks.retryNow(),
    idle: () => idle(world),
    watch: (listener) => world.feed.watch(listener),
  }
}
