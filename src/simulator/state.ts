import type { Ack, Faults, FaultsPatch, IdentityMode, MessageKind } from './control-api.ts'
import type { OracleEntry } from './control-views.ts'

/** Everything that survives a restart. It is changed by `applyChange` alone, and every change is a line of the journal. */

export type ConnectionState = 'open' | 'connecting' | 'close'

export type WebhookConfig = {
  id: string
  enabled: boolean
  url: string
  events: string[]
  byEvents: boolean
  base64: boolean
  headers: Record<string, string> | null
  createdAt: number
  updatedAt: number
}

export type Instance = {
  name: string
  id: string
  token: string
  state: ConnectionState
  /** Digits; null until it was connected once. */
  ownerNumber: string | null
  ownerName: string | null
  webhook: WebhookConfig | null
  /** The base64 flag as it was when the socket opened: later changes of the webhook do nothing until it opens again. */
  sendsBase64: boolean
  qr: { code: string; base64: string; pairingCode: string | null; count: number } | null
  settings: Record<string, unknown>
  disconnection: { at: number; code: number } | null
  createdAt: number
  updatedAt: number
}

export type Phone = {
  id: string
  name: string
  number: string
  lid: string
  identity: IdentityMode
  autoRead: boolean
  onWhatsApp: boolean
  createdAt: number
}

export type Media = { waId: string; mimetype: string; base64: string }

export type Message = {
  waId: string
  /** Evolution's own row id. */
  dbId: string
  instance: string
  /** Null: sent to a LID that no phone here has. */
  phoneId: string | null
  author: 'phone' | 'console' | 'owner'
  kind: MessageKind
  text: string
  at: number
  /** What the gateway has said about it. For a phone's own message: its ticks. */
  ack: Ack
  /** How far it has come on the phone; the gateway says so when it can. */
  reachedAck: Ack
  remoteJid: string
  remoteJidAlt: string | null
  addressingMode: 'pn' | 'lid' | null
  quoted: { waId: string; text: string; fromPhone: boolean } | null
  /** The message a reaction stands on. */
  targetId: string | null
  media: {
    mimetype: string
    fileName: string | null
    seconds: number | null
    sizeBytes: number
    width: number | null
    height: number | null
  } | null
  location: { latitude: number; longitude: number; name: string; address: string } | null
  editedAt: number | null
  deletedAt: number | null
  /** An edit or deletion on the phone that the gateway has not told yet. */
  toAnnounce: 'edit' | 'delete' | null
  /** In the gateway's database: findMessages shows it, acks are told. */
  isStored: boolean
  /** On the phone's screen. */
  isOnPhone: boolean
  statuses: string[]
}

export type PendingWebhook = {
  id: string
  instance: string
  /** Webhooks of one lane go out one after another. */
  lane: string
  event: string
  body: string
  waId: string | null
  detail: string
  createdAt: number
  notBefore: number
}

export type Change =
  | { t: 'instance'; instance: Instance }
  | { t: 'instanceGone'; name: string }
  | { t: 'phone'; phone: Phone }
  | { t: 'message'; message: Message }
  | { t: 'media'; media: Media }
  | { t: 'oracle'; entry: OracleEntry }
  | { t: 'hook'; hook: PendingWebhook }
  | { t: 'hookDone'; id: string }
  | { t: 'faults'; faults: Faults }
  | { t: 'counts'; written: number; accepted: number }

export type State = {
  instances: Map<string, Instance>
  phones: Map<string, Phone>
  phoneByNumber: Map<string, string>
  phoneByLid: Map<string, string>
  /** In the order they were made. */
  messages: Map<string, Message>
  chats: Map<string, string[]>
  media: Map<string, Media>
  oracle: OracleEntry[]
  hooks: Map<string, PendingWebhook>
  faults: Faults
  written: number
  accepted: number
}

/** Switched off, with the strengths the page begins with. */
const calmFaults = (hangMs: number): Faults => ({
  dropWebhook: { on: false, oneIn: 10, events: [] },
  duplicateWebhook: { on: false, oneIn: 5, events: [] },
  reorderWebhook: { on: false, oneIn: 8, events: [], holdMs: 1500 },
  delayAcks: { on: false, ms: 4000 },
  answer500: { on: false, oneIn: 10, delivered: false, echo: 'late' },
  timeoutDelivered: { on: false, oneIn: 20, hangMs, echo: 'late' },
  timeoutNotDelivered: { on: false, oneIn: 20, hangMs },
  failMedia: { on: false, oneIn: 5 },
  disconnect: { on: false, state: 'close' },
  lidOnly: { on: false },
})

/** The faults with a patch over them. */
export const patchFaults = (faults: Faults, patch: FaultsPatch): Faults => {
  const next: Record<string, object> = { ...faults }
  for (const [name, values] of Object.entries(patch)) next[name] = { ...next[name], ...values }
  return next as Faults
}

export const emptyState = (hangMs: number): State => ({
  instances: new Map(),
  phones: new Map(),
  phoneByNumber: new Map(),
  phoneByLid: new Map(),
  messages: new Map(),
  chats: new Map(),
  media: new Map(),
  oracle: [],
  hooks: new Map(),
  faults: calmFaults(hangMs),
  written: 0,
  accepted: 0,
})

const isAccepted = (message: Message | undefined) =>
  message !== undefined && message.ack !== 'pending' && message.ack !== 'sent'

const applyMessage = (state: State, message: Message) => {
  const before = state.messages.get(message.waId)
  state.messages.set(message.waId, message)
  if (!before && message.phoneId !== null) {
    const chat = state.chats.get(message.phoneId)
    if (chat) chat.push(message.waId)
    else state.chats.set(message.phoneId, [message.waId])
  }
  // History that was put in has its ack from the start and counts as neither.
  if (message.author !== 'phone' || (!before && message.ack !== 'pending')) return
  if (!before) state.written += 1
  if (!isAccepted(before) && isAccepted(message)) state.accepted += 1
}

/** Carries one change out. */
export const applyChange = (state: State, change: Change): void => {
  switch (change.t) {
    case 'instance':
      state.instances.set(change.instance.name, change.instance)
      break
    case 'instanceGone':
      state.instances.delete(change.name)
      break
    case 'phone':
      state.phones.set(change.phone.id, change.phone)
      state.phoneByNumber.set(change.phone.number, change.phone.id)
      state.phoneByLid.set(change.phone.lid, change.phone.id)
      break
    case 'message':
      applyMessage(state, change.message)
      break
    case 'media':
      state.media.set(change.media.waId, change.media)
      break
    case 'oracle':
      state.oracle.push(change.entry)
      break
    case 'hook':
      state.hooks.set(change.hook.id, change.hook)
      break
    case 'hookDone':
      state.hooks.delete(change.id)
      break
    case 'faults':
      // A journal of an older version may lack a switch.
      state.faults = patchFaults(state.faults, change.faults)
      break
    case 'counts':
      state.written = change.written
      state.accepted = change.accepted
      break
  }
}

/** The shortest list of changes that makes this state again. */
export const changesOf = function* (state: State): Generator<Change> {
  yield { t: 'faults', faults: state.faults }
  for (const instance of state.instances.values()) yield { t: 'instance', instance }
  for (const phone of state.phones.values()) yield { t: 'phone', phone }
  for (const message of state.messages.values()) yield { t: 'message', message }
  for (const media of state.media.values()) yield { t: 'media', media }
  for (const entry of state.oracle) yield { t: 'oracle', entry }
  for (const hook of state.hooks.values()) yield { t: 'hook', hook }
  yield { t: 'counts', written: state.written, accepted: state.accepted }
}
