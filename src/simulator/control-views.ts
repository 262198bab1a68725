import type { Ack, Encoding, Faults, IdentityMode, MessageKind, Rich, RichKind, Wrap } from './control-api.ts'

/** What the control API answers; types only, importable from the browser. Instants are ISO-8601 UTC strings. */

export type PresenceState = 'composing' | 'recording' | 'available' | 'unavailable'

export interface PhoneView {
  id: string
  name: string
  /** Digits with country code, as WhatsApp knows the phone. */
  number: string
  lid: string
  /** The mode in force (the switch "Somente LID" wins over the phone's own). */
  identity: IdentityMode
  autoRead: boolean
  onWhatsApp: boolean
  /** Messages of the company that the phone has not opened. */
  unread: number
  lastMessage: { text: string; kind: MessageKind; at: string } | null
  /** What the company is doing in this chat right now ('digitando…'), null when unknown. */
  companyPresence: PresenceState | null
  createdAt: string
}

export interface ChatMessage {
  id: string
  phoneId: string
  instance: string
  /** `phone`: written on this phone. `company`: came from the company. */
  from: 'phone' | 'company'
  /** How the company sent it: through the console, or on its own phone. */
  via: 'console' | 'owner' | null
  kind: MessageKind
  /** Text, caption, or the place's name. Empty when deleted. */
  text: string
  at: string
  ack: Ack
  quoted: { id: string; text: string; from: 'phone' | 'company' } | null
  /** `path` is relative to the control API's prefix. */
  media: {
    mimetype: string
    fileName: string | null
    seconds: number | null
    sizeBytes: number
    path: string
  } | null
  location: { latitude: number; longitude: number; name: string; address: string } | null
  reactions: { emoji: string; from: 'phone' | 'company' }[]
  edited: boolean
  deleted: boolean
  /** What `kind` cannot say (contact, poll, reply to a button…); `kind` and `text` are then a plain stand-in for it. */
  rich?: Rich
  /** Of a poll: who chose what, both sides' last word. */
  votes?: { phone: string[]; company: string[] }
  wrap?: Wrap[]
  forwarded?: boolean
  pinned?: boolean
  /** Of a video: recorded in a circle; a moving picture without sound. */
  round?: boolean
  gif?: boolean
  /** Of an audio: false for a file that is no voice message. */
  voice?: boolean
}

export interface CallView {
  id: string
  phoneId: string
  video: boolean
  outcome: 'missed' | 'answered' | 'rejected' | 'ringing'
}

/** One line an event on a phone. `fromConsole` is false for what was sent on the company's own phone. */
export interface OracleEntry {
  seq: number
  at: string
  direction: 'written' | 'received'
  phone: string
  phoneNumber: string
  instance: string
  waId: string
  kind: MessageKind | RichKind | 'edit' | 'delete' | 'vote' | 'pin'
  text: string
  fromConsole: boolean
}

/** `times`: how often that WhatsApp id reached that phone. Edits, deletions, votes and pins stand in `changes`. */
export interface OracleReport {
  written: OracleEntry[]
  received: (OracleEntry & { times: number })[]
  changes: OracleEntry[]
  nextSeq: number
}

/** A line of the page's register; `name`, `detail` and `result` are Portuguese or wire words, ready to show. */
export interface LogLine {
  n: number
  at: string
  kind: 'webhook' | 'chamada' | 'falha'
  name: string
  detail: string
  result: string
}

export interface GatewayView {
  instance: string
  state: 'open' | 'connecting' | 'close'
  ownerName: string
  ownerNumber: string
  webhookUrl: string | null
  webhookEnabled: boolean
}

export interface Counters {
  /** Messages written on phones since the journal began. */
  written: number
  /** Those among them whose webhook was answered 2xx at least once. */
  accepted: number
  /** Since the process began. */
  duplicatesSent: number
  dropped: number
  retries: number
  pendingWebhooks: number
}

export interface SimulatorState {
  gateway: GatewayView
  instances: GatewayView[]
  faults: Faults
  phones: PhoneView[]
  counters: Counters
  /** Of the gateway. */
  version?: Encoding
  now: string
}

/** What the events stream (SSE, one JSON a `data:` line) tells. The first one is always `state`. */
export type SimulatorEvent =
  | { type: 'state'; state: SimulatorState }
  | { type: 'phone'; phone: PhoneView }
  | { type: 'message'; message: ChatMessage }
  | { type: 'log'; line: LogLine }
  | { type: 'log_cleared' }
  | { type: 'faults'; faults: Faults }
  | { type: 'gateway'; gateway: GatewayView }
  | { type: 'counters'; counters: Counters }
