import * as z from 'zod/mini'
import { conversation } from '#shared/conversations/conversations.ts'
import { endpoint } from '#shared/endpoint.ts'
import { clientMessageId, message, messageText, quickReactions } from './messages.ts'
import { id, idParam, instant, pageParam } from '#shared/users/users.ts'

const conversationParams = z.object({ id: idParam })

const messageParams = z.object({ id: idParam, messageId: idParam })

export const listMessages = endpoint({
  method: 'GET',
  path: '/api/conversations/:id/messages',
  summary: 'As 200 mensagens mais novas, da mais antiga à mais nova; `before` e `after` para as demais',
  params: conversationParams,
  rows: ['GET /api/conversations/{open}/messages', 'GET /api/conversations/{completed}/messages'],
  query: z.object({
    /** Id of a message: return messages before it. */
    before: z.optional(idParam),
    /** Id of a message: return messages after it. */
    after: z.optional(idParam),
    limit: z.optional(z.pipe(pageParam, z.number().check(z.maximum(200)))),
  }),
  reply: z.array(message),
})

/** Most messages that a search returns. */
export const mostFound = 1000

export const searchMessages = endpoint({
  method: 'GET',
  path: '/api/conversations/:id/messages/search',
  summary: 'As mensagens de uma conversa que contêm as palavras, da mais nova à mais antiga',
  params: conversationParams,
  rows: [
    'GET /api/conversations/{open}/messages/search',
    'GET /api/conversations/{completed}/messages/search',
  ],
  query: z.object({
    /** In any case, with or without accents. */
    words: z.string().check(z.trim(), z.minLength(1, 'Digite o que procura'), z.maxLength(200)),
  }),
  reply: z.object({
    ids: z.array(id),
    /** Whether there are more than `mostFound`. */
    isCut: z.boolean(),
  }),
})

export const sendMessage = endpoint({
  method: 'POST',
  path: '/api/conversations/:id/messages',
  summary: 'Responder ao cliente',
  params: conversationParams,
  body: z.object({
    content: messageText,
    clientMessageId: z.optional(clientMessageId),
    quotedMessageId: z.optional(id),
  }),
  reply: message,
  status: 201,
})

export const sendToContact = endpoint({
  method: 'POST',
  path: '/api/contacts/:id/send-message',
  summary: 'Escrever a um contato; a primeira mensagem cria a conversa',
  params: conversationParams,
  body: z.object({
    content: messageText,
    clientMessageId: z.optional(clientMessageId),
    /** The number to write from; absent: that of the last conversation, else the main one. */
    instanceId: z.optional(id),
  }),
  reply: z.object({ conversation, message }),
  status: 201,
})

export const retryMessage = endpoint({
  method: 'POST',
  path: '/api/conversations/:id/messages/:messageId/retry',
  summary: 'Tentar novamente uma mensagem que falhou',
  params: messageParams,
  reply: message,
})

const oneEmoji = z.string().check(
  z.maxLength(64),
  z.refine((text) => /^\p{RGI_Emoji}$/v.test(text), 'Escolha um emoji'),
)

export const reactToMessage = endpoint({
  method: 'PUT',
  path: '/api/conversations/:id/messages/:messageId/reaction',
  summary: 'Reagir a uma mensagem',
  params: messageParams,
  /** '' removes the reaction. */
  body: z.object({ emoji: z.union([z.enum(['', ...quickReactions]), oneEmoji]) }),
  reply: message,
})

/** The text of a message before an edit. */
const messageVersion = z.object({ content: z.string(), replacedAt: instant })

export const getMessageDetails = endpoint({
  method: 'GET',
  path: '/api/conversations/:id/messages/:messageId/details',
  summary: 'O que uma mensagem não mostra: quando foi entregue e lida, e o que dizia antes',
  params: messageParams,
  rows: [
    'GET /api/conversations/{open}/messages/{messageId}/details',
    'GET /api/conversations/{completed}/messages/{messageId}/details',
  ],
  reply: z.object({
    /** When the gateway told of it; null for a message that has not got that far, or of long ago. */
    deliveredAt: z.nullable(instant),
    readAt: z.nullable(instant),
    /** Oldest first. */
    versions: z.array(messageVersion),
  }),
})

export const listMessageVersions = endpoint({
  method: 'GET',
  path: '/api/conversations/:id/messages/:messageId/versions',
  summary: 'O que uma mensagem editada dizia antes, do mais antigo ao mais novo',
  params: messageParams,
  rows: [
    'GET /api/conversations/{open}/messages/{messageId}/versions',
    'GET /api/conversations/{completed}/messages/{messageId}/versions',
  ],
  reply: z.array(messageVersion),
})

/** Sends the content of a message once more, to another chat. */
export const forwardMessage = endpoint({
  method: 'POST',
  path: '/api/conversations/:id/messages/:messageId/forward',
  summary: 'Encaminhar uma mensagem a outra conversa ou a um contato; o arquivo é copiado no servidor',
  params: messageParams,
  rows: [
    'POST /api/conversations/{id}/messages/{messageId}/forward (conversation)',
    'POST /api/conversations/{id}/messages/{messageId}/forward (contact)',
  ],
  body: z.object({
    to: z.union([
      z.object({ conversationId: id }),
      /** In his open conversation, or in a new one. */
      z.object({ contactId: id }),
    ]),
    clientMessageId: z.optional(clientMessageId),
  }),
  reply: z.object({ conversation, message }),
  status: 201,
})
