import * as z from 'zod/mini'
import { everyday, reading } from '#shared/audit/unaudited.ts'
import { conversation } from '#shared/conversations/conversations.ts'
import { endpoint } from '#shared/endpoint.ts'
import { clientMessageId, message, messageText, quickReactions } from './messages.ts'
import { replyKey } from '#shared/quick-replies/reply-key.ts'
import { id, idParam, instant, pageParam } from '#shared/users/users.ts'

const conversationParams = z.object({ id: idParam })

const messageParams = z.object({ id: idParam, messageId: idParam })

export const listMessages = endpoint({
  method: 'GET',
  path: '/api/conversations/:id/messages',
  summary: 'As 200 mensagens mais novas, da mais antiga à mais nova; `before` e `after` para as demais',
  rows: {
    'GET /api/conversations/{open}/messages': { act: 'viewConversations', audit: reading },
    'GET /api/conversations/{completed}/messages': { act: 'viewWholeArchive', audit: 'conversation.read' },
  },
  ids: { id: 'conversation' },
  params: conversationParams,
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
  rows: {
    'GET /api/conversations/{open}/messages/search': { act: 'viewConversations', audit: reading },
    'GET /api/conversations/{completed}/messages/search': {
      act: 'viewWholeArchive',
      audit: 'conversation.read',
    },
  },
  ids: { id: 'conversation' },
  params: conversationParams,
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
  act: 'reply',
  audit: everyday,
  ids: { id: 'conversation' },
  params: conversationParams,
  body: z.object({
    content: messageText,
    clientMessageId: z.optional(clientMessageId),
    quotedMessageId: z.optional(id),
    /** The quick reply that it came from, which is counted. */
    quickReply: z.optional(replyKey),
  }),
  reply: message,
  status: 201,
})

export const sendToContact = endpoint({
  method: 'POST',
  path: '/api/contacts/:id/send-message',
  summary: 'Escrever a um contato; a primeira mensagem cria a conversa',
  needs: ['canCreateConversations', 'canEditConversations'],
  audit: 'conversation.start',
  ids: { id: 'contact' },
  params: conversationParams,
  body: z.object({
    content: messageText,
    clientMessageId: z.optional(clientMessageId),
    /** The number to write from; absent: that of the last conversation, else the main one. */
    instanceId: z.optional(id),
    quickReply: z.optional(replyKey),
  }),
  reply: z.object({ conversation, message }),
  status: 201,
})

export const retryMessage = endpoint({
  method: 'POST',
  path: '/api/conversations/:id/messages/:messageId/retry',
  summary: 'Tentar novamente uma mensagem que falhou',
  act: 'reply',
  audit: everyday,
  ids: { id: 'conversation', messageId: 'message' },
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
  act: 'reply',
  audit: everyday,
  ids: { id: 'conversation', messageId: 'message' },
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
  rows: {
    'GET /api/conversations/{open}/messages/{messageId}/details': {
      act: 'viewConversations',
      audit: reading,
    },
    'GET /api/conversations/{completed}/messages/{messageId}/details': {
      act: 'viewWholeArchive',
      audit: 'conversation.read',
    },
  },
  ids: { id: 'conversation', messageId: 'message' },
  params: messageParams,
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
  rows: {
    'GET /api/conversations/{open}/messages/{messageId}/versions': {
      act: 'viewConversations',
      audit: reading,
    },
    'GET /api/conversations/{completed}/messages/{messageId}/versions': {
      act: 'viewWholeArchive',
      audit: 'conversation.read',
    },
  },
  ids: { id: 'conversation', messageId: 'message' },
  params: messageParams,
  reply: z.array(messageVersion),
})

/** Asks for a sound in words. Its text is pushed when it is there; asking again changes nothing. */
export const transcribeMessage = endpoint({
  method: 'POST',
  path: '/api/conversations/:id/messages/:messageId/transcription',
  summary: 'Transcrever um áudio; o texto chega pela mensagem',
  rows: {
    'POST /api/conversations/{open}/messages/{messageId}/transcription': {
      act: 'viewConversations',
      audit: 'conversation.transcribe',
    },
    'POST /api/conversations/{completed}/messages/{messageId}/transcription': {
      act: 'viewWholeArchive',
      audit: 'conversation.transcribe',
    },
  },
  ids: { id: 'conversation', messageId: 'message' },
  params: messageParams,
  reply: message,
})

/** Sends the content of a message once more, to another chat. */
export const forwardMessage = endpoint({
  method: 'POST',
  path: '/api/conversations/:id/messages/:messageId/forward',
  summary: 'Encaminhar uma mensagem a outra conversa ou a um contato; o arquivo é copiado no servidor',
  rows: {
    'POST /api/conversations/{id}/messages/{messageId}/forward (conversation)': {
      act: 'reply',
      audit: { ...everyday, sometimes: 'conversation.read' },
    },
    'POST /api/conversations/{id}/messages/{messageId}/forward (contact)': {
      needs: ['canViewConversations', 'canCreateConversations', 'canEditConversations'],
      audit: 'conversation.start',
    },
  },
  ids: { id: 'conversation', messageId: 'message' },
  params: messageParams,
  body: z.object({
    to: z.union([
      z.object({ conversationId: id }),
      /** In their open conversation, or in a new one; by this number, else as `sendToContact` does. */
      z.object({ contactId: id, instanceId: z.optional(id) }),
    ]),
    clientMessageId: z.optional(clientMessageId),
  }),
  reply: z.object({ conversation, message }),
  status: 201,
})
