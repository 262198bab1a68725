import * as z from 'zod/mini'
import { deliveryStatuses } from './delivery.ts'
import { messageTypes } from './message-kinds.ts'
import { messageMetadata } from './message-metadata.ts'
import { id, instant } from './users.ts'

export const senderTypes = ['contact', 'user'] as const

/** The message that another one answers, with its current text. */
export const quotedMessage = z.object({
  messageId: z.nullable(id),
  /** May be an earlier conversation of the contact. */
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
  /** null on messages of the contact and on rows that are never sent. */
  deliveryStatus: z.nullable(z.enum(deliveryStatuses)),
  /** In Portuguese; present when `deliveryStatus` is 'failed'. */
  failureReason: z.nullable(z.string()),
  quoted: z.nullable(quotedMessage),
  reactions: z.array(z.object({ emoji: z.string(), from: z.enum(senderTypes) })),
  /** The options of a poll that each side has chosen. */
  votes: z.array(z.object({ options: z.array(z.string()), from: z.enum(senderTypes) })),
  /** Pinned in the chat by the client or on the connected phone. */
  isPinned: z.boolean(),
  editedAt: z.nullable(instant),
  deletedAt: z.nullable(instant),
  /** The position in the conversation: messages are ordered by (sortAt, id). */
  sortAt: instant,
  sentAt: instant,
  createdAt: instant,
  version: z.int(),
})
export type Message = z.infer<typeof message>

/** A message as lists of conversations show it. */
export const lastMessage = z.object({
  id,
  content: z.string(),
  messageType: z.enum(messageTypes),
  senderType: z.enum(senderTypes),
  deliveryStatus: z.nullable(z.enum(deliveryStatuses)),
  deletedAt: z.nullable(instant),
  sentAt: instant,
  createdAt: instant,
})

/** Made by the browser when a message is composed; a call that is repeated with it has no further effect. */
export const clientMessageId = z.string().check(z.regex(/^[A-Za-z0-9_-]{8,64}$/))

export const maxTextLength = 65_536

/** The text of a message that an operator writes. */
export const messageText = z.string().check(
  z.maxLength(maxTextLength),
  z.refine((text) => text.trim() !== '', 'Digite uma mensagem'),
)

/** The reactions that WhatsApp itself offers first. */
export const quickReactions = ['👍', '❤️', '😂', '😮', '😢', '🙏'] as const
