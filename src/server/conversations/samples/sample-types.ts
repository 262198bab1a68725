import type { priorities } from '#shared/conversations/conversations.ts'
import type { DeliveryStatus } from '#shared/messages/delivery.ts'
import type { MessageType } from '#shared/messages/message-kinds.ts'
import type { MessageMetadata } from '#shared/messages/message-metadata.ts'
import type { senderTypes } from '#shared/messages/messages.ts'
import type { FailureReason } from '#shared/text/text.ts'

type Sender = (typeof senderTypes)[number]

/** @typeParam Operator how an operator is named; by the id where samples are written */
export interface SampleMessage<Operator = number> {
  /** null: it was never sent. */
  waId: string | null
  /** 'phone': written on the connected phone; 'automatic': a text of the settings. */
  from: 'contact' | 'phone' | 'automatic' | { operator: Operator }
  text: string
  at: Date
  /** When it reached the server, if that was later. */
  arrivedAt?: Date
  /** Absent: text. */
  type?: MessageType
  file?: { name: string | null; mimeType: string; sizeBytes: number }
  metadata?: MessageMetadata
  quotes?: { waId: string; text: string }
  /** Of a message to the contact; absent: read. */
  status?: DeliveryStatus
  failureReason?: FailureReason
  /** Its earlier texts, oldest first. */
  versions?: readonly { text: string; replacedAt: Date }[]
  deletedAt?: Date
  pinnedAt?: Date
  reactions?: readonly { from: Sender; emoji: string; at: Date }[]
  votes?: readonly { from: Sender; options: string[]; at: Date }[]
}

/** A conversation of the past, for demonstrations. Nothing of it is sent. */
export interface SampleConversation<Operator = number> {
  instanceId: number
  contactId: number
  assignedUserId: Operator | null
  /** Absent or null: none. */
  sectorId?: number | null
  initiatedBy: 'contact' | 'operator'
  priority?: (typeof priorities)[number]
  disableAutoClose?: boolean
  notes?: string
  /** Of a completed one; absent or null: none. */
  finishReasonId?: number | null
  tagIds?: number[]
  /** Absent: it is open. */
  completedAt?: Date
  rating?: { value: number; feedback: string | null; at: Date }
  /** In the order of their times; the conversation begins with the first. */
  messages: readonly SampleMessage<Operator>[]
}
