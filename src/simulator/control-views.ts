import type { Ack, Encoding, Faults, IdentityMode, MessageKind, Rich, RichKind, Wrap } from './control-api.ts'

/** Replies of the control API; types only, importable from the browser. Instants are ISO-8601 UTC strings. */

export type PresenceState = 'composing' | 'recording' | 'available' | 'unavailable'

export interface PhoneView {
  id: string
  name: string
  /** Digits with country code. */
  number: string
  lid: string
  /** The effective mode (the switch "Somente LID" overrides the phone's own). */
  identity: IdentityMode
  autoRead: boolean
  onWhatsApp: boolean
  /** Messages of the company that the phone has not opened. */
  unread: number
  lastMessage: { text: string; kind: MessageKind; at: string } | null
  /** What the company is doing in this chat ('digitando…'); null when unknown. */
  companyPresence: PresenceState | null
  createdAt: string
}

export interface ChatMessage {
  id: string
  phoneId: string
  instance: string
  /** `phone`: written on this phone. `company`: received from the company. */
  from: 'phone' | 'company'
  /** How the company sent it: through the console, or on its own phone. */
  via: 'console' | 'owner' | null
  kind: MessageKind
  /** Text, caption, or the place's name. Empty when deleted. */
  text: string
  at: string
  ack: Ack
  quoted: { id: string; text: string; from: 'phone' | 'company'; kind: MessageKind } | null
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
  /** Details beyond `kind` (contact, poll, button reply…); `kind` and `text` are then a plain fallback. */
  rich?: Rich
  /** Of a poll: the current vote of each side. */
  votes?: { phone: string[]; company: string[] }
  wrap?: Wrap[]
  forwarded?: boolean
  pinned?: boolean
  /** Of a video: a round video note; a looping clip without sound. */
  round?: boolean
  gif?: boolean
  /** Of an audio: false for a file that is not a voice message. */
  voice?: boolean
}

export interface CallView {
  id: string
  phoneId: string
  video: boolean
  outcome: 'missed' | 'answered' | 'rejected' | 'ringing'
}

/** One event on a phone. `fromConsole` is false for what was sent on the company's own phone. */
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

/**
 * `times`: how often that WhatsApp id reached that phone. Edits, deletions, votes and pins are in `changes`.
 */
export interface OracleReport {
  written: OracleEntry[]
  received: (OracleEntry & { times: number })[]
  changes: OracleEntry[]
  nextSeq: number
}

/**
 * A line of the page's log; `name`, `detail` and `result` are ready to show, in Portuguese or wire format.
 */
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
  /** Of these, how many were answered 2xx at least once. */
  accepted: number
  /** Since the process started. */
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
  /** Release of the gateway. */
  version?: Encoding
  now: string
}

/** Events of the stream (SSE, one JSON object per `data:` line). The first one is always `state`. */
export type SimulatorEvent =
  | { type: 'state'; state: SimulatorState }
  | { type: 'phone'; phone: PhoneView }
  | { type: 'message'; message: ChatMessage }
  | { type: 'log'; line: LogLine }
  | { type: 'log_cleared' }
  | { type: 'faults'; faults: Faults }
  | { type: 'gateway'; gateway: GatewayView }
  | { type: 'counters'; counters: Counters }
