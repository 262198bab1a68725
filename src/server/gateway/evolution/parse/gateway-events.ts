import type { ClosedReason } from '#shared/gateway/gateway-link.ts'
import type { DeliveryStatus } from '#shared/messages/delivery.ts'
import type { MessageType } from '#shared/messages/message-kinds.ts'
import type { callOutcomes, MessageMetadata } from '#shared/messages/message-metadata.ts'
import type { senderTypes } from '#shared/messages/messages.ts'
import type { Activity } from '#shared/live-events.ts'

/** The other side of a chat, with every address that the gateway gave. */
export interface Peer {
  /** Normal form of shared/text/phone.ts. */
  phone: string | undefined
  lid: string | undefined
  /** The address that the message was reported under. */
  jid: string
  /** The address of the phone number, if another than `jid`: WhatsApp may have it without its 9. */
  phoneJid?: string | undefined
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

/** What the gateway reports, independent of its version. The parser turns every body into these. */
export type GatewayEvent =
  | {
      kind: 'message'
      waId: string
      peer: Peer
      /** The contact, our connected phone, or our account through the API. */
      origin: 'contact' | 'phone' | 'api'
      /** The name that the contact has set for themselves. */
      name: string | undefined
      sentAt: Date | undefined
      /**
       * How long after `sentAt` the gateway had it, in milliseconds but for whole hours, where it says so:
       * WhatsApp gives whole seconds, and this tells which of one second was first.
       */
      postedMs?: number
      content: Content
      /** `from` is missing when the author of the quoted message is not known. */
      quoted: { waId: string; content: string; type?: MessageType; from?: Side; isStatus?: true } | undefined
      isHistory: boolean
      /** No webhook has brought it: it was found in the gateway's own record. */
      isSwept?: true
    }
  | { kind: 'delivery'; waId: string; status: DeliveryStatus; peer: Peer | undefined }
  /**
   * `editedAtMs` is 0 when it is not known. `isUpperBound`: the edit was made then or before. `isSealed`: the
   * text is encrypted, and the content ''.
   */
  | { kind: 'edit'; waId: string; content: string; editedAtMs: number; isUpperBound?: true; isSealed?: true }
  | { kind: 'delete'; waId: string }
  | { kind: 'reaction'; waId: string; emoji: string; from: Side; sentAtMs: number }
  /** The current choice of one side in a poll; an empty list withdraws the vote. */
  | { kind: 'vote'; waId: string; options: string[]; from: Side; sentAtMs: number }
  | { kind: 'pin'; waId: string; isPinned: boolean; sentAtMs: number }
  | {
      kind: 'call'
      /** The gateway's id of the call, common to all events of that call. */
      callId: string
      peer: Peer
      outcome: (typeof callOutcomes)[number]
      isVideo: boolean
      at: Date | undefined
    }
  /**
   * Content of a kind that the console does not know, with no words of a person in it. `gatewayType` is the
   * gateway's name for it.
   */
  | {
      kind: 'unreadable'
      waId: string
      peer: Peer
      fromMe: boolean
      sentAt: Date | undefined
      gatewayType: string
      isHistory: boolean
    }
  /** What the client does in the chat right now. Forwarded at once and never stored. */
  | { kind: 'typing'; peer: Peer; activity: Activity }
  /** An entry of the gateway's address book; never creates a contact. */
  | { kind: 'profile'; peer: Peer; name: string }
  | {
      kind: 'connection'
      state: 'open' | 'connecting' | 'close'
      ownerJid: string | undefined
      profileName: string | undefined
      /** Why it is not open, where the gateway says so. */
      reason?: ClosedReason | undefined
    }
  /** `isAside`: it may be from a person whose address is of an unknown form, so its body is kept aside. */
  | { kind: 'ignored'; reason: string; isAside?: true }

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
