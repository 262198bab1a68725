import { isCountedMessage } from '#shared/messages/message-kinds.ts'
import type { SampleConversation, SampleMessage } from './sample-types.ts'

/** A message with its id and what its place in the conversation makes of it. */
export interface PlacedMessage {
  id: number
  /** How long the contact had waited for this answer; null: it answers nothing. */
  responseMs: number | null
  message: SampleMessage
}

export interface PlacedConversation {
  id: number
  protocol: string
  sample: SampleConversation
  messages: PlacedMessage[]
  /** Since when the contact waits at the end. */
  waitingSince: Date | null
  /** When somebody first answered, since it last came to a queue. */
  attendedAt: Date | null
  lastActivityAt: Date
  startedAt: Date
}

/**
 * Works out from the messages of a sample what its row says.
 * @param messageIds ids for its messages
 */
export function placeConversation(
  sample: SampleConversation,
  id: number,
  protocolNumber: number,
  messageIds: Iterator<number>,
): PlacedConversation {
  const startedAt = sample.messages[0]?.at ?? new Date(0)
  let waitingSince: Date | null = null
  let attendedAt: Date | null = null
  let lastActivityAt = startedAt
  const placed: PlacedMessage[] = []
  for (const message of sample.messages) {
    const isAnswer = typeof message.from === 'object' && isCountedMessage(message.type ?? 'text')
    const responseMs = isAnswer && waitingSince ? message.at.getTime() - waitingSince.getTime() : null
    placed.push({ id: messageIds.next().value ?? 0, responseMs, message })
    if (message.from === 'contact') waitingSince ??= message.at
    else if (isAnswer || message.from === 'phone') waitingSince = null
    if (isAnswer) attendedAt ??= message.at
    if (message.metadata?.event?.act === 'moved') attendedAt = null
    if (message.from === 'contact' || isAnswer || message.from === 'phone') lastActivityAt = message.at
  }
  const day = saoPauloDay.format(startedAt).replaceAll('-', '')
  const protocol = `${day}${String(protocolNumber).padStart(6, '0')}`
  return { id, protocol, sample, messages: placed, waitingSince, attendedAt, lastActivityAt, startedAt }
}

/** As 2026-03-31: a protocol begins with the day on which its conversation began. */
const saoPauloDay = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' })

export function conversationRow({
  id,
  protocol,
  sample,
  waitingSince,
  lastActivityAt,
  startedAt,
  messages: all,
}: PlacedConversation) {
  const isTaken = sample.assignedUserId !== null
  const { completedAt } = sample
  const isWaiting = !completedAt && waitingSince !== null
  return {
    id,
    instanceId: sample.instanceId,
    contactId: sample.contactId,
    protocol,
    assignedUserId: sample.assignedUserId,
    sectorId: sample.sectorId ?? null,
    status: completedAt ? ('completed' as const) : isTaken ? ('active' as const) : ('waiting' as const),
    subStatus: isTaken || sample.initiatedBy === 'operator' ? ('OPERADOR' as const) : ('FILA' as const),
    waitingFor: isWaiting ? ('operator' as const) : ('client' as const),
    waitingSince: isWaiting ? waitingSince : null,
    priority: sample.priority ?? 'normal',
    initiatedBy: sample.initiatedBy,
    disableAutoClose: sample.disableAutoClose ?? false,
    startedAt,
    completedAt: completedAt ?? null,
    lastActivityAt,
    satisfaction: sample.rating?.value ?? null,
    notes: sample.notes ?? null,
    finishReasonId: sample.finishReasonId ?? null,
    tagIds: sample.tagIds ?? [],
    messageCount: all.filter((one) => isCounted(one) && one.message.from !== 'automatic').length,
    contactMessageCount: all.filter(isOfContact).length,
    version: 1,
    createdAt: startedAt,
  }
}

export const isCounted = ({ message }: PlacedMessage) => isCountedMessage(message.type ?? 'text')
const isOfContact = (one: PlacedMessage) => one.message.from === 'contact' && isCounted(one)

export function messageRow(
  { id: conversationId, sample }: PlacedConversation,
  { id, responseMs, message }: PlacedMessage,
) {
  const isContact = message.from === 'contact'
  const type = message.type ?? 'text'
  const origin = message.from === 'phone' || message.from === 'automatic' ? { origin: message.from } : {}
  const isSent = !isContact && type !== 'view_tracking' && type !== 'event' && type !== 'note'
  return {
    id,
    conversationId,
    instanceId: sample.instanceId,
    senderId: typeof message.from === 'object' ? message.from.operator : null,
    senderType: isContact ? ('contact' as const) : ('user' as const),
    content: message.text,
    messageType: type,
    fileName: message.file?.name ?? null,
    fileMimeType: message.file?.mimeType ?? null,
    fileSize: message.file?.sizeBytes ?? null,
    whatsappMessageId: message.waId,
    quotedWhatsappId: message.quotes?.waId ?? null,
    quotedContent: message.quotes?.text ?? null,
    metadata: { ...message.metadata, ...origin },
    deliveryStatus: isSent ? (message.status ?? 'read') : null,
    failureReason: message.failureReason ?? null,
    responseMs,
    editedAt: message.versions?.at(-1)?.replacedAt ?? null,
    deletedAt: message.deletedAt ?? null,
    isPinned: message.pinnedAt !== undefined,
    pinChangedAt: message.pinnedAt ?? null,
    sortAt: message.at,
    sentAt: message.at,
    createdAt: message.arrivedAt ?? message.at,
    version: 1,
  }
}

export function queueRow({ id, sample, startedAt, attendedAt }: PlacedConversation) {
  if (sample.initiatedBy === 'operator') return []
  const processedAt = attendedAt ?? sample.completedAt ?? (sample.assignedUserId === null ? null : startedAt)
  return [{ conversationId: id, contactId: sample.contactId, registeredAt: startedAt, processedAt }]
}

/** The operator of an open conversation has read up to their last answer. */
export function readRow({ id: conversationId, sample, messages: all }: PlacedConversation) {
  const answered = all.findLastIndex(({ message }) => typeof message.from === 'object')
  const last = all[answered]
  if (sample.completedAt || sample.assignedUserId === null || !last) return []
  const contactMessageCount = all.slice(0, answered).filter(isOfContact).length
  return [
    {
      userId: sample.assignedUserId,
      conversationId,
      lastMessageId: last.id,
      contactMessageCount,
      updatedAt: last.message.at,
    },
  ]
}

export function ratingRow({ id, sample }: PlacedConversation) {
  if (!sample.rating) return []
  const { value, feedback, at } = sample.rating
  return [
    {
      conversationId: id,
      contactId: sample.contactId,
      operatorId: sample.assignedUserId,
      serviceRating: value,
      operatorRating: value,
      feedback,
      createdAt: at,
    },
  ]
}
