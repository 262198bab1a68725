import { chatMessage, chatView, phoneView, stateView } from './chat-view.ts'
import {
  type By,
  callSchema,
  type ContactSync,
  contactSyncSchema,
  editSchema,
  type Elsewhere,
  elsewhereSchema,
  type Encoding,
  type Faults,
  type FaultsPatch,
  faultsPatchSchema,
  type GatewayRestart,
  gatewayRestartSchema,
  type History,
  historySchema,
  type HistorySync,
  historySyncSchema,
  type Injection,
  injectSchema,
  type NewPhone,
  newPhoneSchema,
  type PhoneCall,
  type PhoneMessage,
  phoneMessageSchema,
  type PhonePatch,
  phonePatchSchema,
  type Pin,
  pinSchema,
  type Reaction,
  reactionSchema,
  type SendAnswer,
  sendAnswersSchema,
  type Typing,
  typingSchema,
  versionSchema,
  type Vote,
  voteSchema,
} from '#simulator/control-api.ts'
import { controlError } from './control-errors.ts'
import type { SimulatorEvent } from '#simulator/control-views.ts'
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
import { type Message, patchFaults, type Phone } from '#simulator/world/state.ts'
import type { World } from '#simulator/world/world.ts'

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
  const view = (phone: Phone) => phoneView(world, phone)
  return {
    phones: () => [...world.state.phones.values()].map(view),
    createPhone: (phone: NewPhone) => view(createPhone(world, newPhoneSchema.parse(phone))),
    changePhone: (phoneId: string, patch: PhonePatch) =>
      view(changePhone(world, phoneId, phonePatchSchema.parse(patch))),
    /** The last `limit` bubbles (default 200), oldest first. */
    chat: (phoneId: string, limit = 200) => chatView(world, getPhone(world, phoneId).id, limit),
    send: (phoneId: string, message: PhoneMessage) =>
      show(sendFromPhone(world, phoneId, phoneMessageSchema.parse(message))),
    /** Shorthand for `send` with a text. */
    sendText: (phoneId: string, text: string, id?: string) =>
      show(sendFromPhone(world, phoneId, phoneMessageSchema.parse({ kind: 'text', text, id }))),
    /** A message to this phone, written on the company's own phone. */
    sendAsOwner: (phoneId: string, message: PhoneMessage) =>
      show(sendFromPhone(world, phoneId, phoneMessageSchema.parse(message), 'owner')),
    /** `by: 'owner'` here and below: done on the company's own phone, to a message of the company. */
    react: (phoneId: string, reaction: Reaction) =>
      show(react(world, phoneId, reactionSchema.parse(reaction))),
    edit: (phoneId: string, messageId: string, newText: string, author?: By) => {
      const { text, by } = editSchema.parse({ text: newText, by: author })
      return show(edit(world, phoneId, messageId, text, by))
    },
    remove: (phoneId: string, messageId: string, by: By = 'phone') =>
      show(remove(world, phoneId, messageId, by)),
    /** Returns the poll after the vote. */
    voteInPoll: (phoneId: string, choice: Vote) => show(vote(world, phoneId, voteSchema.parse(choice))),
    /** Returns the message that was pinned or unpinned. */
    pin: (phoneId: string, pinned: Pin) => show(pin(world, phoneId, pinSchema.parse(pinned))),
    /** Calls the company. */
    call: (phoneId: string, call: PhoneCall) => callFromPhone(world, phoneId, callSchema.parse(call)),
    /** Writes in a group, a status story or a newsletter, which the console ignores. */
    sendElsewhere: (phoneId: string, message: Elsewhere): void =>
      sendElsewhere(world, phoneId, elsewhereSchema.parse(message)),
    /** Posts the chat's history to the console: messages.set. */
    syncHistory: (phoneId: string, sync: HistorySync = {}): void =>
      syncHistory(world, phoneId, historySyncSchema.parse(sync)),
    /** Posts the address book to the console: contacts.upsert with a list. */
    syncContacts: (sync: ContactSync = {}): void => syncContacts(world, contactSyncSchema.parse(sync)),
    typing: (phoneId: string, state: Typing['state']): void =>
      typeOnPhone(world, phoneId, typingSchema.parse({ state })),
    /** Opens the chat: READ for every message of the company in it. */
    open: (phoneId: string): void => openChat(world, phoneId),
    played: (phoneId: string, messageId: string): void => playOnPhone(world, phoneId, messageId),
    importHistory: (phoneId: string, history: History) => {
      importHistory(world, phoneId, historySchema.parse(history))
      return chatView(world, phoneId, 200)
    },
  }
}

/**
 * The control API within the process; over HTTP it is the same methods with paths. Bodies are validated
 * (ZodError); refusals are ControlErrors with `status` and `code`. State has changed when a method returns;
 * webhooks may still be on their way (`idle` waits for them).
 */
export type Control = ReturnType<typeof createControl>

export function createControl(world: World) {
  return {
    ...phoneVerbs(world),
    state: () => stateView(world),
    faults: () => world.state.faults,
    setFaults: (patch: FaultsPatch) => setFaults(world, patch),
    /** Scripts the next send calls, in order, overriding the faults. */
    nextSendAnswers: (answers: SendAnswer[]): void =>
      world.injector.script(sendAnswersSchema.parse({ answers }).answers),
    clearSendAnswers: (): void => world.injector.clearScript(),
    /** Resolves after the first attempt to post the body. */
    inject: (injection: Injection) => inject(world, injection),
    /** Scans the QR code, which opens the instance. Default: the main instance. */
    scan: (instanceName?: string) => void openInstance(world, instanceNamed(world, instanceName).name),
    /**
     * WhatsApp ends a session with its code: 401 logged out on the phone, 403 blocked, 408 timed out, 440
     * taken over by another program. 401, 402, 403 and 406 stay closed, and in 2.4 408 does. Default: the
     * main instance.
     */
    endSession: (code: number, instanceName?: string): void =>
      endSession(world, instanceNamed(world, instanceName).name, code),
    /** Restarts the gateway's process: what it had not delivered is lost. */
    restart: (restart: GatewayRestart = {}): void =>
      restartGateway(world, gatewayRestartSchema.parse(restart)),
    version: () => world.state.version,
    /** Changes the release of the gateway; webhooks already queued stay as they are. */
    setVersion: (wanted: Encoding, isLicensed = true) => {
      const { version, licensed } = versionSchema.parse({ version: wanted, licensed: isLicensed })
      const { state } = world
      if (version !== state.version || licensed !== state.licensed) {
        world.commit({ t: 'version', version, licensed })
        world.feed.line('chamada', 'versão', licensed ? '' : 'sem licença', version)
      }
      return version
    },
    oracle: (since?: number) => reportOf(world, since),
    log: () => world.feed.lines(),
    clearLog: (): void => world.feed.clear(),
    media: (messageId: string) => world.state.media.get(messageId),
    /** Retries every webhook that waits for a retry, now. */
    retryNow: (): void => world.hooks.retryNow(),
    /**
     * Resolves when no webhook is queued or in flight; those waiting for a retry do not count. Uses real
     * time.
     */
    idle: () => idle(world),
    watch: (listener: (event: SimulatorEvent) => void): (() => void) => world.feed.watch(listener),
  }
}
