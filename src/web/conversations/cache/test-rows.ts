/** Rows for tests. */
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Message } from '#shared/messages/messages.ts'

const start = '2026-11-19T12:00:00.000Z'

export function conversationRow(given: Partial<Conversation> = {}): Conversation {
  const id = given.id ?? 1
  return {
    id,
    instanceId: 1,
    sectorId: null,
    queueId: 1,
    protocol: `20261119${String(id).padStart(6, '0')}`,
    contactId: id,
    contact: {
      id,
      name: `Contato ${id}`,
      phone: '5511987342210',
      category: 'lead',
      categoryColor: '#16a34a',
      company: null,
      avatarUrl: null,
      isBlocked: false,
    },
    assignedUserId: null,
    assignedUser: null,
    status: 'waiting',
    subStatus: 'FILA',
    waitingFor: 'operator',
    waitingSince: start,
    priority: 'normal',
    initiatedBy: 'contact',
    disableAutoClose: false,
    preAttendanceStage: null,
    startedAt: start,
    completedAt: null,
    lastActivityAt: start,
    messageCount: 0,
    contactMessageCount: 0,
    lastMessage: null,
    queuePosition: 0,
    notes: null,
    satisfaction: null,
    version: 1,
    ...given,
  }
}

export function messageRow(given: Partial<Message> = {}): Message {
  return {
    id: 1,
    conversationId: 1,
    senderId: null,
    senderName: null,
    senderType: 'contact',
    content: 'Olá',
    messageType: 'text',
    fileName: null,
    fileUrl: null,
    fileMimeType: null,
    fileSize: null,
    whatsappMessageId: null,
    clientMessageId: null,
    metadata: {},
    deliveryStatus: null,
    failureReason: null,
    quoted: null,
    reactions: [],
    votes: [],
    isPinned: false,
    editedAt: null,
    deletedAt: null,
    sortAt: start,
    sentAt: start,
    createdAt: start,
    version: 1,
    ...given,
  }
}

/** What a message quotes: the text of message 1. */
export const quotedRow = {
  messageId: 1,
  conversationId: 1,
  senderType: 'contact',
  messageType: 'text',
  content: 'antes',
  deletedAt: null,
} as const

/** A whole list as its first page. */
export function conversationPage(conversations: Conversation[], itemsPerPage = 10) {
  const totalItems = conversations.length
  const pagination = { currentPage: 1, itemsPerPage, totalItems, totalPages: 1, hasNextPage: false }
  return { conversations, pagination }
}
