import type { DeliveryStatus } from '#shared/delivery.ts'
import type { MessageType } from '#shared/message-kinds.ts'
import type { callOutcomes, MessageMetadata } from '#shared/message-metadata.ts'
import type { senderTypes } from '#shared/messages.ts'
import type { Activity } from '#shared/live-events.ts'

/** The other side of a chat, by every address that the gateway gave. */
export interface Peer {
  /** Normal form of shared/phone.ts. */
  phone: string | undefined
  lid: string | undefined
  jid: string
}

export interface Content {
  messageType: MessageType
  /** Text, caption, or '' when there is none. */
  content: string
  fileName: string | undefined
  mimeType: string | undefined
  sizeBytes: number | undefined
  metadata: MessageMetadata
}

type Side = (typeof senderTypes)[number]

/** What the gateway said, in our words. Everything that the parser makes of any body is one of these. */
export type GatewayEvent =
  | {
      kind: 'message'
      waId: string
      peer: Peer
      /** The contact, our connected phone, or our own account through the API. */
      origin: 'contact' | 'phone' | 'api'
      /** What the contact calls himself. */
      name: string | undefined
      sentAt: Date | undefined
      content: Content
      quoted: { waId: string; content: string } | undefined
      isHistory: boolean
    }
  | { kind: 'delivery'; waId: string; status: DeliveryStatus; peer: Peer | undefined }
  | { kind: 'edit'; waId: string; content: string; editedAtMs: number }
  | { kind: 'delete'; waId: string }
  | { kind: 'reaction'; waId: string; emoji: string; from: Side; sentAtMs: number }
  /** What a side has chosen in a poll by now; an empty list takes the vote back. */
  | { kind: 'vote'; waId: string; options: string[]; from: Side; sentAtMs: number }
  | { kind: 'pin'; waId: string; isPinned: boolean; sentAtMs: number }
  | {
      kind: 'call'
      /** The gateway's id of the call: all its news carry it. */
      callId: string
      peer: Peer
      outcome: (typeof callOutcomes)[number]
      isVideo: boolean
      at: Date | undefined
    }
  /** What the client does in the chat now: told at once and kept nowhere. */
  | { kind: 'typing'; peer: Peer; activity: Activity }
  /** What the gateway's address book says of somebody; never makes a contact. */
  | { kind: 'profile'; peer: Peer; name: string }
  | {
      kind: 'connection'
      state: 'open' | 'connecting' | 'close'
      ownerJid: string | undefined
      profileName: string | undefined
    }
  | { kind: 'ignored'; reason: string }

/** A message that the gateway reports, whoever sent it. */
export type IncomingMessage = Extract<GatewayEvent, { kind: 'message' }>

export interface ParsedWebhook {
  event: string
  instance: string
  /** The same body delivered twice has the same key. */
  dedupeKey: string
  /** Events of one lane are processed in order. */
  lane: string
  events: GatewayEvent[]
  /** The events of each item of the body's `data`; a single value is a list of one. */
  eventsByItem: GatewayEvent[][]
}
