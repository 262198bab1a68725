import { chatMessage, chatView, phoneView, stateView } from './chat-view.ts'
import type {
  Faults,
  FaultsPatch,
  History,
  Injection,
  NewPhone,
  PhoneMessage,
  PhonePatch,
  Reaction,
  SendAnswer,
  Typing,
} from './control-api.ts'
import {
  editSchema,
  faultsPatchSchema,
  historySchema,
  injectSchema,
  newPhoneSchema,
  phoneMessageSchema,
  phonePatchSchema,
  reactionSchema,
  sendAnswersSchema,
  typingSchema,
} from './control-api.ts'
import { controlError } from './control-errors.ts'
import type {
  ChatMessage,
  LogLine,
  OracleReport,
  PhoneView,
  SimulatorEvent,
  SimulatorState,
} from './control-views.ts'
import { importHistory } from './history.ts'
import { applyDisconnect, openInstance } from './instances.ts'
import { reportOf } from './oracle.ts'
import { envelope } from './payloads.ts'
import { deleteFromPhone, editFromPhone, reactFromPhone, sendFromPhone } from './phone-messages.ts'
import { changePhone, createPhone, getPhone, openChat, playOnPhone, typeOnPhone } from './phones.ts'
import { faultTitles } from './faults.ts'
import { patchFaults } from './state.ts'
import type { Instance, Media, Message } from './state.ts'
import type { World } from './world.ts'

/**
 * Everything one may do to the simulator from within the process; the HTTP control API is these verbs with addresses. Bodies
 * are checked (ZodError); what is refused is a ControlError with `status` and `code`. State is changed when a verb returns;
 * webhooks are on their way, not necessarily there (`idle` waits for them).
 */
export type Control = {
  state(): SimulatorState
  phones(): PhoneView[]
  createPhone(phone: NewPhone): PhoneView
  changePhone(phoneId: string, patch: PhonePatch): PhoneView
  /** The last `limit` bubbles (200), oldest first. */
  chat(phoneId: string, limit?: number): ChatMessage[]
  send(phoneId: string, message: PhoneMessage): ChatMessage
  /** Short for `send` with a text. */
  sendText(phoneId: string, text: string, id?: string): ChatMessage
  /** Written on the company's own phone, to this one. */
  sendAsOwner(phoneId: string, message: PhoneMessage): ChatMessage
  react(phoneId: string, reaction: Reaction): ChatMessage
  edit(phoneId: string, messageId: string, text: string): ChatMessage
  remove(phoneId: string, messageId: string): ChatMessage
  typing(phoneId: string, state: Typing['state']): void
  /** Opens the chat: READ for everything of the company in it. */
  open(phoneId: string): void
  played(phoneId: string, messageId: string): void
  importHistory(phoneId: string, history: History): ChatMessage[]
  faults(): Faults
  setFaults(patch: FaultsPatch): Faults
  /** What the next send calls do, in order, whatever the faults say. */
  nextSendAnswers(answers: SendAnswer[]): void
  clearSendAnswers(): void
  /** Settles when the body was posted once. */
  inject(injection: Injection): Promise<void>
  /** Scans the QR code: the instance opens. Default: the main one. */
  scan(instanceName?: string): void
  oracle(since?: number): OracleReport
  log(): LogLine[]
  clearLog(): void
  media(messageId: string): Media | undefined
  /** Tries every webhook that waits for its retry now. */
  retryNow(): void
  /** Settles when no webhook is queued or on its way; those that wait for a retry do not count. Real time. */
  idle(): Promise<void>
  watch(listener: (event: SimulatorEvent) => void): () => void
}

const instanceNamed = (world: World, name = world.instanceName): Instance => {
  const instance = world.state.instances.get(name)
  if (!instance) throw controlError(404, 'simulator.instance_not_found', 'Instância não encontrada')
  return instance
}

const setFaults = (world: World, body: FaultsPatch): Faults => {
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

const inject = (world: World, body: Injection): Promise<void> => {
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

const idle = async (world: World) => {
  do await new Promise((resolve) => setTimeout(resolve, 2))
  while (world.hooks.countActive() > 0)
}

const phoneVerbs = (world: World) => {
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
    react: (id, body) => show(reactFromPhone(world, id, reactionSchema.parse(body))),
    edit: (id, messageId, text) => show(editFromPhone(world, id, messageId, editSchema.parse({ text }).text)),
    remove: (id, messageId) => show(deleteFromPhone(world, id, messageId)),
    typing: (id, state) => typeOnPhone(world, id, typingSchema.parse({ state })),
    open: (id) => openChat(world, id),
    played: (id, messageId) => playOnPhone(world, id, messageId),
    importHistory: (id, body) => {
      importHistory(world, id, historySchema.parse(body))
      return chatView(world, id, 200)
    },
  } satisfies Partial<Control>
}

export const createControl = (world: World): Control => ({
  ...phoneVerbs(world),
  state: () => stateView(world),
  faults: () => world.state.faults,
  setFaults: (patch) => setFaults(world, patch),
  nextSendAnswers: (answers) => world.dice.script(sendAnswersSchema.parse({ answers }).answers),
  clearSendAnswers: () => world.dice.clearScript(),
  inject: (body) => inject(world, body),
  scan: (name) => {
    openInstance(world, instanceNamed(world, name).name)
  },
  oracle: (since) => reportOf(world, since),
  log: () => world.feed.lines(),
  clearLog: () => world.feed.clear(),
  media: (messageId) => world.state.media.get(messageId),
  retryNow: () => world.hooks.retryNow(),
  idle: () => idle(world),
  watch: (listener) => world.feed.watch(listener),
})
