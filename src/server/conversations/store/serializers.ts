import type { Conversation } from '#shared/conversations/conversations.ts'
import { isTrackingType, type MessageType, messageTypes } from '#shared/messages/message-kinds.ts'
import type { MessageMetadata } from '#shared/messages/message-metadata.ts'
import type { Transcription } from '#shared/assistant/transcription.ts'
import type { Message, Sender } from '#shared/messages/messages.ts'
import {
  automaticMessage,
  type FailureReason,
  failureTexts,
  type Hindrance,
  hindranceTexts,
  quoteWithoutText,
  waitText,
} from '#shared/text/text.ts'
import { toCard } from '#server/contacts/contacts.ts'
import type { ConversationRow } from './rows.ts'
import type { MessageRow, QuotedRow, SenderColumns } from './message-rows.ts'

const iso = (at: Date | null) => at?.toISOString() ?? null

/** The one serializer of a conversation, for REST and for sockets. */
export function toConversation(row: ConversationRow): Conversation {
  const { conversation: c, lastMessage: last } = row
  return {
    id: c.id,
    protocol: c.protocol,
    contactId: c.contactId,
    instanceId: c.instanceId,
    sectorId: c.sectorId,
    queueId: row.queueId,
    contact: toCard(row.contact),
    assignedUserId: c.assignedUserId,
    assignedUser:
      c.assignedUserId !== null && row.assignedName !== null
        ? { id: c.assignedUserId, name: row.assignedName }
        : null,
    status: c.status,
    subStatus: c.subStatus,
    waitingFor: c.waitingFor,
    waitingSince: iso(c.waitingSince),
    priority: c.priority,
    initiatedBy: c.initiatedBy,
    disableAutoClose: c.disableAutoClose,
    ...(c.snoozedUntil && { snoozedUntil: c.snoozedUntil.toISOString() }),
    ...(c.returnedAt && { returnedAt: c.returnedAt.toISOString() }),
    ...((c.snoozedUntil ?? c.returnedAt) && c.snoozeReason !== null && { snoozeReason: c.snoozeReason }),
    ...slaOf(row.sla),
    notes: c.notes,
    ...(c.finishReasonId !== null && { finishReasonId: c.finishReasonId }),
    ...(c.tagIds.length > 0 && { tagIds: c.tagIds }),
    satisfaction: c.satisfaction,
    preAttendanceStage: c.preAttendanceStage,
    startedAt: c.startedAt.toISOString(),
    completedAt: iso(c.completedAt),
    lastActivityAt: c.lastActivityAt.toISOString(),
    messageCount: c.messageCount,
    contactMessageCount: c.contactMessageCount,
    lastMessage: last && {
      ...last,
      messageType: kindOf(last.messageType),
      content: last.content.slice(0, 300),
      deletedAt: iso(last.deletedAt),
      sentAt: last.sentAt.toISOString(),
      createdAt: last.createdAt.toISOString(),
      ...senderOf(row.lastSender),
    },
    queuePosition: row.queuePosition ?? 0,
    version: c.version,
  }
}

/** Of the clocks that run, the one that runs out first. */
function slaOf(sla: ConversationRow['sla']): Pick<Conversation, 'sla'> {
  if (!sla) return {}
  const { replyDueAt, replyNearAt, replyKept, endDueAt, endNearAt } = sla
  const isReply = replyDueAt !== null && replyKept === null && !(endDueAt && endDueAt < replyDueAt)
  const [dueAt, nearAt] = isReply ? [replyDueAt, replyNearAt] : [endDueAt, endNearAt]
  if (!dueAt || !nearAt) return {}
  return {
    sla: { clock: isReply ? 'reply' : 'end', dueAt: dueAt.toISOString(), nearAt: nearAt.toISOString() },
  }
}

/** During an update the next version may have written a kind that this one does not know. */
function kindOf(messageType: MessageType): MessageType {
  return messageTypes.includes(messageType) ? messageType : 'unsupported'
}

/** A row as it is read, or as it was written just now, when nothing is known of a sound in words. */
type NewMessageRow = Omit<MessageRow, 'transcription'> & { transcription?: MessageRow['transcription'] }

/** The one serializer of a message, for REST and for sockets. */
export function toMessage(row: NewMessageRow): Message {
  const { message: m } = row
  const transcription = transcriptionOf(row)
  return {
    id: m.id,
    conversationId: m.conversationId,
    senderId: m.senderId,
    senderName: row.senderName,
    senderType: m.senderType,
    content: m.content,
    messageType: kindOf(m.messageType),
    fileName: m.fileName,
    fileUrl: m.fileUrl,
    fileMimeType: m.fileMimeType,
    fileSize: m.fileSize,
    whatsappMessageId: m.whatsappMessageId,
    clientMessageId: m.clientMessageId,
    metadata: shownOf(m.metadata),
    ...(transcription && { transcription }),
    deliveryStatus: m.deliveryStatus,
    failureReason: reasonOf(m),
    quoted: quotedOf(row),
    reactions: row.reactions,
    votes: row.votes,
    isPinned: m.isPinned,
    editedAt: iso(m.editedAt),
    deletedAt: iso(m.deletedAt),
    sortAt: m.sortAt.toISOString(),
    sentAt: m.sentAt.toISOString(),
    createdAt: m.createdAt.toISOString(),
    version: m.version,
  }
}

/** Why a message was not sent, or not yet; null when it was, or nothing hinders it. */
function reasonOf({ deliveryStatus, failureReason }: MessageRow['message']): string | null {
  if (deliveryStatus === 'failed') return failureTexts[failureReason as FailureReason] ?? failureTexts.invalid
  const isHindered = deliveryStatus === 'pending' && failureReason !== null && failureReason in hindranceTexts
  return isHindered ? waitText(failureReason as Hindrance) : null
}

/** Without what only the order of messages needs, and what is shown beside. */
function shownOf(metadata: MessageMetadata & { postedMs?: number }): MessageMetadata {
  if (metadata.postedMs === undefined && metadata.transcription === undefined) return metadata
  const { postedMs: _ofOrder, transcription: _beside, ...shown } = metadata
  return shown
}

/** What is known of a sound in words; undefined where there is nothing to show or to ask for. */
function transcriptionOf({
  message: { metadata, deletedAt, fileUrl, whatsappMessageId },
  transcription: facts,
}: NewMessageRow): Transcription | undefined {
  if (metadata.transcription !== undefined) return { state: 'done', text: metadata.transcription }
  if (!facts || deletedAt !== null || metadata.isErased || metadata.isExpired) return undefined
  if (facts.state === 'waiting' || facts.state === 'running') return { state: 'waiting' }
  if (facts.state === 'failed') return { state: 'failed', reason: facts.reason ?? 'unreachable' }
  const canBeHad = fileUrl !== null || whatsappMessageId !== null
  return facts.isOn && canBeHad ? { state: 'offered' } : undefined
}

/** The original if it is stored; otherwise the text of the quote as the gateway reported it. */
function quotedOf({ message: m, quoted }: NewMessageRow): Message['quoted'] {
  if (m.quotedWhatsappId === null) return null
  const status = m.metadata.quote?.isStatus && { isStatus: true }
  if (quoted) {
    const { senderType, messageType } = quoted
    // A frame goes to everybody, and not everybody sees these.
    if (isTrackingType(messageType))
      return { ...unknownQuote, senderType, content: automaticMessage, origin: 'automatic' }
    return { ...toQuoted(quoted), ...status }
  }
  const { from = null, type = 'text' } = m.metadata.quote ?? {}
  // What was erased later has neither text nor kind.
  const messageType = m.quotedContent === null ? 'text' : kindOf(type as MessageType)
  // Versions before 0.3 stored no kind: this was a file, or something else without a text.
  const isOfUnknownKind = m.quotedContent === '' && messageType === 'text'
  const content = isOfUnknownKind ? quoteWithoutText : (m.quotedContent ?? '')
  return { ...unknownQuote, senderType: from, messageType, content, ...status }
}

const unknownQuote = {
  messageId: null,
  conversationId: null,
  messageType: 'text',
  deletedAt: null,
} as const satisfies Partial<Message['quoted']>

/** A stored message as it is quoted. */
export function toQuoted(quoted: QuotedRow): NonNullable<Message['quoted']> {
  const { id: messageId, conversationId, senderType, messageType, content, deletedAt } = quoted
  return {
    messageId,
    conversationId,
    senderType,
    messageType: kindOf(messageType),
    content,
    deletedAt: deletedAt === null ? null : new Date(deletedAt).toISOString(),
    ...senderOf(quoted),
  }
}

function senderOf({ senderId, senderName, origin }: SenderColumns): Partial<Sender> {
  return {
    ...(senderId !== null && senderName !== null && { senderId, senderName }),
    ...(origin !== null && { origin }),
  }
}

/**
 * What somebody sees of a conversation in the queue of their sector before they take it: who waits since
 * when, and nothing of what was said.
 */
export function asCard({ tagIds: _ofTeam, ...conversation }: Conversation): Conversation {
  const { contact } = conversation
  return {
    ...conversation,
    isCard: true,
    contact: { ...contact, phone: null, company: null },
    notes: null,
    satisfaction: null,
    messageCount: 0,
    contactMessageCount: 0,
    lastMessage: null,
  }
}
