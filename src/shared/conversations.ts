import * as z from 'zod/mini'
import { contactCard } from './contacts.ts'
import { endpoint } from './endpoint.ts'
import { id, idParam, instant, pageParam } from './users.ts'

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

/** What became of a conversation, as a line of its timeline. */
export const conversationActs = [
  'taken',
  'assigned',
  'returned',
  'transferred',
  'finalized',
  // By the product itself.
  'distributed',
  'closed_by_inactivity',
] as const
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
      waId: z.optional(z.string()),
    }),
  ),
  organization: z.optional(z.string()),
  email: z.optional(z.string()),
  url: z.optional(z.string()),
})
export type SharedContact = z.infer<typeof sharedContact>

export const messageMetadata = z.object({
  /** Of an automatic text: the setting that it came from. */
  text: z.optional(z.string()),
  /** Where a message of ours came from when no operator wrote it. */
  origin: z.optional(z.enum(['phone', 'automatic', 'assistant', 'api'])),
  /** Of a client's answer to the question how it was: 1 to 5. */
  rating: z.optional(z.int()),
  /** Arrived late and was put in its own place. */
  recovered: z.optional(z.boolean()),
  /** The gateway sent it more than once: the ids of the further copies. */
  duplicateIds: z.optional(z.array(z.string())),
  seconds: z.optional(z.number()),
  isVoice: z.optional(z.boolean()),
  /** Pixels. */
  width: z.optional(z.number()),
  height: z.optional(z.number()),
  /** A round video. */
  isRound: z.optional(z.boolean()),
  /** A video that plays like a moving picture, without sound. */
  isGif: z.optional(z.boolean()),
  pages: z.optional(z.number()),
  isForwarded: z.optional(z.boolean()),
  /** May be seen once; WhatsApp mostly keeps it from linked devices. */
  isViewOnce: z.optional(z.boolean()),
  contacts: z.optional(z.array(sharedContact)),
  location: z.optional(
    z.object({
      latitude: z.number(),
      longitude: z.number(),
      name: z.optional(z.string()),
      address: z.optional(z.string()),
      isLive: z.optional(z.boolean()),
    }),
  ),
  /** The question is the message's content. */
  poll: z.optional(
    z.object({
      options: z.array(z.string()),
      /** How many may be chosen; 0: any number. */
      selectable: z.int(),
    }),
  ),
  call: z.optional(z.object({ isVideo: z.boolean(), outcome: z.enum(callOutcomes) })),
  /** Of type 'event': what its sender did (nobody: the product itself), and to whose hands. The content is a note for the team, or ''. */
  event: z.optional(
    z.object({
      to: z.optional(z.string()),
      act: z.enum(conversationActs),
      /** Of 'distributed': what spoke for the receiver when he got it. */
      reason: z.optional(
        z.object({
          /** How many operators were free. */
          among: z.int(),
          /** His open conversations then, and how many of them waited for him, of so many that he may have. */
          active: z.int(),
          waiting: z.int(),
          capacity: z.int(),
        }),
      ),
    }),
  ),
  /** The advertisement that the client came by. */
  ad: z.optional(
    z.object({
      title: z.optional(z.string()),
      body: z.optional(z.string()),
      url: z.optional(z.string()),
      sourceId: z.optional(z.string()),
    }),
  ),
  /** The gateway's name for content that we cannot show yet. */
  gatewayType: z.optional(z.string()),
})
export type MessageMetadata = z.infer<typeof messageMetadata>

export const quotedMessage = z.object({
  messageId: z.nullable(id),
  /** Where it stands: it may be an earlier conversation of the contact. */
  conversationId: z.nullable(id),
  senderType: z.enum(senderTypes),
  messageType: z.enum(messageTypes),
  content: z.string(),
  deletedAt: z.nullable(instant),
})

export const message = z.object({
  id,
  conversationId: id,
  senderId: z.nullable(id),
  senderName: z.nullable(z.string()),
  senderType: z.enum(senderTypes),
  content: z.string(),
  messageType: z.enum(messageTypes),
  fileName: z.nullable(z.string()),
  fileUrl: z.nullable(z.string()),
  fileMimeType: z.nullable(z.string()),
  fileSize: z.nullable(z.number()),
  whatsappMessageId: z.nullable(z.string()),
  clientMessageId: z.nullable(z.string()),
  metadata: messageMetadata,
  /** null on what the contact wrote and on rows that are never sent. */
  deliveryStatus: z.nullable(z.enum(deliveryStatuses)),
  /** In Portuguese; present when `deliveryStatus` is 'failed'. */
  failureReason: z.nullable(z.string()),
  quoted: z.nullable(quotedMessage),
  reactions: z.array(z.object({ emoji: z.string(), from: z.enum(senderTypes) })),
  /** What was chosen in a poll, by each side that chose. */
  votes: z.array(z.object({ options: z.array(z.string()), from: z.enum(senderTypes) })),
  /** Pinned in the chat by the client or on the connected phone. */
  isPinned: z.boolean(),
  editedAt: z.nullable(instant),
  deletedAt: z.nullable(instant),
  /** Where it stands in the conversation: order is (sortAt, id). */
  sortAt: instant,
  sentAt: instant,
  createdAt: instant,
  version: z.int(),
})
export type Message = z.infer<typeof message>

const lastMessage = z.object({
  id,
  content: z.string(),
  messageType: z.enum(messageTypes),
  senderType: z.enum(senderTypes),
  deliveryStatus: z.nullable(z.enum(deliveryStatuses)),
  deletedAt: z.nullable(instant),
  sentAt: instant,
  createdAt: instant,
})

/** Of pre-attendance. A conversation that waits for it, or was cancelled by it, is not open. @see decisions §3 */
export const choiceStages = ['waiting_option', 'cancelled', 'attended'] as const

export const conversation = z.object({
  id,
  protocol: z.string(),
  contactId: id,
  contact: contactCard,
  assignedUserId: z.nullable(id),
  assignedUser: z.nullable(z.object({ id, name: z.string() })),
  status: z.enum(conversationStatuses),
  subStatus: z.enum(subStatuses),
  waitingFor: z.enum(waitingFors),
  /** Since when the client waits for us; null while we wait for the client. */
  waitingSince: z.nullable(instant),
  priority: z.enum(priorities),
  initiatedBy: z.enum(initiators),
  disableAutoClose: z.boolean(),
  /** Where the choice before the queue stands, or how it ended; null: nobody was asked. */
  preAttendanceStage: z.nullable(z.enum(choiceStages)),
  startedAt: instant,
  completedAt: z.nullable(instant),
  lastActivityAt: instant,
  messageCount: z.int(),
  /** Of them, the contact's; what a person has not read is counted by it. */
  contactMessageCount: z.int(),
  lastMessage: z.nullable(lastMessage),
  /** 1 for the one who waits longest in the FILA; null outside it. */
  queuePosition: z.nullable(z.int()),
  version: z.int(),
})
export type Conversation = z.infer<typeof conversation>

const pagination = z.object({
  currentPage: z.int(),
  itemsPerPage: z.int(),
  totalItems: z.int(),
  totalPages: z.int(),
  hasNextPage: z.boolean(),
})

export const activePageSizes = [5, 10, 20, 30, 50] as const

export const listConversations = endpoint({
  method: 'GET',
  path: '/api/conversations',
  summary: 'Conversas abertas: a lista inteira, ou uma página quando `page` é dado',
  query: z.object({
    page: z.optional(pageParam),
    limit: z.optional(z.pipe(pageParam, z.number().check(z.maximum(100)))),
    search: z.optional(z.string().check(z.maxLength(200))),
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
    before: z.optional(idParam),
    /** Id of a message: only what stands after it. */
    after: z.optional(idParam),
    limit: z.optional(z.pipe(pageParam, z.number().check(z.maximum(200)))),
  }),
  reply: z.array(message),
})

/** Made by the browser when something is composed. */
export const clientMessageId = z.string().check(z.regex(/^[A-Za-z0-9_-]{8,64}$/))
export const maxTextLength = 65_536
const replyText = z.string().check(
  z.maxLength(maxTextLength),
  z.refine((text) => text.trim() !== '', 'Digite uma mensagem'),
)

export const sendMessage = endpoint({
  method: 'POST',
  path: '/api/conversations/:id/messages',
  summary: 'Responder ao cliente',
  params: conversationParams,
  body: z.object({
    content: replyText,
    /** Made by the browser when the text is composed: repeating the call with it is harmless. */
    clientMessageId: z.optional(clientMessageId),
    quotedMessageId: z.optional(id),
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
    conversationId: z.nullable(id),
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
  body: z.object({ content: replyText, clientMessageId: z.optional(clientMessageId) }),
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
const oneEmoji = z.string().check(
  z.maxLength(64),
  z.refine((text) => /^\p{RGI_Emoji}$/v.test(text), 'Escolha um emoji'),
)

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
const holderId = z.optional(z.nullable(id))

export const assignOperator = endpoint({
  method: 'PATCH',
  path: '/api/conversations/:id/assign-operator',
  summary: 'Assumir, atribuir ou devolver à fila (operatorId null)',
  params: conversationParams,
  rows: [
    'PATCH /api/conversations/{id}/assign-operator (self)',
    'PATCH /api/conversations/{id}/assign-operator (other)',
  ],
  body: z.object({ operatorId: z.nullable(id), holderId, version: z.optional(z.int()) }),
  reply: z.object({ conversation, operator: z.nullable(z.object({ id, name: z.string() })) }),
})

export const takeNextConversation = endpoint({
  method: 'POST',
  path: '/api/conversations/take-next',
  summary: 'Assumir próxima: a conversa que espera há mais tempo na fila',
  reply: z.object({ conversation }),
})

export const transferConversation = endpoint({
  method: 'POST',
  path: '/api/conversations/:id/transfer',
  summary: 'Transferir a outro operador',
  params: conversationParams,
  body: z.object({
    newOperatorId: id,
    /** For the team alone. */
    note: z.optional(z.string().check(z.maxLength(2000))),
    holderId,
    version: z.optional(z.int()),
  }),
  reply: z.object({ conversation }),
})

export const finalizeConversation = endpoint({
  method: 'POST',
  path: '/api/conversations/:id/finalize',
  summary: 'Finalizar o atendimento',
  params: conversationParams,
  body: z.object({
    notes: z.optional(z.string().check(z.maxLength(10_000))),
    holderId,
    version: z.optional(z.int()),
  }),
  reply: z.object({ conversation }),
})

export const deleteConversation = endpoint({
  method: 'DELETE',
  path: '/api/conversations/:id',
  summary: 'Excluir a conversa com todas as mensagens; arquivadas, só administradores',
  params: conversationParams,
  rows: ['DELETE /api/conversations/{open}', 'DELETE /api/conversations/{archived}'],
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
  completedToday: z.optional(z.int()),
  waiting: z.optional(z.int()),
  inProgress: z.optional(z.int()),
  /** Mean seconds from a client's first unanswered message to the answer; null without data. */
  averageResponseTimeMonthly: z.optional(z.nullable(z.number())),
  averageResponseTimeWeekly: z.optional(z.nullable(z.number())),
  operatorsOnline: z.optional(z.int()),
  totalOperators: z.optional(z.int()),
})
export type Stats = z.infer<typeof stats>

export const getStats = endpoint({
  method: 'GET',
  path: '/api/stats',
  summary: 'Números do momento',
  rows: ['GET /api/stats (queue block)', 'GET /api/stats (statistics block)'],
  reply: stats,
})
