import type {
  Ack,
  Encoding,
  Faults,
  FaultsPatch,
  IdentityMode,
  MessageKind,
  Rich,
  Wrap,
} from '#simulator/control-api.ts'
import type { CallView, OracleEntry } from '#simulator/control-views.ts'

/** The state that survives a restart. Changed only by `applyChange` (changes.ts). */

export type ConnectionState = 'open' | 'connecting' | 'close'

export interface WebhookConfig {
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

export interface Instance {
  name: string
  id: string
  token: string
  state: ConnectionState
  /** What its table says, where that is something else. */
  storedState?: ConnectionState | undefined
  /** Digits; null until first connected. */
  ownerNumber: string | null
  ownerName: string | null
  webhook: WebhookConfig | null
  /** The webhook's base64 flag when the socket opened: later changes have no effect until it reopens. */
  sendsBase64: boolean
  qr: { code: string; base64: string; pairingCode: string | null; count: number } | null
  settings: Record<string, unknown>
  disconnection: { at: number; code: number } | null
  createdAt: number
  updatedAt: number
}

export interface Phone {
  id: string
  name: string
  number: string
  lid: string
  identity: IdentityMode
  autoRead: boolean
  onWhatsApp: boolean
  createdAt: number
}

export interface Media {
  waId: string
  mimetype: string
  base64: string
}

/** Optional fields, absent in journals of older versions. */
interface Extras {
  /** Details beyond `kind`, which is then a fallback. */
  rich?: Rich
  /** An action on the message `targetId`, without a bubble of its own. */
  act?: { kind: 'vote'; options: string[] } | { kind: 'pin'; pinned: boolean }
  wraps?: Wrap[]
  forwarded?: boolean
  /** Merged into contextInfo. */
  context?: Record<string, unknown>
  /** Overrides the gateway's release. */
  encoding?: Encoding
  round?: boolean
  gif?: boolean
  voice?: boolean
  /** The author in the key of a message in a group, a status or a newsletter. */
  elsewhere?: { participant?: string; participantAlt?: string }
  /** The author's name; such a message has no phone. */
  pushName?: string
}

export interface Message extends Extras {
  waId: string
  /** Row id in Evolution's database. */
  dbId: string
  instance: string
  /** Null: sent to a LID that no phone here has. */
  phoneId: string | null
  author: 'phone' | 'console' | 'owner'
  kind: MessageKind
  text: string
  at: number
  /** The last acknowledgement the gateway has reported. For a phone's own message: its ticks. */
  ack: Ack
  /** The actual state on the phone; the gateway reports it when it can. */
  reachedAck: Ack
  remoteJid: string
  remoteJidAlt: string | null
  addressingMode: 'pn' | 'lid' | null
  /** What the phone shows as quoted, which need not be the message itself. */
  quoted: { waId: string; text: string; fromPhone: boolean; kind?: MessageKind } | null
  /** The message a reaction refers to. */
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
  /** An edit or deletion on the phone that the gateway has not announced yet. */
  toAnnounce: 'edit' | 'delete' | null
  /** In the gateway's database: returned by findMessages, and acknowledged. */
  isStored: boolean
  /** Shown on the phone. */
  isOnPhone: boolean
  statuses: string[]
}

/** Fields of a new message. */
export const newMessageFields: Pick<
  Message,
  | 'ack'
  | 'reachedAck'
  | 'quoted'
  | 'targetId'
  | 'media'
  | 'location'
  | 'editedAt'
  | 'deletedAt'
  | 'toAnnounce'
  | 'isStored'
  | 'statuses'
> = {
  ack: 'pending',
  reachedAck: 'pending',
  quoted: null,
  targetId: null,
  media: null,
  location: null,
  editedAt: null,
  deletedAt: null,
  toAnnounce: null,
  isStored: false,
  statuses: [],
}

export interface PendingWebhook {
  id: string
  instance: string
  /** Webhooks of one lane are posted one after another. */
  lane: string
  event: string
  body: string
  waId: string | null
  detail: string
  createdAt: number
  notBefore: number
}

export interface State {
  instances: Map<string, Instance>
  phones: Map<string, Phone>
  phoneByNumber: Map<string, string>
  phoneByLid: Map<string, string>
  /** In order of creation. */
  messages: Map<string, Message>
  chats: Map<string, string[]>
  media: Map<string, Media>
  oracle: OracleEntry[]
  hooks: Map<string, PendingWebhook>
  faults: Faults
  /** The release whose webhooks and answers the gateway produces. */
  version: Encoding
  licensed: boolean
  calls: Map<string, CallView>
  written: number
  accepted: number
}

/** All off, with the initial settings. */
function defaultFaults(hangMs: number): Faults {
  return {
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
  }
}

/** Merges a patch into the faults. */
export function patchFaults(faults: Faults, patch: FaultsPatch): Faults {
  const next: Record<string, object> = { ...faults }
  for (const [name, values] of Object.entries(patch)) next[name] = { ...next[name], ...values }
  return next as Faults
}

export function emptyState(hangMs: number): State {
  return {
    instances: new Map(),
    phones: new Map(),
    phoneByNumber: new Map(),
    phoneByLid: new Map(),
    messages: new Map(),
    chats: new Map(),
    media: new Map(),
    oracle: [],
    hooks: new Map(),
    faults: defaultFaults(hangMs),
    version: '2.3.7',
    licensed: true,
    calls: new Map(),
    written: 0,
    accepted: 0,
  }
}
