import { z } from 'zod'
import { contactCard } from './contacts.ts'
import { endpoint } from './endpoint.ts'
import { id, idParam, instant } from './users.ts'

export const conversationStatuses = ['waiting', 'active', 'completed'] as const
export const subStatuses = ['FILA', 'OPERADOR'] as const
export const waitingFors = ['operator', 'client'] as const
export const priorities = ['low', 'normal', 'high'] as const
export const initiators = ['contact', 'operator'] as const
export const senderTypes = ['contact', 'user'] as const

export const messageTypes = [
  'text',
  'image',
  'video',
  'audio',
  'document',
  'sticker',
  'contact',
  'location',
  'poll',
  'call',
  'unsupported',
  'event',
  'view_tracking',
  'warning_auto',
  'operator_initiated_warning',
  'queue_notification',
  'queue_position',
  'queue_welcome',
] as const
export type MessageType = (typeof messageTypes)[number]

/** Only an administrator sees these. @see decisions §2 canViewTrackingMessages */
export function isTrackingType(type: string): boolean {
  return type === 'view_tracking' || type.startsWith('queue')
}

/** Between client and company; a line that says what became of the conversation is not. */
export function isSaid(type: string): boolean {
  return type !== 'event' && !isTrackingType(type)
}

/** What people did with a conversation, as a line of its timeline. */
export const conversationActs = ['taken', 'assigned', 'returned', 'transferred', 'finalized'] as const
export type ConversationAct = (typeof conversationActs)[number]

/**
 * In the order in which they may move: never backwards, whatever order the news arrives in. `unknown` and `failed` are
 * side exits: a message refused by WhatsApp after it was sent has failed, unless a tick proves otherwise later.
 */
export const deliveryStatuses = [
  'pending',
  'sending',
  'unknown',
  'sent',
  'failed',
  'delivered',
  'read',
  'played',
] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** Of a client's call: it rings, nobody took it, or somebody took it on the connected phone. */
export const callOutcomes = ['ringing', 'missed', 'answered'] as const

/** A person's card that somebody shared. */
export const sharedContact = z.object({
  name: z.string(),
  phones: z.array(
    z.object({
      /** As it was written. */
      number: z.string(),
      /** Digits with country code, when WhatsApp knows the number. */
      waId: z.string().optional(),
    }),
  ),
  organization: z.string().optional(),
  email: z.string().optional(),
  url: z.string().optional(),
})
export type SharedContact = z.infer<typeof sharedContact>

export const messageMetadata = z.object({
  /** Where a message of ours came from when no operator wrote it. */
  origin: z.enum(['phone', 'automatic', 'assistant', 'api']).optional(),
  /** Arrived late and was put in its own place. */
  recovered: z.boolean().optional(),
  /** The gateway sent it more than once: the ids of the further copies. */
  duplicateIds: z.array(z.string()).optional(),
  seconds: z.number().optional(),
  isVoice: z.boolean().optional(),
  /** Pixels. */
  width: z.number().optional(),
  height: z.number().optional(),
  /** A round video. */
  isRound: z.boolean().optional(),
  /** A video that plays like a moving picture, without sound. */
  isGif: z.boolean().optional(),
  pages: z.number().optional(),
  isForwarded: z.boolean().optional(),
  /** May be seen once; WhatsApp mostly keeps it from linked devices. */
  isViewOnce: z.boolean().optional(),
  contacts: z.array(sharedContact).optional(),
  location: z
    .object({
      latitude: z.number(),
      longitude: z.number(),
      name: z.string().optional(),
      address: z.string().optional(),
      isLive: z.boolean().optional(),
    })
    .optional(),
  /** The question is the message's content. */
  poll: z
    .object({
      options: z.array(z.string()),
      /** How many may be chosen; 0: any number. */
      selectable: z.number().int(),
    })
    .optional(),
  call: z.object({ isVideo: z.boolean(), outcome: z.enum(callOutcomes) }).optional(),
  /** Of type 'event': what its sender did, and to whose hands. The content is a note for the team, or ''. */
  event: z.object({ to: z.string().optional(), act: z.enum(conversationActs) }).optional(),
  /** The advertisement that the client came by. */
  ad: z
    .object({
      title: z.string().optional(),
      body: z.string().optional(),
      url: z.string().optional(),
      sourceId: z.string().optional(),
    })
    .optional(),
  /** The gateway's name for content that we cannot show yet. */
  gatewayType: z.string().optional(),
})
export type MessageMetadata = z.infer<typeof messageMetadata>

export const quotedMessage = z.object({
  messageId: id.nullable(),
  /** Where it stands: it may be an earlier conversation of the contact. */
  conversationId: id.nullable(),
  senderType: z.enum(senderTypes),
  messageType: z.enum(messageTypes),
  content: z.string(),
})

export const message = z.object({
  id,
  conversationId: id,
  senderId: id.nullable(),
  senderName: z.string().nullable(),
  senderType: z.enum(senderTypes),
  content: z.string(),
  messageType: z.enum(messageTypes),
  fileName: z.string().nullable(),
  fileUrl: z.string().nullable(),
  fileMimeType: z.string().nullable(),
  fileSize: z.number().nullable(),
  whatsappMessageId: z.string().nullable(),
  clientMessageId: z.string().nullable(),
  metadata: messageMetadata,
  /** null on what the contact wrote and on rows that are never sent. */
  deliveryStatus: z.enum(deliveryStatuses).nullable(),
  /** In Portuguese; present when `deliveryStatus` is 'failed'. */
  failureReason: z.string().nullable(),
  quoted: quotedMessage.nullable(),
  reactions: z.array(z.object({ emoji: z.string(), from: z.enum(senderTypes) })),
  /** What was chosen in a poll, by each side that chose. */
  votes: z.array(z.object({ options: z.array(z.string()), from: z.enum(senderTypes) })),
  /** Pinned in the chat by the client or on the connected phone. */
  isPinned: z.boolean(),
  editedAt: instant.nullable(),
  deletedAt: instant.nullable(),
  /** Where it stands in the conversation: order is (sortAt, id). */
  sortAt: instant,
  sentAt: instant,
  createdAt: instant,
  version: z.number().int(),
})
export type Message = z.infer<typeof message>

const lastMessage = z.object({
  id,
  content: z.string(),
  messageType: z.enum(messageTypes),
  senderType: z.enum(senderTypes),
  deliveryStatus: z.enum(deliveryStatuses).nullable(),
  sentAt: instant,
  createdAt: instant,
})

export const conversation = z.object({
  id,
  protocol: z.string(),
  contactId: id,
  contact: contactCard,
  assignedUserId: id.nullable(),
  assignedUser: z.object({ id, name: z.string() }).nullable(),
  status: z.enum(conversationStatuses),
  subStatus: z.enum(subStatuses),
  waitingFor: z.enum(waitingFors),
  /** Since when the client waits for us; null while we wait for the client. */
  waitingSince: instant.nullable(),
  priority: z.enum(priorities),
  initiatedBy: z.enum(initiators),
  disableAutoClose: z.boolean(),
  startedAt: instant,
  completedAt: instant.nullable(),
  lastActivityAt: instant,
  messageCount: z.number().int(),
  lastMessage: lastMessage.nullable(),
  /** 1 for the one who waits longest in the FILA; null outside it. */
  queuePosition: z.number().int().nullable(),
  version: z.number().int(),
})
export type Conversation = z.infer<typeof conversation>

const pagination = z.object({
  currentPage: z.number().int(),
  itemsPerPage: z.number().int(),
  totalItems: z.number().int(),
  totalPages: z.number().int(),
  hasNextPage: z.boolean(),
})

export const activePageSizes = [5, 10, 20, 30, 50] as const

const pageParam = z
  .string()
  .regex(/^\d{1,6}$/)
  .transform(Number)
  .pipe(z.number().int().min(1))

export const listConversations = endpoint({
  method: 'GET',
  path: '/api/conversations',
  summary: 'Conversas abertas: a lista inteira, ou uma página quando `page` é dado',
  query: z.object({
    page: pageParam.optional(),
    limit: pageParam.pipe(z.number().max(100)).optional(),
    search: z.string().max(200).optional(),
  }),
  reply: z.union([z.array(conversation), z.object({ conversations: z.array(conversation), pagination })]),
})
export const conversationPage = z.object({ conversations: z.array(conversation), pagination })
export type ConversationPage = z.infer<typeof conversationPage>

const conversationParams = z.object({ id: idParam })

export const getConversation = endpoint({
  method: 'GET',
  path: '/api/conversations/:id',
  summary: 'Uma conversa',
  params: conversationParams,
  rows: ['GET /api/conversations/{open}', 'GET /api/conversations/{completed}'],
  reply: conversation,
})

export const listMessages = endpoint({
  method: 'GET',
  path: '/api/conversations/:id/messages',
  summary: 'As 200 mensagens mais novas, da mais antiga à mais nova; `before` e `after` para as demais',
  params: conversationParams,
  rows: ['GET /api/conversations/{open}/messages', 'GET /api/conversations/{completed}/messages'],
  query: z.object({
    /** Id of a message: only what stands before it. */
    before: idParam.optional(),
    /** Id of a message: only what stands after it. */
    after: idParam.optional(),
    limit: pageParam.pipe(z.number().max(200)).optional(),
  }),
  reply: z.array(message),
})

/** Made by the browser when something is composed. */
export const clientMessageId = z.string().regex(/^[A-Za-z0-9_-]{8,64}$/)
export const maxTextLength = 65_536
const replyText = z
  .string()
  .max(maxTextLength)
  .refine((text) => text.trim() !== '', 'Digite uma mensagem')

export const sendMessage = endpoint({
  method: 'POST',
  path: '/api/conversations/:id/messages',
  summary: 'Responder ao cliente',
  params: conversationParams,
  body: z.object({
    content: replyText,
    /** Made by the browser when the text is composed: repeating the call with it is harmless. */
    clientMessageId: clientMessageId.optional(),
    quotedMessageId: id.optional(),
  }),
  reply: message,
  status: 201,
})

/** What a contact's chat is opened by: his open conversation, or the place where one is begun. */
export const startConversation = endpoint({
  method: 'POST',
  path: '/api/contacts/:id/start-conversation',
  summary: 'Onde se fala com um contato: a conversa aberta, ou uma nova, criada pela primeira mensagem',
  params: conversationParams,
  rows: [
    'POST /api/contacts/{id}/start-conversation (existing)',
    'POST /api/contacts/{id}/start-conversation (new)',
  ],
  reply: z.object({
    existing: z.boolean(),
    conversationId: id.nullable(),
    pendingCreation: z.boolean(),
    contactId: id,
    contact: contactCard,
  }),
})

export const sendToContact = endpoint({
  method: 'POST',
  path: '/api/contacts/:id/send-message',
  summary: 'Escrever a um contato; a primeira mensagem cria a conversa',
  params: conversationParams,
  body: z.object({ content: replyText, clientMessageId: clientMessageId.optional() }),
  reply: z.object({ conversation, message }),
  status: 201,
})

export const retryMessage = endpoint({
  method: 'POST',
  path: '/api/conversations/:id/messages/:messageId/retry',
  summary: 'Tentar novamente uma mensagem que falhou',
  params: z.object({ id: idParam, messageId: idParam }),
  reply: message,
})

/** What WhatsApp itself offers first. */
export const quickReactions = ['👍', '❤️', '😂', '😮', '😢', '🙏'] as const
const oneEmoji = z
  .string()
  .max(64)
  .refine((text) => /^\p{RGI_Emoji}$/v.test(text), 'Escolha um emoji')

export const reactToMessage = endpoint({
  method: 'PUT',
  path: '/api/conversations/:id/messages/:messageId/reaction',
  summary: 'Reagir a uma mensagem',
  params: z.object({ id: idParam, messageId: idParam }),
  /** '' takes the reaction back. */
  body: z.object({ emoji: z.union([z.enum(['', ...quickReactions]), oneEmoji]) }),
  reply: message,
})

/** What a message said before it was edited. */
const messageVersion = z.object({ content: z.string(), replacedAt: instant })

export const listMessageVersions = endpoint({
  method: 'GET',
  path: '/api/conversations/:id/messages/:messageId/versions',
  summary: 'O que uma mensagem editada dizia antes, do mais antigo ao mais novo',
  params: z.object({ id: idParam, messageId: idParam }),
  rows: [
    'GET /api/conversations/{open}/messages/{messageId}/versions',
    'GET /api/conversations/{completed}/messages/{messageId}/versions',
  ],
  reply: z.array(messageVersion),
})

/** Whose it was when the caller decided: if somebody else has it by now, nothing happens. */
const holderId = id.nullable().optional()

export const assignOperator = endpoint({
  method: 'PATCH',
  path: '/api/conversations/:id/assign-operator',
  summary: 'Assumir, atribuir ou devolver à fila (operatorId null)',
  params: conversationParams,
  rows: [
    'PATCH /api/conversations/{id}/assign-operator (self)',
    'PATCH /api/conversations/{id}/assign-operator (other)',
  ],
  body: z.object({ operatorId: id.nullable(), holderId, version: z.number().int().optional() }),
  reply: z.object({ conversation, operator: z.object({ id, name: z.string() }).nullable() }),
})

export const transferConversation = endpoint({
  method: 'POST',
  path: '/api/conversations/:id/transfer',
  summary: 'Transferir a outro operador',
  params: conversationParams,
  body: z.object({
    newOperatorId: id,
    /** For the team alone. */
    note: z.string().max(2000).optional(),
    holderId,
    version: z.number().int().optional(),
  }),
  reply: z.object({ conversation }),
})

export const finalizeConversation = endpoint({
  method: 'POST',
  path: '/api/conversations/:id/finalize',
  summary: 'Finalizar o atendimento',
  params: conversationParams,
  body: z.object({
    notes: z.string().max(10_000).optional(),
    holderId,
    version: z.number().int().optional(),
  }),
  reply: z.object({ conversation }),
})

export const toggleAutoClose = endpoint({
  method: 'PATCH',
  path: '/api/conversations/:id/toggle-auto-close',
  summary: 'Ligar ou desligar o fechamento automático',
  params: conversationParams,
  body: z.object({ disableAutoClose: z.boolean() }),
  reply: z.object({ conversation }),
})

export const setPriority = endpoint({
  method: 'PATCH',
  path: '/api/conversations/:id/priority',
  summary: 'Mudar a prioridade',
  params: conversationParams,
  body: z.object({ priority: z.enum(priorities) }),
  reply: z.object({ conversation }),
})

export const viewConversation = endpoint({
  method: 'POST',
  path: '/api/conversations/:id/view',
  summary: 'Registrar que a conversa foi aberta; só administradores veem quem abriu',
  params: conversationParams,
  body: z.object({ action: z.enum(['enter']) }),
})

/** A block is absent when the caller may not see it. @see security D8 */
export const stats = z.object({
  completedToday: z.number().int().optional(),
  waiting: z.number().int().optional(),
  inProgress: z.number().int().optional(),
  /** Mean seconds from a client's first unanswered message to the answer; null without data. */
  averageResponseTimeMonthly: z.number().nullable().optional(),
  averageResponseTimeWeekly: z.number().nullable().optional(),
  operatorsOnline: z.number().int().optional(),
  totalOperators: z.number().int().optional(),
})
export type Stats = z.infer<typeof stats>

export const getStats = endpoint({
  method: 'GET',
  path: '/api/stats',
  summary: 'Números do momento',
  rows: ['GET /api/stats (queue block)', 'GET /api/stats (statistics block)'],
  reply: stats,
})
